import ProctorBase
package import ProctorGrading
package import ProctorScenario

/// Exams as TAP, version 14: a test point for each case, in the order of the cases.
package enum TAPText {
    /// Cases of `kinds` fail; a failure of another kind, or a known one, is marked `TODO`, so that it does not count.
    package static func report(_ exams: [ExamRecord], failingOn kinds: Set<Case.Kind>) -> String {
        let count = exams.reduce(0) { $0 + $1.cases.count }
        var lines = ["TAP version 14", "1..\(count)"]
        var number = 0
        for exam in exams {
            for record in exam.cases {
                number += 1
                lines += point(record, number, client: exams.count > 1 ? exam.header.client : nil, kinds)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func point(
        _ record: CaseRecord, _ number: Int, client: String?, _ kinds: Set<Case.Kind>
    ) -> [String] {
        let name = escaped((client.map { "\($0): " } ?? "") + record.id.description)
        let word = record.ability.map { "\(record.outcome) \($0)" } ?? record.outcome
        guard record.isFailure || record.outcome == "known" else {
            return ["ok \(number) - \(name)\(record.isNotForClient ? " # SKIP \(escaped(word))" : "")"]
        }
        let isTodo = !kinds.isEmpty && !record.isFailure(on: kinds)
        let todo = record.isFailure ? record.kind.rawValue : record.outcome
        var lines = ["not ok \(number) - \(name)\(isTodo || !record.isFailure ? " # TODO \(todo)" : "")", "  ---"]
        lines.append("  kind: \(record.kind.rawValue)")
        lines.append("  outcome: \(record.outcome)")
        lines.append("  message: \(quoted(record.reason))")
        if let cause = record.cause { lines.append("  cause: \(quoted(cause))") }
        if let milliseconds = record.milliseconds { lines.append("  duration_ms: \(milliseconds)") }
        if let file = record.file { lines.append("  at: \(quoted("\(file)\(record.line.map { ":\($0)" } ?? "")"))") }
        return lines + ["  ..."]
    }

    /// The text with escapes: `#` begins a directive, and `\` an escape.
    private static func escaped(_ text: String) -> String {
        EventText.printable(text, limit: 500).map { $0 == "#" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }

    /// The text in YAML, in double quotes.
    private static func quoted(_ text: String) -> String {
        let escaped = EventText.printable(text, limit: 1_000).map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\"\(escaped.joined())\""
    }
}
