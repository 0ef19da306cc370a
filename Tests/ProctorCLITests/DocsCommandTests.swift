import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

/// The book in a terminal, on a server and in a folder.
@Suite(.limit(minutes: 5))
struct DocsCommandTests {
    private static func lines(_ outcome: Child.Outcome) -> [String] {
        outcome.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `the pages are listed by part`() async throws {
        let outcome = try await Child.run(["docs", "--list"])
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        let lines = Self.lines(outcome)
        #expect(lines.first == "Start")
        #expect(lines.contains { $0.hasPrefix("  format/replies ") && $0.hasSuffix(" Replies") })
        #expect(lines.contains { $0.hasPrefix("  judging/rules-r1 ") })
    }

    @Test(arguments: Extent.of(["replies", "format/replies", "Replies"], stride: 3))
    func `a page is printed as text`(word: String) async throws {
        let outcome = try await Child.run(["docs", word])
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(outcome.out.hasPrefix("Replies\n=======\n\n"))
        // Tables that are wider than the terminal become paragraphs.
        #expect(outcome.out.contains("\n`status`\n    takes: 100 … 999, like `404`\n"))
        #expect(!outcome.out.contains("\u{1B}"))
        let wide = try await Child.run(["docs", word, "--width", "400", "--color", "always"])
        #expect(wide.out.hasPrefix("\u{1B}[1mReplies\u{1B}[0m\n"))
        #expect(wide.out.split(separator: "\n").count < outcome.out.split(separator: "\n").count)
    }

    @Test func `a section is printed alone`() async throws {
        let outcome = try await Child.run(["docs", "judging/verdicts#kinds"])
        #expect(outcome.status == 0 && outcome.out.hasPrefix("Kinds\n\n- `must`"))
        let wrong = try await Self.installed().run(["docs", "judging/verdicts#nowhere-zzzz"])
        #expect(wrong.status == 1 && wrong.out.isEmpty)
    }

    @Test func `words find pages, rules and scenarios, and say how each is read`() async throws {
        let proctor = try Self.installed()
        let outcome = try await proctor.run(["docs", "why", "R12"])
        let lines = Self.lines(outcome)
        #expect(outcome.status == 0 && lines[0] == "R12  (Judging › Rules R1 to R20)")
        #expect(lines[1] == "    proctor docs judging/rules-r1#r12-challenge-instead-of-response")
        #expect(lines[2] == "    challenge instead of response")
        let scenario = try await proctor.run(["docs", "302-post-becomes-get"])
        #expect(scenario.out.contains("redirect/302-post-becomes-get  (Scenarios)\n    proctor explain redirect/302-"))
        let few = try await proctor.run(["docs", "exchange"])
        let all = try await proctor.run(["docs", "exchange", "--all"])
        #expect(all.out.count > few.out.count && all.out.hasPrefix(few.out.prefix(200)))
        let none = try await proctor.run(["docs", "zzzz"])
        #expect(none.status == 1 && none.out.isEmpty)
        #expect(none.err.hasPrefix("proctor: the book has nothing about 'zzzz'"))
    }

    @Test(arguments: [["--list", "x"], ["--site", "a", "x"], ["--width", "9", "replies"], ["--lsit"]])
    func `what cannot be meant is refused`(arguments: [String]) async throws {
        let outcome = try await Child.run(["docs"] + arguments)
        #expect(outcome.status == 2 && outcome.out.isEmpty, "\(outcome.out)\(outcome.err)")
    }

    @Test func `a server that runs has the book, and without one it is served until a signal`() async throws {
        let folder = try TestFolder(["fixtures/x.yaml": Self.fixture])
        let serving = try ServingChild(folder)
        let there = try await Child.run(["docs", "--server", serving.base])
        #expect(there.status == 0 && there.out == "\(serving.base)/__proctor/ui/docs\n")
        let found = try await curl("\(serving.base)/__proctor/docs?q=R12")
        let hits = try JSONSerialization.jsonObject(with: Data(found.output)) as? [String: [[String: String]]]
        #expect(
            hits?["hits"]?.first?["address"]
                == "/__proctor/ui/docs/judging/rules-r1#r12-challenge-instead-of-response")
        let base = serving.base
        #expect(try serving.end() == 0)
        let child = try ChildProcess([Child.binary, "docs", "--server", base])
        try wait(for: "the address") { child.out.contains("\n") }
        #expect(child.out.hasPrefix("http://proctor.localhost:") && child.out.hasSuffix("/__proctor/ui/docs\n"))
        child.send(signal: SIGTERM)
        #expect(try child.waitUntilExit() == 0)
    }

    @Test func `a folder gets the book, and nothing of others is overwritten`() async throws {
        let folder = try TestFolder(["mine/x": "mine"])
        let refused = try await Child.run(["docs", "--site", "mine"], in: folder)
        #expect(refused.status == 1 && refused.err.contains("has other files and no book"))
        for _ in 0..<2 {
            let outcome = try await Child.run(["docs", "--site", "site"], in: folder)
            #expect(outcome.status == 0 && outcome.out.hasSuffix("open site/index.html\n"), "\(outcome.err)")
        }
        let page = try String(contentsOfFile: "\(folder.path)/site/format/replies.html", encoding: .utf8)
        #expect(page.contains("<h1 id=\"replies\">Replies</h1>") && page.contains("src=\"../book.js\""))
    }

    private static func installed() throws -> Installation {
        try Installation(fixtures: ["redirect/302-post-becomes-get.yaml"])
    }

    private static let fixture = "summary: x\nexchanges: [{ request: GET /, reply: 200 }]\n"
}
