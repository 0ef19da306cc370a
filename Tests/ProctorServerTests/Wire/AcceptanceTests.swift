import ProctorGrading
import ProctorHTTP
import ProctorScenario
import ProctorServer
import ProctorTrace
import Testing

/// Origins that say themselves what they take of a request.
@Suite(.timeLimit(.minutes(5)))
struct AcceptanceTests {
    private func yaml(_ origin: String, facts: String = "wire.count: 1") -> String {
        """
        summary: takes what it says
        origins: { main: { \(origin) } }
        exchanges:
          - { request: "* \(origin.contains("accepts") ? "*" : "/*")", reply: { status: 200, body: ok } }
        cases:
          case: { client: { url: / }, facts: { \(facts) } }
        """
    }

    @Test func `a long Cookie is answered where the origin takes long lines, and refused where it does not`()
        async throws
    {
        let request = String.request("GET /", "Cookie: a=" + String(repeating: "x", count: 40 << 10))
        for (origin, status) in [("limits: { line: 50000 }", 200), ("{}", 431), ("accepts: anything", 431)] {
            let origin = origin == "{}" ? "role: server" : origin
            try await withRun(yaml(origin)) { run in
                let got = try await exchange(request, with: run.base)
                #expect(got.text.hasPrefix("HTTP/1.1 \(status) "), "\(origin)")
            }
        }
    }

    @Test(arguments: [
        ("limits: { line: 20 }", "GET /aaaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("limits: { line: 20 }", .request("GET /", "A: aaaaaaaaaaaaaaaaaaaaa"), 431),
        ("limits: { count: 1 }", .request("GET /", "A: b"), 431),
        ("limits: { fields: 64 }", .request("GET /", "A: " + String(repeating: "b", count: 60)), 431),
    ])
    func `a limit of its own is kept`(origin: String, request: String, status: Int) async throws {
        try await withRun(yaml(origin)) { run in
            let got = try await exchange(request, with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test(arguments: [
        ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "space-in-target"), ("GET / HTTP/1.1\r\n\r\n", "missing-host"),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", "bad-target"),
        ("GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", "missing-colon"),
    ])
    func `what can be read is answered by an exchange, journalled with its fault, and a failure unless it is wanted`(
        request: String, kind: String
    ) async throws {
        for (facts, outcome) in [
            ("wire.count: 1", WireVerdict.Outcome.fail), ("\"wire[0].violations\": [\(kind)]", .pass),
        ] {
            try await withRun(yaml("accepts: anything", facts: facts)) { run in
                let got = try await exchange(request, with: run.base)
                #expect(got.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
                await run.stop(grace: .seconds(30))
                let found = run.journal.snapshot().entries.compactMap { entry -> Violation? in
                    if case .violation(let violation) = entry.event { violation } else { nil }
                }
                #expect(found.map(\.kind.rawValue) == [kind])
                #expect(found.allSatisfy { $0.isReadOver && !$0.isFatal })
                #expect(run.journal.received.isEmpty)
                #expect(run.wireVerdict(of: run.scenario.cases[0]).outcome == outcome)
                // A file says the same.
                var bytes: [UInt8] = []
                for entry in run.journal.snapshot().entries { JournalEncoder().append(entry, to: &bytes) }
                let read = try JournalLines(bytes, file: "run.jsonl").entries
                #expect(WireGrader(run.scenario.cases[0]).grade(read).outcome == outcome)
            }
        }
    }

    @Test func `content that can't be read is answered by the exchange too, and ends the connection`() async throws {
        let request = String.request("PUT /", "Transfer-Encoding: chunked") + "zz\r\n" + .request("GET /")
        try await withRun(yaml("accepts: anything")) { run in
            let got = try await exchange(request, with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(got.text.ranges(of: "HTTP/1.1 ").count == 1)
            await run.stop(grace: .seconds(30))
            #expect(run.journal.lines.contains { $0.hasPrefix("c0 r0 violation bad-chunk-size") })
            #expect(run.journal.received.flatMap(\.kept) == Array(("zz\r\n" + .request("GET /")).utf8))
        }
    }

    @Test func `a scenario whose origin says so needs ports of its own`() throws {
        for (origin, reason) in [
            ("accepts: anything", "its origin accepts anything"),
            ("limits: { count: 3 }", "its origin has limits of its own"), ("accepts: readable", nil),
        ] {
            let yaml = """
                summary: takes what it says
                origins: { main: { \(origin) } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """
            #expect(try scenario(yaml).rootReason?.text == reason)
        }
    }
}
