import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// Replies of class 1xx, byte for byte, and what `Expect` brings (RFC 9110 §10.1.1, §15.2).
struct InterimTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let proceed = "HTTP/1.1 100 Continue\r\n\r\n"

    private func yaml(_ reply: String, _ policy: String = "reads: all") -> String {
        """
        summary: interim
        exchanges:
          - { request: "* /", \(policy), reply: \(reply) }
        """
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: String
        let bytes: String
        var testDescription: String { reply }
    }

    static let rows: [Row] = [
        Row(reply: "{ interim: [100], status: 200, body: ok }", bytes: proceed + ok),
        Row(reply: "{ interim: [100, 100], status: 200, body: ok }", bytes: proceed + proceed + ok),
        Row(
            reply: """
                { interim: [102, { status: 103, headers: { Link: "</a>; rel=preload" } }, { status: 103, headers: \
                { Link: "</b>; rel=preload" } }, 102], status: 200, body: ok }
                """,
            bytes: "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
                + "HTTP/1.1 103 Early Hints\r\nLink: </b>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + ok),
        Row(
            reply: "{ interim: [{ status: 199, reason: Odd, headers: { Content-Length: 9 } }], status: 200, body: ok }",
            bytes: "HTTP/1.1 199 Odd\r\nContent-Length: 9\r\n\r\n" + ok),
        Row(
            reply: "{ status: 101, headers: { Connection: upgrade, Upgrade: other } }",
            bytes: "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n"),
        Row(
            reply: "{ interim: [101], status: 200, body: ok }",
            bytes: "HTTP/1.1 101 Switching Protocols\r\n\r\n" + ok),
    ]

    @Test(arguments: rows)
    func `interim replies go out as they are written, asked for or not`(_ row: Row) async throws {
        try await withRun(yaml(row.reply)) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(got == Wire.Received(row.bytes, .closed))
        }
    }

    @Test func `the server's own 100 comes before the body and those of the reply behind it`() async throws {
        try await withRun(yaml("{ interim: [100, 102], status: 200, body: ok }")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 2", "Expect: 100-continue"))
                let first = try wire.readHead()
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("ab")
                return (first, isSilent, [try wire.readHead(), try wire.readHead(), try wire.readReply()])
            }
            #expect(got.0 == Self.proceed)
            #expect(got.1)
            #expect(got.2 == [Self.proceed, "HTTP/1.1 102 Processing\r\n\r\n", Self.ok])
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 r0 head PUT /", "c0 r0 exchange 0 turn 0", "c0 r0 continue",
                    "c0 r0 body 2 complete", "c0 r0 sent 200 92", "c0 closed by client: closed",
                ])
        }
    }

    @Test(arguments: ["reads: none", "reads: none, expect: ignore", "reads: 0"])
    func `a final reply in place of 100 leaves the body out`(policy: String) async throws {
        let reply = "{ status: 417, headers: { Connection: close }, body: no }"
        try await withRun(yaml(reply, policy)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 1000", "Expect: 100-continue"))
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            #expect(got.text.hasPrefix("HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\n"))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(!lines.contains("c0 r0 continue"))
        }
    }

    @Test func `a request that was told 417 can come again without the expectation`() async throws {
        let yaml = """
            summary: no expectations
            exchanges:
              - request: { method: PUT, path: /, headers: { Expect: 100-continue } }
                reads: none
                reply: { status: 417, headers: { Connection: close } }
              - request: { method: PUT, path: /, headers: { Expect: null } }
                reply: { status: 200, body: ok }
            """
        try await withRun(yaml) { run in
            let base = run.base
            let first = try await talk(to: base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 2", "Expect: 100-continue"))
                return try wire.readToEnd()
            }
            #expect(first.text.hasPrefix("HTTP/1.1 417 "))
            let second = try await exchange(.request("PUT /", "Content-Length: 2") + "ab", with: base)
            #expect(second == Wire.Received(Self.ok, .closed))
        }
    }

    @Test func `a control call that waits for 100 gets one`() async throws {
        let scenario = try scenario(yaml("{ status: 200 }"))
        try await withServer([scenario]) { server in
            let body = #"{"scenario":"\#(scenario.id)"}"#
            let got = try await talk(to: server.base) { wire in
                try wire.send(
                    controlRequest(
                        "POST /runs", fields: ["Content-Length: \(body.utf8.count)", "Expect: 100-continue"]))
                let first = try wire.readHead()
                try wire.send(body)
                return (first, try wire.readHead())
            }
            #expect(got.0 == Self.proceed)
            #expect(got.1.hasPrefix("HTTP/1.1 201 "))
        }
    }
}
