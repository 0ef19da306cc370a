import ProctorBase
package import ProctorGrading
import ProctorScenario

/// Exams as Markdown for a page of a CI system: a table of counts by kind, then causes, then failures that no ledger
/// lists.
package enum ReportMarkdown {
    private static let mostCauses = 30
    private static let mostFailures = 100

    package static func report(_ exams: [ExamRecord]) -> String {
        var lines = ["| client | must | should | observes | not for it | failed | new |"]
        lines.append("|---|---|---|---|---|---|---|")
        lines += exams.map(row)
        for exam in exams {
            lines += causes(of: exam)
            lines += failures(of: exam)
            lines += unasked(of: exam)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ exam: ExamRecord) -> String {
        if let absence = exam.header.absence { return "| \(cell(exam.header.client)) | \(cell(absence)) | | | | | |" }
        func counts(_ kind: Case.Kind) -> OutcomeCounts {
            OutcomeCounts(exam.cases.lazy.filter { $0.kind == kind }.map(\.outcome))
        }
        let cells = [Case.Kind.must, .should].map { "\(counts($0).passed) of \(counts($0).judged)" }
        let others = exam.cases.count { $0.isNotForClient }
        let new = exam.cases.count { $0.isFailure }
        let failed = new + exam.cases.count { $0.outcome == "known" }
        return "| \(cell(exam.header.title)) | \(cells.joined(separator: " | ")) | \(counts(.observes).observed) | "
            + "\(others) | \(failed) | \(new) |"
    }

    private static func causes(of exam: ExamRecord) -> [String] {
        let causes = ExamCause.all(of: exam.cases)
        guard !causes.isEmpty else { return [] }
        let headline = RecordSummary(exam.cases).failureHeadline.map { ": \($0)" } ?? ""
        var lines = ["", "### \(cell(exam.header.client))\(headline)", ""]
        lines += ["| cases | new | cause | key | such as | upstream |", "|---|---|---|---|---|---|"]
        for cause in causes.prefix(mostCauses) {
            let upstream = cause.upstream.map { cell("\($0.text): \($0.says)") } ?? ""
            let words = "\(cell(cause.cause.sentence)) | `\(cell(cause.cause.key))`"
            let example = "`\(cell(cause.example.description))`"
            lines.append("| \(cause.cases.count) | \(cause.newCount) | \(words) | \(example) | \(upstream) |")
        }
        if causes.count > mostCauses { lines += ["", "And \(Plural.count(causes.count - mostCauses, "more cause"))."] }
        let unreported = causes.filter { $0.upstream?.state == .unreported }.map { "`\(cell($0.cause.key))`" }
        if !unreported.isEmpty {
            lines += ["", "Known, without an upstream report: \(unreported.joined(separator: ", "))"]
        }
        return lines
    }

    private static func unasked(of exam: ExamRecord) -> [String] {
        let unasked = UnaskedCases(exam)
        guard let headline = unasked.headline else { return [] }
        return ["", "### \(cell(exam.header.client)): \(headline)", ""] + unasked.lines.map { "- \(text($0))" }
    }

    private static func failures(of exam: ExamRecord) -> [String] {
        let failed = exam.cases.filter(\.isFailure)
        guard !failed.isEmpty else { return [] }
        var lines = [
            "", "### \(cell(exam.header.client)): failures that no ledger lists", "",
            "| outcome | kind | case | reason |",
        ]
        lines.append("|---|---|---|---|")
        for record in failed.prefix(mostFailures) {
            lines.append(
                "| \(record.outcome) | \(record.kind.rawValue) | `\(cell(record.id.description))` | \(cell(record.reason)) |"
            )
        }
        if failed.count > mostFailures { lines += ["", "And \(failed.count - mostFailures) more."] }
        return lines
    }

    /// A line that may hold a command, which is kept whole.
    private static func text(_ line: String) -> String { cell(line, limit: 1_000) }

    /// Text of a fixture or a client, in which characters of tables and of HTML are escaped.
    private static func cell(_ text: String, limit: Int = 300) -> String {
        EventText.printable(text, limit: limit).map { character in
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
