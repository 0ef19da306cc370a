import Foundation
import ProctorEvents
import ProctorRules
import Testing

/// Docs/judging/rules-r1.md, rules-r21.md and rules-r46.md are written from the catalogue of rules.
struct RuleChapterTests {
    private struct Page: Sendable {
        let subject: String
        let numbers: ClosedRange<Int>

        var name: String { "rules-r\(numbers.lowerBound)" }
        var title: String { "Rules R\(numbers.lowerBound) to R\(numbers.upperBound)" }
    }

    private static let pages = [
        Page(subject: "the phases of a load, redirects and challenges", numbers: 1...20),
        Page(subject: "bodies of requests, responses, downloads and ends", numbers: 21...45),
        Page(
            subject: "threads, URLProtocol objects, single interfaces, delegates, event sources and sequences",
            numbers: 46...75),
    ]

    /// `PROCTOR_RECORD=rules make test ARGS="--filter RuleChapterTests"` writes the pages anew.
    private static let isRecording = ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "rules"

    @Test(arguments: pages.indices) func `a page has its rules as the catalogue has them`(index: Int) throws {
        let page = Self.pages[index]
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/judging/\(page.name).md").standardized
        let wanted = Self.text(of: page)
        if Self.isRecording { try Data(wanted.utf8).write(to: path) }
        #expect(try String(contentsOf: path, encoding: .utf8) == wanted, "record the page again")
    }

    @Test func `every rule stands on one page`() {
        let numbers = Self.pages.flatMap(\.numbers)
        #expect(numbers == Rules.all.map(\.number.value))
    }

    private static func text(of page: Page) -> String {
        let others = pages.filter { $0.name != page.name }.map { "[\($0.title)](\($0.name).md)" }
            .joined(separator: " and ")
        let rules = Rules.all.filter { page.numbers.contains($0.number.value) }
        return """
            # \(page.title)

            This page has the rules of callback order about \(page.subject). They are judged in every case, and in
            every log, without being asked for; `proctor explain R\(page.numbers.lowerBound)` prints one. \(others) have the others.

            *Documented* is what a document of Apple's or a header says, and *sample code* what samples and existing loaders show; a breach of either is a
            failure. *Inferred* is our own conclusion; a breach is an observation, until a platform makes it a failure. Examples are in the [notation of
            expressions](../format/expressions.md), and [Traces](traces.md#families) has the families.


            """ + rules.map { section(of: $0) }.joined(separator: "\n")
    }

    private static func section(of rule: Rule) -> String {
        let confidence =
            switch rule.confidence {
            case .documented: "documented"
            case .sample: "sample code"
            case .inferred: "inferred"
            }
        var lines = ["## \(rule.number) \(rule.title)", "", escaped(rule.statement), ""]
        lines += ["- Source: \(escaped(rule.source)) (\(confidence))."]
        lines += ["- Holds for \(rule.families.map { "`\($0.rawValue)`" }.joined(separator: ", "))."]
        if !rule.legal.isEmpty { lines += ["- Legal: `\(rule.legal)`"] }
        if !rule.illegal.isEmpty { lines += ["- Illegal: `\(rule.illegal)`"] }
        if let limits = rule.limits { lines += ["- Limits: \(escaped(limits))."] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("<", with: "&lt;").replacing("*", with: "\\*").replacing("_", with: "\\_")
    }
}
