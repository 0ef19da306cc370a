import ProctorBase
import ProctorScenario

/// Lines about the cases of one exam, for a terminal.
package struct RecordSummary {
    private let records: [CaseRecord]
    private let width: Int

    private static let mostCauses = 20

    package init(_ records: [CaseRecord], width: Int = 120) {
        self.records = records
        self.width = width
    }

    /// A line for each case that a person has to look at, or for each case.
    package func caseLines(isComplete: Bool) -> [String] {
        let shown = records.filter { isComplete || $0.isFailure }
        let wordWidth = shown.map(\.outcome.count).max() ?? 0
        let ids = shown.map { EventText.printable($0.id.description) }
        let idWidth = min(60, ids.map(\.count).max() ?? 0)
        return zip(shown, ids).map { record, id in
            let head = "  \(record.outcome.leftAligned(wordWidth))  \(id.leftAligned(idWidth))"
            let reason = EventText.printable(record.reason, limit: 1_000)
            return "\(head)  \(reason)".withoutTrailingBlanks.cut(to: width)
        }
    }

    /// A line for each cause that several failures share, the one with the most cases first.
    package var causeLines: [String] {
        let record = ExamRecord(header: ExamHeader(client: "", platform: "", proctor: ""), cases: records)
        let shared = record.causes().filter { $0.cases.count > 1 }
        var lines = shared.prefix(Self.mostCauses).map { cause in
            let kinds = cause.kinds.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
            let ids = cause.cases.prefix(3).map { EventText.printable($0.description) }.joined(separator: ", ")
            let text = EventText.printable(cause.text, limit: 300)
            return "  cause   \(cause.cases.count) cases (\(kinds)): \(text): \(ids)".cut(to: width)
        }
        if shared.count > Self.mostCauses {
            lines.append("  cause   \(Plural.count(shared.count - Self.mostCauses, "other cause")) of several cases")
        }
        return lines
    }

    /// One line with the counts of each kind; nothing where all cases are of one kind.
    package var kindLines: [String] {
        let parts = Case.Kind.allCases.compactMap { kind -> String? in
            let asked = records.filter { $0.kind == kind && !$0.isNotForClient }
            guard !asked.isEmpty else { return nil }
            return "\(kind.rawValue) \(asked.count { !$0.isFailure }) of \(asked.count)"
        }
        return parts.count > 1 ? ["  without failure: " + parts.joined(separator: ", ")] : []
    }

    /// `120 cases: 100 pass, 2 fail, 18 known`.
    package var tally: String {
        let counts = records.reduce(into: [String: Int]()) { $0[$1.outcome, default: 0] += 1 }
        let parts = CaseVerdict.Outcome.words.compactMap { word in counts[word].map { "\($0) \(word)" } }
        let total = Plural.count(records.count, "case")
        return parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))"
    }
}
