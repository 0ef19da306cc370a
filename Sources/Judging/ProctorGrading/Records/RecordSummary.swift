import ProctorBase
import ProctorDocument
import ProctorScenario

/// Lines about the cases of one exam, for a terminal.
package struct RecordSummary {
    private let records: [CaseRecord]
    private let width: Int

    private static let mostCauses = 20

    package init(_ records: [CaseRecord], width: Int = 120) {
        (self.records, self.width) = (records, width)
    }

    /// A line for each failure, or for each case.
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

    /// The number of failed cases and causes by kind, and a line for each cause; nothing when at most one case failed.
    package var causeLines: [String] {
        let failed = records.filter { OutcomeCounts([$0.outcome]).failed > 0 || $0.isFailure }
        guard failed.count > 1 else { return [] }
        let causes = ExamCause.all(of: failed)
        var lines = failureHeadline.map { ["  \($0)"] } ?? []
        for cause in causes.prefix(Self.mostCauses) {
            let text = EventText.printable(cause.cause.sentence, limit: 300)
            let example = EventText.printable(cause.example.description)
            lines.append("  cause   \(cause.counts): \(text); such as \(example)")
            if let upstream = cause.upstream {
                lines.append("          \(EventText.printable("\(upstream.text): \(upstream.says)", limit: 1_000))")
            }
        }
        let rest = causes.dropFirst(Self.mostCauses)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.cases.count }
            lines.append("  cause   \(Plural.count(count, "case")) of \(Plural.count(rest.count, "other cause"))")
        }
        return lines + Self.unreported(causes)
    }

    /// The causes that a ledger calls unreported.
    private static func unreported(_ causes: [ExamCause]) -> [String] {
        let unreported = causes.filter { $0.upstream?.state == .unreported }
        guard !unreported.isEmpty else { return [] }
        let keys = unreported.map { quoted($0.cause.key) }.joined(separator: ", ")
        let (count, verb) = (Plural.count(unreported.count, "known cause"), unreported.count == 1 ? "has" : "have")
        return ["  \(count) \(verb) no upstream report: \(EventText.printable(keys, limit: 4_000))"]
    }

    /// `61 failed musts, 9 causes; 3 failed shoulds, 2 causes`; nil when no case failed.
    package var failureHeadline: String? {
        let parts = [Case.Kind.must, .should].compactMap { kind -> String? in
            let failed = records.filter { $0.kind == kind && OutcomeCounts([$0.outcome]).failed > 0 }
            guard !failed.isEmpty else { return nil }
            let causes = Set(failed.map(\.cause)).count
            return "\(Plural.count(failed.count, "failed \(kind.rawValue)")), \(Plural.count(causes, "cause"))"
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The number of passed cases by kind, when some failed or both kinds occur, and whether the ledger lists the
    /// failures.
    package var kindLines: [String] {
        let parts = [Case.Kind.must, .should].compactMap { kind -> String? in
            let counts = OutcomeCounts(records.lazy.filter { $0.kind == kind }.map(\.outcome))
            return counts.judged == 0 ? nil : "\(kind.rawValue): \(counts.sentence)"
        }
        let all = OutcomeCounts(records.lazy.map(\.outcome))
        let isNeeded = parts.count > 1 || all.failed > 0 && records.count > 1
        var lines = isNeeded ? ["  \(parts.joined(separator: "; "))"] : []
        if all.known > 0 {
            let known = Plural.count(all.known, "failure")
            lines.append("  \(all.new == 0 ? "nothing new:" : "\(all.new) new;") the ledger lists \(known)")
        }
        return lines
    }

    /// `120 cases: 100 pass, 2 fail, 18 known`.
    package var tally: String {
        let counts = records.reduce(into: [String: Int]()) { $0[$1.outcome, default: 0] += 1 }
        let parts = CaseVerdict.Outcome.words.compactMap { word in counts[word].map { "\($0) \(word)" } }
        let total = Plural.count(records.count, "case")
        return parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))"
    }
}
