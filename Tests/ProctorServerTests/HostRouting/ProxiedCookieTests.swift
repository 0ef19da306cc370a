import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorProgram

/// Cookies of clients that come by a proxy, as the journal judges them.
struct ProxiedCookieTests {
    private static let yaml = """
        summary: cookies of a host, of its domain, and for TLS alone
        origins:
          main: { host: home.example.org }
          sibling: { host: sibling.example.org }
          secure: { scheme: https, host: home.example.org }
          gate: { role: proxy }
        exchanges:
          - request: GET /set
            reply:
              status: 200
              headers: [{ Set-Cookie: "own=1; Path=/" }, { Set-Cookie: "all=2; Path=/; Domain=example.org" }]
              body: set
          - { request: GET /a, reply: { status: 200, body: home } }
          - { origin: sibling, request: GET /a, reply: { status: 200, body: sibling } }
          - origin: secure
            request: GET /set
            reply: { status: 200, headers: { Set-Cookie: "hidden=3; Path=/a; Secure" }, body: hidden }
          - { origin: secure, request: GET /a, reply: { status: 200, body: secure } }
        cases:
          walk: { kind: should, client: { url: /set }, cookies: conforming }
        """

    private struct Step {
        let url: String
        let content: String
        /// The Cookie field; nil: none is sent, and nothing is said of it.
        let cookie: String?
    }

    private static let steps = [
        Step(url: "http://home.example.org/set", content: "set", cookie: nil),
        Step(url: "http://home.example.org/a", content: "home", cookie: "own=1; all=2"),
        Step(url: "http://sibling.example.org/a", content: "sibling", cookie: "all=2"),
        Step(url: "https://home.example.org/set", content: "hidden", cookie: "own=1; all=2"),
        Step(url: "https://home.example.org/a", content: "secure", cookie: "hidden=3; own=1; all=2"),
        Step(url: "http://home.example.org/a", content: "home", cookie: "own=1; all=2"),
    ]

    enum Way: String, Sendable, CaseIterable {
        /// By the proxy that leads to all names.
        case door
        /// By a proxy of the scenario, which hands on.
        case gate
        /// To the address of each.
        case addresses
    }

    private static func proxy(_ way: Way, _ run: Run) throws -> String {
        way == .door ? "http://\(try #require(run.namesProxy))" : try #require(run.origin("gate"))
    }

    /// What curl is told of the way.
    private static func words(_ way: Way, _ run: Run) throws -> [String] {
        guard way == .addresses else { return ["-x", try proxy(way, run)] }
        return run.names.flatMap { ["--connect-to", "\($0.name):\($0.port):\($0.address)"] }
    }

    /// What was sent, what the model said of it, and what the case says of both.
    private static func check(_ run: Run) throws {
        let heads = run.journal.snapshot().entries.compactMap { entry -> RequestHead? in
            if case .requestHead(let head, _) = entry.event { head } else { nil }
        }
        let cookies = heads.filter { $0.method != "CONNECT" }.map { head in
            head.fields.first(named: "Cookie").map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(cookies == steps.map(\.cookie))
        // The tunnel's own request has none.
        #expect(heads.allSatisfy { $0.method != "CONNECT" || !$0.fields.contains(named: "Cookie") })
        let verdicts = run.journal.cookieVerdicts
        #expect(verdicts.map(\.expected) == steps.compactMap(\.cookie).map { Array($0.utf8) })
        #expect(verdicts.allSatisfy { $0.differences.isEmpty && $0.conformsTo.count == 2 }, "\(verdicts)")
        #expect(run.journal.cookieNotes.map(\.outcome) == [.stored, .stored, .stored])
        let verdict = run.wireVerdict(of: try run.scenario.case(named: "walk"))
        // The cookies are right; the end of the load was not reported.
        #expect(verdict.outcome == .partly, "\(verdict)")
        let states = verdict.claims.map { "\($0.claim.subject.rawValue) \($0.state.word)" }
        #expect(states == ["request held", "reply not-judged"])
    }

    @Test(arguments: Way.allCases)
    func `curl is judged alike by every way`(_ way: Way) async throws {
        try await withRun(Self.yaml) { run in
            let options = [
                "-q", "-sS", "-w", "\n", "-b", "", "--max-time", "120", "--noproxy", way == .addresses ? "*" : "",
                "--cacert", try #require(run.trust),
            ]
            let outcome = try await ChildProcess.run(
                [Tools.curl] + options + (try Self.words(way, run)) + Self.steps.map(\.url))
            #expect(outcome.out.split(separator: "\n").map(String.init) == Self.steps.map(\.content), "\(outcome.err)")
            try Self.check(run)
        }
    }

    @Test(arguments: [Way.door, .gate])
    func `a jar of Python's is judged alike by both proxies`(_ way: Way) async throws {
        try await withRun(Self.yaml) { run in
            let outcome = try await ChildProcess.run(
                Tools.script(
                    "proxied_cookies.py",
                    [try Self.proxy(way, run), try #require(run.trust)] + Self.steps.map(\.url)))
            #expect(
                outcome.out.split(separator: "\n").map(String.init) == Self.steps.map { "200 \($0.content)" },
                "\(outcome.err)")
            try Self.check(run)
        }
    }

    /// Cookies that a client must not send so, by a proxy.
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let host: String
        let cookie: String
        let kinds: [CookieDifference.Kind]

        var testDescription: String { "\(line), Cookie: \(cookie)" }
    }

    private static let rows = [
        // The host's own cookie is none of its sibling's, whatever Host says.
        Row(
            line: "GET http://sibling.example.org/a", host: "home.example.org", cookie: "all=2; own=1",
            kinds: [.wrongHost]),
        Row(line: "GET http://home.example.org/a", host: "home.example.org", cookie: "all=2", kinds: [.missing]),
        Row(line: "GET http://home.example.org/a", host: "home.example.org", cookie: "own=1; all=2", kinds: []),
    ]

    @Test(arguments: rows)
    func `a cookie is judged by the host of the target`(_ row: Row) async throws {
        for way in [Way.door, .gate] {
            try await withRun(Self.yaml) { run in
                let replies = try await talk(to: try Self.proxy(way, run)) { wire in
                    [
                        try wire.ask("GET http://home.example.org/set", host: "home.example.org"),
                        try wire.ask(row.line, host: row.host, "Cookie: \(row.cookie)"),
                    ]
                }
                #expect(replies.map(\.status) == [200, 200], "\(replies)")
                let verdicts = run.journal.cookieVerdicts
                #expect(verdicts.map { $0.differences.map(\.kind) } == [row.kinds], "\(way): \(verdicts)")
            }
        }
    }
}
