import ProctorBase
import ProctorScenario

/// Exams as Markdown for a page of a CI system: a table of counts by kind, then causes, then failures.
package enum MarkdownText {
    private static let mostCauses = 30
    private static let mostFailures = 100
    private static let mostCases = 5

    package static func of(_ exams: [ExamRecord]) -> String {
        var lines = ["| client | must | should | observes | not for it | failed |", "|---|---|---|---|---|---|"]
        lines += exams.map(row)
        for exam in exams {
            lines += causes(of: exam)
            lines += failures(of: exam)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ exam: ExamRecord) -> String {
        if let absence = exam.header.absence { return "| \(cell(exam.header.client)) | \(cell(absence)) | | | | |" }
        let cells = Case.Kind.allCases.map { kind in
            let judged = exam.cases.filter { $0.kind == kind && !$0.isNotForClient }
            return "\(judged.count { !$0.isFailure }) of \(judged.count)"
        }
        let others = exam.cases.count { $0.isNotForClient }
        let failed = exam.cases.count { $0.isFailure }
        return "| \(cell(exam.header.title)) | \(cells.joined(separator: " | ")) | \(others) | \(failed) |"
    }

    private static func causes(of exam: ExamRecord) -> [String] {
        let causes = exam.causes()
        guard !causes.isEmpty else { return [] }
        var lines = ["", "### \(cell(exam.header.client)): causes", "", "| cases | cause | such as |", "|---|---|---|"]
        for cause in causes.prefix(mostCauses) {
            let ids = cause.cases.prefix(mostCases).map { "`\(cell($0.description))`" }.joined(separator: ", ")
            lines.append("| \(cause.cases.count) | \(cell(cause.text)) | \(ids) |")
        }
        if causes.count > mostCauses { lines += ["", "And \(Plural.count(causes.count - mostCauses, "more cause"))."] }
        return lines
    }

    private static func failures(of exam: ExamRecord) -> [String] {
        let failed = exam.cases.filter(\.isFailure)
        guard !failed.isEmpty else { return [] }
        var lines = ["", "### \(cell(exam.header.client)): failures", "", "| outcome | kind | case | reason |"]
        lines.append("|---|---|---|---|")
        for record in failed.prefix(mostFailures) {
            lines.append(
                "| \(record.outcome) | \(record.kind.rawValue) | `\(cell(record.id.description))` | \(cell(record.reason)) |"
            )
        }
        if failed.count > mostFailures { lines += ["", "And \(failed.count - mostFailures) more."] }
        return lines
    }

    /// Text of a fixture or a client, without marks of tables and of HTML.
    private static func cell(_ text: String) -> String {
        EventText.printable(text, limit: 300).map { character in
            switch character {
            case "|": "\\|"
            case "<": "&lt;"
            case "&": "&amp;"
            case "`": "'"
            default: "\(character)"
            }
        }.joined()
    }
}

extension CaseRecord {
    /// Whether the case says nothing of the client: it lacks what the case needs, or the adapter does.
    package var isNotForClient: Bool { ["lacks", "not-in-this-adapter", "skipped"].contains(outcome) }
}
