import ProctorFixtures
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorBook

struct BookSearchTests {
    private static let small = Result { BookSearch(try SampleBook.book()) }
    private static let shipped = Task { BookSearch(try await SampleBook.shipped()) }

    struct Row: CustomTestStringConvertible {
        let typed: String
        /// What the first hits lead to.
        let targets: [String]
        var testDescription: String { typed }
    }

    @Test(arguments: [
        Row(typed: "install", targets: ["start/install"]),
        Row(typed: "SLOW", targets: ["cookbook/slow#a-slow-start", "cookbook/slow"]),
        Row(typed: "how do I install it?", targets: ["start/install"]),
        Row(typed: "won", targets: ["judging/marks#first"]),
        // Words of the middle of a word are not meant: `all` is in "installed" and in "stalls".
        Row(typed: "alls", targets: []),
        Row(typed: "R12", targets: ["judging/rules-r1#r12-challenge-instead-of-response"]),
        // No entry has all of it.
        Row(typed: "lost unheard", targets: ["judging/marks#first"]),
        Row(typed: "unheard unseen lost", targets: []),
        Row(typed: "", targets: []), Row(typed: "  ?! ", targets: []),
    ])
    func `what fits best comes first`(row: Row) throws {
        let hits = try Self.small.get().find(row.typed)
        #expect(Array(hits.map(\.target).prefix(row.targets.count)) == row.targets, "\(hits)")
        if row.targets.isEmpty { #expect(hits.isEmpty) }
    }

    @Test func `a hit says what it is and where it stands`() throws {
        let search = try Self.small.get()
        #expect(
            search.find("lost").first
                == BookHit(
                    kind: .word, title: "lost", place: "Judging › Marks › First",
                    line: "nothing came back in the time that it had", target: "judging/marks#first"))
        let rule = try #require(search.find("r12").first)
        #expect(rule.kind == .rule && rule.title == "R12" && rule.line == "challenge instead of response")
        #expect(search.find("slow", limit: 1).count == 1)
    }

    @Test func `scenarios stand behind all else, five of them`() throws {
        let scenarios = try (1...7).map { number in
            let text = "summary: A stall\nexchanges: [ { request: GET /, reply: { status: 200 } } ]\n"
            let (scenario, _) = ScenarioLoader.parse(Array(text.utf8), id: "x/\(number)", file: "x.yaml")
            return try #require(scenario)
        }
        let hits = try Self.small.get().find("stall", scenarios: ScenarioSearch(scenarios))
        #expect(hits.suffix(5).map(\.target) == ["x/1", "x/2", "x/3", "x/4", "x/5"])
        #expect(hits.dropLast(5).allSatisfy { $0.kind != .scenario } && hits.count > 5)
    }

    /// What a newcomer types, and a page of which one must be among the first three hits.
    struct Question: CustomTestStringConvertible {
        let typed: String
        let chapters: [String]
        var testDescription: String { typed }
    }

    @Test(arguments: [
        Question(typed: "timeout", chapters: ["cookbook/timeouts"]),
        Question(typed: "my client hangs", chapters: ["cookbook/timeouts", "cookbook/connections"]),
        Question(typed: "cookie not sent", chapters: ["cookbook/cookies"]),
        Question(typed: "self signed", chapters: ["cookbook/tls"]),
        Question(typed: "redirect post", chapters: ["cookbook/redirects"]),
        Question(typed: "proxy auth", chapters: ["cookbook/proxies"]),
        Question(typed: "gzip", chapters: ["cookbook/bodies"]),
        Question(typed: "flaky", chapters: ["cookbook/retries"]),
        Question(typed: "resume download", chapters: ["cookbook/downloads"]),
        Question(typed: "http2 goaway", chapters: ["cookbook/http2"]),
    ])
    func `a newcomer's question leads to the right page in the first three hits`(question: Question) async throws {
        let hits = try await Self.shipped.value.find(question.typed).prefix(3)
        let pages = hits.map { $0.target.prefix { $0 != "#" } }
        #expect(
            pages.contains { page in question.chapters.contains { page == $0 } },
            "\(hits.map { "\($0.target) \($0.title)" })")
    }
}
