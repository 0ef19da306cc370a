import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Requests that are not HTTP as it should be, over the socket.
struct MalformedTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let request: String
        let kind: String
        let offset: Int
        let status: Int
        var testDescription: String { "\(kind): \(request.debugDescription.prefix(60))" }
    }

    static let refused: [Row] = [
        Row(request: "GET / HTTP/1.1\r\n\r\n", kind: "missing-host", offset: 16, status: 400),
        Row(request: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", kind: "duplicate-host", offset: 25, status: 400),
        Row(request: "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", kind: "bad-host", offset: 22, status: 400),
        Row(request: "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n", kind: "bad-method", offset: 2, status: 400),
        Row(request: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", kind: "unsupported-version", offset: 6, status: 505),
        Row(request: "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", kind: "missing-colon", offset: 25, status: 400),
        Row(
            request: "GET / HTTP/1.1\r\nHost: a\r\nA: \0\r\n\r\n", kind: "nul-in-field-value", offset: 28, status: 400),
        Row(
            request: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\n", kind: "differing-content-lengths",
            offset: 44, status: 400),
        Row(
            request: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", kind: "bad-content-length", offset: 41,
            status: 400),
        Row(
            request: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: br, chunked\r\n\r\n",
            kind: "unsupported-transfer-coding", offset: 44, status: 501),
        Row(
            request: "GET /\(String(repeating: "a", count: 8_300)) HTTP/1.1\r\nHost: a\r\n\r\n",
            kind: "target-too-long", offset: 8_196, status: 414),
        Row(
            request: "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
            kind: "request-line-too-long", offset: 8_480, status: 414),
        Row(
            request: .request("GET /", "A: " + String(repeating: "a", count: 40_000)), kind: "field-line-too-long",
            offset: 32_793, status: 431),
        Row(request: "\u{16}\u{3}\u{1}", kind: "tls-handshake", offset: 0, status: 400),
    ]

    @Test(arguments: refused)
    func `what can't be read is refused with the reason, and the connection ends`(_ row: Row) async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let got = try await exchange(row.request, with: run.base)
            #expect(got.ending == .closed)
            #expect(got.text.hasPrefix("HTTP/1.1 \(row.status) "))
            #expect(got.text.contains("Connection: close\r\n"))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines == [
                    "c0 opened main", "c0 violation \(row.kind) at \(row.offset)", "c0 closed by server: refused",
                ])
            // The reply says what the journal says.
            let sentence = run.journal.snapshot().entries.compactMap { entry in
                if case .violation(let violation) = entry.event { violation.sentence } else { nil }
            }
            #expect(got.text.contains("\(row.kind) at byte \(row.offset) of the request\n\(sentence[0])\n"))
        }
    }

    static let readable: [Row] = [
        Row(request: "GET / HTTP/1.1\nHost: a\n\n", kind: "bare-lf", offset: 14, status: 200),
        Row(request: "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n", kind: "obs-fold", offset: 31, status: 200),
        Row(request: "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", kind: "fragment-in-target", offset: 6, status: 200),
        Row(request: "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", kind: "bad-percent-escape", offset: 5, status: 200),
        Row(
            request: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\nab", kind: "duplicate-content-length",
            offset: 44, status: 200),
    ]

    @Test(arguments: readable)
    func `what can be read is answered, and its violation journalled`(_ row: Row) async throws {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let got = try await exchange(row.request, with: run.base)
            #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 violation \(row.kind) at \(row.offset)"))
            #expect(lines.contains("c0 r0 sent 200 40"))
        }
    }

    @Test func `a length beside a transfer coding is read by the coding, and the connection ends`() async throws {
        let request = String.request("PUT /", "Content-Length: 3", "Transfer-Encoding: chunked")
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let got = try await exchange(request + "2\r\nab\r\n0\r\n\r\n" + .request("GET /evil"), with: run.base)
            #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 violation content-length-with-transfer-encoding at 25"))
            #expect(lines.contains("c0 r0 body 2 complete"))
            #expect(lines.last == "c0 closed by server: closed")
        }
    }

    @Test func `a body that can't be read is refused in place of the reply`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let request = String.request("PUT /", "Transfer-Encoding: chunked") + "2\r\nab\r\nxyz\r\n"
            let got = try await exchange(request, with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(got.text.contains("Connection: close\r\n"))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.hasPrefix("c0 r0 violation bad-chunk-size at ") })
            #expect(lines.suffix(2) == ["c0 r0 body 2 cut", "c0 closed by server: refused"])
        }
    }

    @Test func `a body that turns out bad after the reply ends the connection without a second reply`() async throws {
        let yaml = """
            summary: early
            exchanges: [ { request: PUT /, reads: none, reply: { status: 200, body: ok } } ]
            """
        try await withRun(yaml) { run in
            let got = try await exchange(
                .request("PUT /", "Transfer-Encoding: chunked") + "zz\r\n", with: run.base)
            #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.hasPrefix("c0 r0 violation bad-chunk-size at ") })
            #expect(lines.last == "c0 closed by server: refused")
        }
    }

    @Test func `a request that follows a refused one is not answered`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let got = try await exchange("GET / HTTP/1.1\r\n\r\n" + .request("GET /"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 400 ") && !got.text.contains("HTTP/1.1 200 "))
        }
    }

    @Test func `requests that come byte by byte are read the same`() async throws {
        let request =
            "\r\nPUT /x HTTP/1.1\r\nHost: a\r\nA: b\nTransfer-Encoding: chunked\r\n\r\n2;e=f\r\nab\r\n0\r\nT: t\r\n\r\n"
        let whole = try await journal(of: [request])
        let bytes = request.utf8.map { String(Unicode.Scalar($0)) }
        #expect(try await journal(of: bytes) == whole)
        #expect(whole.contains("c0 r0 violation bare-lf at 32"))
        for cut in stride(from: 1, to: bytes.count, by: 7) {
            #expect(try await journal(of: [bytes[..<cut].joined(), bytes[cut...].joined()]) == whole)
        }
    }

    private func journal(of pieces: [String]) async throws -> [String] {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            try await talk(to: run.base) { wire in
                for piece in pieces { try wire.send(piece) }
                wire.finish()
                _ = try wire.readToEnd()
            }
            return try await run.journal.lines(untilClosed: 1)
        }
    }
}

/// Origins that say themselves what they take of a request.
@Suite(.limit(minutes: 5))
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
                await run.stop(grace: Patience.whole)
                let found = run.journal.snapshot().entries.compactMap { entry -> Violation? in
                    if case .violation(let violation) = entry.event { violation } else { nil }
                }
                #expect(found.map(\.kind.rawValue) == [kind])
                #expect(found.allSatisfy { $0.isReadOver && !$0.isFatal })
                #expect(run.journal.received.isEmpty)
                #expect(run.wireVerdict(of: run.scenario.cases[0]).outcome == outcome)
                // A file says the same.
                let bytes = JournalEncoder().lines(run.journal.snapshot().entries)
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
            await run.stop(grace: Patience.whole)
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
