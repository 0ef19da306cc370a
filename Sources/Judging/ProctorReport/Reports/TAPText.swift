import ProctorBase
package import ProctorGrading
import ProctorScenario

/// Exams as TAP, version 14: a test point for each case, in the order of the cases, then one for each fault beside them.
package enum TAPText {
    /// A failure that does not fail the exam, and a known one, are marked `TODO`, so that they do not count.
    package static func report(_ results: ExamResults) -> String {
        let count = results.exams.reduce(0) { $0 + $1.cases.count } + results.faults.count
        var lines = ["TAP version 14", "1..\(count)"]
        var number = 0
        for exam in results.exams {
            for record in exam.cases {
                number += 1
                let name = escaped(
                    (results.exams.count > 1 ? "\(exam.header.client): " : "") + record.id.description)
                lines += point(record, "\(number) - \(name)", results.gate.reasonNotToCount(record, of: exam.header))
            }
        }
        for fault in results.faults {
            number += 1
            let todo = results.gate.isFailed(by: fault) ? "" : " # TODO \(fault.kind.rawValue)"
            lines.append("not ok \(number) - \(escaped("\(fault.kind.rawValue): \(fault.sentence)"))\(todo)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `uncounted` is why a failure does not count; nil where it does.
    private static func point(_ record: CaseRecord, _ name: String, _ uncounted: String?) -> [String] {
        let word = record.ability.map { "\(record.outcome) \($0)" } ?? record.outcome
        guard record.isFailure || record.outcome == "known" else {
            return ["ok \(name)\(record.isNotForClient ? " # SKIP \(escaped(word))" : "")"]
        }
        let todo = record.isFailure ? uncounted : record.outcome
        var lines = ["not ok \(name)\(todo.map { " # TODO \($0)" } ?? "")", "  ---"]
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
