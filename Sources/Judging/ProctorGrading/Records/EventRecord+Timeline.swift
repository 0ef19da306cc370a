import ProctorBase
import ProctorEvents
import ProctorScenario

extension EventRecord {
    /// The joint timeline of a case, within ``RecordBounds/events``.
    static func timeline(_ evidence: CaseEvidence, verdict: CaseVerdict) -> [EventRecord] {
        let budget = WorkBudget(stepLimit: CaseGrader.stepLimit)
        guard let rows = try? TimelineRows(evidence, verdict: verdict, isForRecord: true, within: budget).rows else {
            return budget.spent.map { [remark("there is no timeline: \($0)")] } ?? []
        }
        guard rows.count > RecordBounds.events else { return rows.map { EventRecord($0) } }
        // The beginning is kept longest, since a client that repeats itself repeats these events.
        let tail = RecordBounds.events / 4
        let marked = rows.firstIndex { $0.wanted != nil } ?? 0
        let middle = max(0, marked - tail / 2)..<min(rows.count, marked + tail / 2)
        let kept = Set(0..<(RecordBounds.events - 2 * tail - 2)).union((rows.count - tail)..<rows.count).union(middle)
        return rows.elided(keeping: kept).flatMap { hidden, row in
            (hidden > 0 ? [remark(Plural.count(hidden, "event") + " left out")] : []) + [EventRecord(row)]
        }
    }

    private static func remark(_ text: String) -> EventRecord { EventRecord(lane: "note", text: text) }

    private init(_ row: TimelineRow) {
        self.init(nanoseconds: row.place.nanoseconds, lane: row.place.lane, text: row.text.recorded(RecordBounds.line))
        connection = row.place.connection
        request = row.place.request
        stream = row.place.stream
        count = row.count
        wanted = row.wanted?.recorded(RecordBounds.line)
        details = row.place.details.recorded(RecordBounds.fields)
    }
}

extension String {
    /// The text, shortened to a bound of ``RecordBounds``.
    func recorded(_ limit: Int) -> String { utf8.count <= limit ? self : cut(to: limit) }
}

extension [String] {
    /// The first lines, each shortened, and the number of the others.
    func recorded(_ limit: Int) -> [String] {
        guard count > limit else { return map { $0.recorded(RecordBounds.line) } }
        return prefix(limit - 1).map { $0.recorded(RecordBounds.line) } + ["and \(count - limit + 1) more"]
    }
}

extension CaseEvidence {
    /// The client's report about its errors: the facts `error` and `message` of its results and last callbacks.
    var clientError: String? {
        let texts = events.compactMap { event -> String? in
            guard event.phase == .enter, event.lane == .harness ? event.name == .result : event.name == .complete else {
                return nil
            }
            let error = event.facts.text(.error) ?? event.argument.flatMap { $0 == "ok" ? nil : $0 }
            let parts = [error, event.facts.text(.message)].compactMap(\.self).filter { $0 != "ok" && !$0.isEmpty }
            guard !parts.isEmpty else { return nil }
            return EventText.printable(parts.joined(separator: ": "), limit: RecordBounds.line)
        }
        return texts.isEmpty ? nil : texts.unique.prefix(5).joined(separator: "\n")
    }
}
