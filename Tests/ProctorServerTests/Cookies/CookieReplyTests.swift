import ProctorHTTP
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Which replies set cookies, as the journal has it.
struct CookieReplyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: String
        /// Fields of the notes.
        let fields: [String]

        init(_ name: String, _ reply: String, sets fields: String...) {
            self.name = name
            self.reply = reply
            self.fields = fields
        }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            "two fields, in order", "{ status: 200, headers: [Set-Cookie: a=1, set-cookie: b=2] }", sets: "a=1",
            "b=2"),
        Row("a redirect", "{ status: 302, headers: { Location: /x, Set-Cookie: a=1 } }", sets: "a=1"),
        Row("an error", "{ status: 500, headers: { Set-Cookie: a=1 }, body: no }", sets: "a=1"),
        Row(
            "not an interim reply",
            "{ interim: [{ status: 103, headers: { Set-Cookie: a=1 } }], status: 200, headers: { Set-Cookie: b=2 } }",
            sets: "b=2"),
        Row(
            "not a trailer",
            "{ status: 200, headers: { Set-Cookie: a=1 }, framing: chunked, body: x, trailers: { Set-Cookie: b=2 } }",
            sets: "a=1"),
        Row(
            "raw bytes",
            #"{ raw: "HTTP/1.1 200 OK\r\nSET-COOKIE:  a=1 \r\nContent-Length: 0\r\n\r\nSet-Cookie: b=2" }"#,
            sets: "a=1"),
        Row("raw bytes with bare LF", #"{ raw: "HTTP/1.1 200 OK\nSet-Cookie: a=1\n\n" }"#, sets: "a=1"),
        Row(
            "raw bytes behind an interim reply",
            #"{ raw: "HTTP/1.1 103 Early\r\nSet-Cookie: a=1\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: b=2\r\n\r\n" }"#,
            sets: "b=2"),
        Row("a raw head that never ends", #"{ raw: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n" }"#),
        Row("raw bytes that only speak of it", #"{ raw: "HTTP/1.1 200 OK\r\nX: Set-Cookie: a=1\r\n\r\n" }"#),
        Row(
            "a head that is cut",
            "{ status: 200, headers: { Set-Cookie: a=1 }, body: x, effects: [{ at: head 20, do: close }] }"),
        Row(
            "no head at all",
            "{ status: 200, headers: { Set-Cookie: a=1 }, body: x, effects: [{ at: head, do: reset }] }"),
        Row(
            "a body that is cut",
            "{ status: 200, headers: { Set-Cookie: a=1 }, body: xyz, effects: [{ at: body 1, do: close }] }",
            sets: "a=1"),
        Row(
            "a pause in the head",
            "{ status: 200, headers: { Set-Cookie: a=1 }, body: xyz, effects: [{ at: head 9, do: wait 1ms }] }",
            sets: "a=1"),
        Row(
            "late-bound text", #"{ status: 200, headers: { Set-Cookie: "at={{authority}}; Path=/" } }"#,
            sets: "at=AUTHORITY; Path=/"),
    ]

    @Test(arguments: rows)
    func `a reply whose head goes out whole sets its cookies`(_ row: Row) async throws {
        // Where the row sets none, another exchange does, so that cookies are judged.
        let yaml = """
            summary: sets cookies
            exchanges:
              - { request: GET /, reply: \(row.reply) }
              - { request: GET /x, reply: { status: 200, headers: { Set-Cookie: x=y } } }
            """
        try await withRun(yaml) { run in
            _ = try await exchange(.request("GET /"), with: run.base)
            _ = try await run.journal.lines(untilClosed: 1)
            let authority = String(run.base.dropFirst("http://".count))
            let fields = row.fields.map { $0.replacing("AUTHORITY", with: authority) }
            #expect(run.journal.cookieNotes.map { String(decoding: $0.field, as: UTF8.self) } == fields)
        }
    }

    @Test func `a guard's refusal sets cookies too`() async throws {
        let yaml = """
            summary: guarded
            guards:
              lab:
                users: { user: pass }
                schemes: [basic]
                refuse: [{ status: 401, headers: { Set-Cookie: asked=1; Path=/ } }]
            auth: lab
            exchanges:
              - { request: GET /a, reply: { status: 200, body: ok } }
            """
        try await withRun(yaml) { run in
            _ = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a"),
                    try wire.ask("GET /a", "Authorization: Basic dXNlcjpwYXNz", "Cookie: asked=1"),
                ]
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.filter { $0.contains("cookies") } == ["c0 r0 cookies set: stored", "c0 r1 cookies"])
            #expect(run.journal.cookieNotes.map(\.outcome) == [.stored])
            #expect(run.journal.cookieVerdicts.map(\.differences.isEmpty) == [true])
        }
    }

    @Test func `Secure is judged by the scheme of the origin`() async throws {
        let yaml = """
            summary: sets a Secure cookie
            exchanges:
              - { request: GET /, reply: { status: 200, headers: { Set-Cookie: a=1; Secure } } }
            """
        try await withRun(yaml) { run in
            _ = try await exchange("GET / HTTP/1.1\r\nHost: h.test\r\n\r\n", with: run.base)
            _ = try await run.journal.lines(untilClosed: 1)
            let note = try #require(run.journal.cookieNotes.first)
            #expect(note.outcome == .stored && note.revisedOutcome == .ignored)
        }
    }
}

/// Which replies are searched for cookies is known when a scenario is loaded.
struct CookieSearchTests {
    static func compiled(_ replies: String...) throws -> CompiledScenario {
        let exchanges = replies.enumerated().map { "  - { request: GET /\($0), reply: \($1) }" }
        return CompiledScenario(
            try scenario((["summary: replies", "exchanges:"] + exchanges).joined(separator: "\n")))
    }

    @Test func `replies that speak of Set-Cookie, and no others`() throws {
        let compiled = try Self.compiled(
            "{ status: 200, body: Set-Cookie }", "{ status: 200, headers: { SET-cookie: a=1 } }",
            #"{ raw: "HTTP/1.1 200 OK\r\n\r\n" }"#, #"{ raw: "HTTP/1.1 200 OK\r\nset-COOKIE: a=1\r\n\r\n" }"#,
            #"{ raw: "HTTP/1.1 200 OK\r\nDate: {{now}}\r\nSet-Cooki: a=1\r\n\r\n" }"#,
            #"{ raw: "HTTP/1.1 200 OK\r\nDate: {{now}}\r\nSet-Cookie: a=1\r\n\r\n" }"#)
        #expect(compiled.replies.map(\.mentionsSetCookie) == [false, true, false, true, false, true])
        #expect(compiled.watchesCookies)
        #expect(try !Self.compiled("{ status: 200, body: Set-Cookie }").watchesCookies)
    }

    @Test func `no cookies are searched where they are not judged`() throws {
        let yaml = CookieJournalTests.yaml(#"{ raw: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n\r\n" }"#)
        let compiled = CompiledScenario(try scenario(yaml))
        let addresses = StageAddresses.origins([Array("127.0.0.1:1".utf8)], schemes: [.http])
        #expect(ClientCookies(compiled, addresses, startsOver: false) != nil)
        #expect(ClientCookies(compiled, addresses, startsOver: true) == nil)
        let silent = CompiledScenario(try scenario(CookieJournalTests.yaml("{ status: 200, body: ok }")))
        #expect(ClientCookies(silent, addresses, startsOver: false) == nil)
    }
}
