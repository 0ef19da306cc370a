import Foundation
import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// What comparing one request with many exchanges may cost.
struct ComparisonTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The keys of the request of exchange `N`.
        let keys: @Sendable (Int) -> String
        let request: String
    }

    private static let path = "/" + String(repeating: "a", count: 6_000)
    private static let list = "[" + Array(repeating: "[0,0,0,0]", count: 2_000).joined(separator: ",") + "]"

    /// Each costs far more than a budget, and none is bounded by itself.
    static let rows: [Row] = [
        Row(
            testDescription: "paths", keys: { "method: GET, path: { matches: '/(a+)+b\($0)' }" },
            request: .request("GET \(path)")),
        Row(
            testDescription: "queries", keys: { "method: GET, path: /, query: { q: { matches: '(a+)+b\($0)' } }" },
            request: .request("GET /?q=\(path.dropFirst())")),
        Row(
            testDescription: "fields", keys: { "method: GET, path: /, headers: { X: { matches: '(a+)+b\($0)' } }" },
            request: .request("GET /", "X: \(path.dropFirst())")),
        Row(
            testDescription: "cookies", keys: { "method: GET, path: /, cookies: { c: { matches: '(a+)+b\($0)' } }" },
            request: .request("GET /", "Cookie: c=\(path.dropFirst())")),
        Row(
            testDescription: "captures",
            keys: { "method: GET, path: '/{p}', where: { p: { matches: '(a+)+b\($0)' } }" },
            request: .request("GET \(path)")),
        Row(
            testDescription: "alternatives",
            keys: { "method: GET, path: '/*', any of: [{ headers: { X: { matches: '(a+)+b\($0)' } } }]" },
            request: .request("GET /", "X: \(path.dropFirst())")),
        Row(
            testDescription: "content", keys: { "method: POST, path: /, body: { matches: '(a+)+b\($0)' }" },
            request: .request("POST /", "Content-Length: 6000") + path.dropFirst()),
        Row(
            testDescription: "content of which each step reads all",
            keys: { "method: POST, path: /, body: { matches: '(?:a*+b\($0)|a)*' }" },
            request: .request("POST /", "Content-Length: 100000") + String(repeating: "a", count: 100_000)),
        Row(
            testDescription: "content that begins as a long text again and again",
            keys: { "method: POST, path: /, body: { contains: '\(String(repeating: "a", count: 500))b\($0)c' }" },
            request: .request("POST /", "Content-Length: 100000") + String(repeating: "a", count: 100_000)),
        Row(
            testDescription: "JSON",
            keys: { "method: POST, path: /, json: { contains: { unordered: [[0, 0, 0, \($0 + 1)], [0, 0, 0, 1]] } }" },
            request: .request("POST /", "Content-Length: \(list.utf8.count)") + list),
    ]

    private func compiled(_ row: Row, count: Int) throws -> CompiledScenario {
        let exchanges = (0..<count).map { "  - { request: { \(row.keys($0)) }, reply: { status: 200 } }" }
        return CompiledScenario(
            try scenario("summary: many\nexchanges:\n" + exchanges.joined(separator: "\n")), checkHashes: { _ in })
    }

    private func view(_ row: Row, _ comparison: Comparison) throws -> RequestView {
        let parsed = try RequestView(parsing: row.request)
        let decoding = DecodedBody(parsed.head, body: parsed.body, gap: nil) { nil }
        return RequestView(
            head: parsed.head, target: parsed.head.target, body: parsed.body, decoding: decoding,
            comparison: comparison)
    }

    @Test(arguments: rows)
    func `a loop spends its share, a thread the budget, and then nothing more`(_ row: Row) throws {
        let compiled = try compiled(row, count: 100)
        // A busy machine would reach the usual second before the steps.
        let comparison = Comparison(loopStepLimit: 1_000, stepLimit: 20_000, timeLimit: .seconds(600))
        let request = try view(row, comparison)
        #expect(compiled.comparison(for: request.head) != nil)
        #expect(!compiled.compareWithinShare(request, origin: 0, headsAlone: false))
        // The last step counted may stand for what one value costs to read.
        #expect(comparison.budget.stepCount <= 1_000 + row.request.utf8.count)
        #expect(comparison.spent == nil)

        comparison.startBudget(endedBy: CancelFlag())
        compiled.compareRest(request, origin: 0, headsAlone: false)
        #expect(comparison.spent == .steps(limit: 20_000))
        let count = comparison.budget.stepCount
        #expect(count <= 20_000 + row.request.utf8.count)
        #expect(compiled.exchanges[99].verdict(on: request) == .undecided)
        #expect(!compiled.compare(request, origin: 0, headsAlone: false))
        #expect(comparison.budget.stepCount == count)
        // The next request is not begun on the loop.
        #expect(!compiled.compareWithinShare(try view(row, Comparison()), origin: 0, headsAlone: false))
    }

    @Test(arguments: rows)
    func `the nearest exchange is looked for within a budget, and what was not looked at is said`(_ row: Row) throws {
        let compiled = try compiled(row, count: 100)
        let comparison = Comparison(loopStepLimit: 20_000)
        let miss = NearestExchange(request: try view(row, comparison), origin: 0).miss(
            in: compiled, isUsedUp: { _ in false }, next: nil)
        // Only the first one was compared, and it is not near in every row.
        #expect([nil, 0].contains(miss.nearestExchange))
        #expect(
            miss.differences.last
                == "nearest: some exchanges were not looked at, for it takes more than 20000 steps, which is the bound"
        )
        #expect(comparison.budget.stepCount <= 20_000 + 5 * row.request.utf8.count)
    }

    @Test func `scripts are asked about one request until their time is over, and those behind are undecided`() throws {
        let compiled = CompiledScenario(
            try scenario(
                """
                summary: scripts
                exchanges:
                  - { request: { method: GET, path: /, script: return false }, reply: { status: 200 } }
                  - { request: { method: GET, path: /, script: return true }, reply: { status: 201 } }
                """))
        for (limit, verdicts) in [
            (Duration.zero, [Verdict.undecided, .holds]), (.seconds(1_000), [.fails, .fails]),
        ] {
            let comparison = Comparison(scriptTimeLimit: limit)
            var askedCount = 0
            let parsed = try RequestView(parsing: .request("GET /"))
            let request = RequestView(head: parsed.head, target: parsed.head.target, body: [], comparison: comparison)
                .asking { _, _ in
                    askedCount += 1
                    return .success(false)
                }
            #expect(compiled.compare(request, origin: 0, headsAlone: false))
            compiled.prepare(request, origin: 0)
            #expect(compiled.exchanges.map { $0.verdict(on: request) } == verdicts)
            #expect(askedCount == (limit == .zero ? 0 : 2))
            #expect(comparison.spent == (limit == .zero ? .time(limit: .zero) : nil))
        }
    }

    @Test func `a caller that has gone ends the comparison`() throws {
        let compiled = try compiled(Self.rows[0], count: 100)
        let comparison = Comparison()
        let flag = CancelFlag()
        comparison.startBudget(endedBy: flag)
        flag.set()
        compiled.compareRest(try view(Self.rows[0], comparison), origin: 0, headsAlone: false)
        #expect(comparison.spent == .cancelled)
    }

    @Test func `exchanges behind one that answers everything it matches are not compared`() throws {
        let compiled = CompiledScenario(
            try scenario(
                """
                summary: two
                exchanges:
                  - { request: { method: GET, path: { matches: "/a+" } }, reply: { status: 200 }, times: 1 }
                  - { request: { method: GET, path: { matches: "/[a]+" } }, reply: { status: 200 } }
                  - { request: { method: GET, path: { matches: "/(a+)+b" } }, reply: { status: 200 } }
                """))
        let comparison = Comparison()
        let request = try view(Self.rows[0], comparison)
        comparison.startBudget(endedBy: CancelFlag())
        #expect(compiled.compare(request, origin: 0, headsAlone: false))
        #expect(compiled.exchanges.map { $0.verdict(on: request) } == [.holds, .holds, .undecided])
    }

    @Test func `the page and the journal name the bound, and short requests are answered as ever`() async throws {
        let exchanges = (0..<300).map { "  - { request: { \(Self.rows[0].keys($0)) }, reply: { status: 200 } }" }
        let yaml = "summary: many\nexchanges:\n" + exchanges.joined(separator: "\n")
        try await withRun(yaml) { run in
            let long = try await exchange(Self.rows[0].request, with: run.base)
            #expect(long.text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(long.text.contains("patterns: no answer from this exchange on"))
            #expect(long.text.contains(", which is the bound; have fewer exchanges with long patterns"))
            let short = try await exchange(.request("GET /aab299"), with: run.base)
            #expect(short.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(lines.contains { $0.hasPrefix("c0 r0 missed, nearest ") }, "\(lines)")
        }
    }

    @Test func `a head that is long for many plain patterns has a budget too, and a short one needs none`() throws {
        let exchanges = (0..<1_000).map { "  - { request: 'GET /*x*y*z*q\($0)q', reply: { status: 200 } }" }
        let compiled = CompiledScenario(
            try scenario("summary: plain\nexchanges:\n" + exchanges.joined(separator: "\n")))
        #expect(compiled.comparison(for: try RequestView(parsing: .request("GET /")).head) == nil)
        let long = try RequestView(parsing: .request("GET /" + String(repeating: "x", count: 4_000)))
        #expect(compiled.comparison(for: long.head) != nil)
    }

    /// So that the stage's lock is not held while the disk is asked.
    @Test func `files are read before an exchange is chosen, and once`() throws {
        let folder = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("abc".utf8).write(to: URL(fileURLWithPath: "\(folder)/a.txt"))
        let yaml = """
            summary: a file
            exchanges:
              - { request: { method: POST, path: /, body: { file: a.txt } }, reply: { status: 200 } }
            """
        let compiled = CompiledScenario(try scenario(yaml, folder: folder))
        let parsed = try RequestView(parsing: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
        let body = Array("abc".utf8)
        let request = RequestView(
            head: parsed.head, target: parsed.target, body: body,
            decoding: DecodedBody(parsed.head, body: body, gap: nil) { nil })
        compiled.prepare(request, origin: 0)
        try FileManager.default.removeItem(atPath: "\(folder)/a.txt")
        #expect(compiled.exchanges[0].verdict(on: request) == .holds)
    }
}
