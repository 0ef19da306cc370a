import ProctorBase
import ProctorEvents
import ProctorFixtures
import ProctorMarkdown
import ProctorRules
import ProctorTestSupport
import Testing

@testable import ProctorBook

/// Where the pages lead from what they name.
struct BookTopicTests {
    @Test func `every chapter that pages lead to is there`() async throws {
        let book = try await SampleBook.shipped()
        for chapter in Set(BookTopics.all) {
            let parts = chapter.split(separator: "#", maxSplits: 1).map(String.init)
            let page = try #require(book.page(at: parts[0]), "\(chapter)")
            if parts.count > 1 { #expect(page.markdown.anchors.contains(parts[1]), "\(chapter)") }
        }
    }

    @Test func `every rule and every outcome has a chapter`() async throws {
        for rule in Rules.all { #expect(BookTopics.chapter(of: rule.number) != nil, "\(rule.number)") }
        #expect(BookTopics.chapter(about: "R12") == "judging/rules-r1#r12-challenge-instead-of-response")
        let book = try await SampleBook.shipped()
        let page = try #require(book.page(at: "judging/verdicts")).markdown
        let section = try #require(page.section(at: "outcomes"))
        var words: Set<String> = []
        for case .table(head: _, rows: let rows) in section.blocks.prefix(2) {
            words = Set(rows.map { $0[0].plainText })
        }
        #expect(words == BookTopics.outcomeWords)
        for word in words { #expect(BookTopics.chapter(about: word) == BookTopics.outcomes) }
        #expect(BookTopics.chapter(about: "R0") == nil && BookTopics.chapter(about: "<b>") == nil)
    }

    @Test func `rules of a heading are marked where the text has marks`() async throws {
        let book = try await SampleBook.shipped()
        for rule in Rules.all {
            let chapter = try #require(BookTopics.chapter(of: rule.number)).split(separator: "#").map(String.init)
            let section = try #require(book.page(at: chapter[0])?.markdown.section(at: chapter[1]), "\(rule.number)")
            let text = section.blocks.map(\.plainText).joined(separator: "\n")
            #expect(text.contains(rule.title) && text.contains(rule.statement), "\(text)")
        }
    }

    private static let fixture = """
        summary: x
        guards:
          lab: { scheme: basic }
        exchanges:
          - request:
              path: /
              headers: { A: b }
            reply:
              status: 200
              body: [ a, { wait: 1s } ]
          - { request: GET /, reply: 200 }
        cases:
          get:
            client: { url: / }
            facts: { status: 200 }
        origins:
          main: { certificate: expired }
        """

    @Test(arguments: [
        (1, 10, "format/file"), (3, 8, "format/guards"), (6, 13, "format/requests"), (7, 21, "format/conditions"),
        (9, 15, "format/replies"), (10, 15, "format/bodies"), (11, 16, "format/requests"), (11, 30, "format/replies"),
        (14, 15, "format/client"), (15, 14, "format/facts"), (0, 0, "format/file"),
        (17, 25, "format/certificates"), (17, 9, "format/origins"),
    ])
    func `a message leads to the chapter about the place of the file`(line: Int, column: Int, chapter: String) {
        let place = SourceLocation(file: "x.yaml", line: line, column: column)
        #expect(MessageChapters.chapter(at: place, in: Array(Self.fixture.utf8)) == chapter)
    }

    @Test func `a file that is no YAML leads to the chapter about files`() {
        let place = SourceLocation(file: "x.yaml", line: 1, column: 1)
        #expect(MessageChapters.chapter(at: place, in: Array("a: [".utf8)) == "format/file")
        #expect(MessageChapters.chapter(at: place, in: []) == "format/file")
    }
}
