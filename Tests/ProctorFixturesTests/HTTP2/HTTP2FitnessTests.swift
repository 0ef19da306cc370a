import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What of a scenario is tied to HTTP/1.1.
struct HTTP2FitnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Parts of one exchange, of the origins, and of the file.
        var request = "GET /a"
        var reply = "{ status: 200, body: abc }"
        var main = "{}"
        var more = ""
        /// `line:column sentence`; empty: it can be run.
        var obstacles: [String] = []

        var testDescription: String { "\(request) \(reply) \(main) \(more)" }

        var yaml: String {
            """
            summary: s
            origins: { main: \(main), other: { scheme: https } }
            \(more)
            exchanges:
              - request: \(request)
                reply: \(reply)
            """
        }
    }

    /// A reply of which HTTP/2 has everything.
    private static func fit(_ reply: String, request: String = "GET /a") -> Row { Row(request: request, reply: reply) }

    static let fitRows = [
        fit("{ status: 200, reason: Fine, headers: { X-Upper: a, Content-Type: text/plain }, body: abc }"),
        fit("{ status: 200, framing: length, body: abc }"),
        fit("{ status: 200, framing: chunked, body: [a, b], trailers: { X-End: c } }"),
        fit("{ status: 200, headers: { Content-Length: 3 }, body: abc }"),
        fit("{ status: 200, headers: { Content-Length: 9 }, body: abc, effects: [{ at: end, do: close }] }"),
        fit("{ status: 200, headers: { Content-Length: 9 }, body: [abc, { do: reset }] }"),
        fit("{ status: 304, headers: { Content-Length: 9 } }"),
        fit("{ status: 200, headers: { Content-Length: 9 } }", request: "HEAD /a"),
        fit("{ status: 204, framing: none }"),
        fit("{ status: 200, interim: [{ status: 103, headers: { Link: '</b>; rel=preload' } }] }"),
        fit("{ status: 200, body: abc, coding: gzip }"),
        fit("{ status: 200, body: abc, honours: [ranges] }"),
        fit("{ status: 200, body: abc, slice: every-byte }"),
        fit("{ status: 200, body: 'ä', slice: mid-utf8 }"),
        fit("{ status: 200, body: abc, pace: { bytes: 1, every: 1ms } }"),
        fit("{ status: 200, body: abcd, effects: [{ at: head, do: wait 1ms }, { at: body 2, do: half-close }] }"),
        fit("{ status: 200, body: abcd, effects: [{ at: wire 2, do: stall }] }"),
        fit("{ effects: [{ at: head, do: reset }] }"),
        fit("{ script: \"return { status = 200, body = request.path }\" }"),
        Row(request: "{ method: POST, path: /a, headers: { Transfer-Encoding: null, Content-Length: 3 } }"),
        Row(main: "{ scheme: https, tls: { versions: 1.2-1.3, client-certificate: request } }"),
        Row(main: "{ connections: [{ at: accept, do: reset, on: 0 }] }"),
        Row(main: "{ limits: { count: 10 } }"),
        // Such origins are as the fixture has them.
        Row(reply: "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\n\" }", main: "{ protocols: [h2, http/1.1] }"),
    ]

    @Test(arguments: fitRows)
    func `what HTTP 2 has too is no obstacle`(row: Row) throws {
        #expect(try load(row.yaml).http2Obstacles.map(\.description) == [])
    }

    private static func row(_ reply: String, _ obstacles: String...) -> Row { Row(reply: reply, obstacles: obstacles) }

    static let replyRows = [
        row("{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\n\" }", "6:12 a raw reply has the bytes of HTTP/1.1"),
        row("{ status: 200, version: HTTP/1.0 }", "6:12 the reply has the version HTTP/1.0"),
        row(
            "{ status: 101, opaque: [] }", "6:12 behind the reply the connection is no longer HTTP",
            "6:12 HTTP/2 has no 101 (RFC 9113 §8.6)"),
        row(
            "{ status: 200, headers: { connection: close } }",
            "6:50 the field connection is about a connection of HTTP/1.1 (RFC 9113 §8.2.2)"),
        row(
            "{ status: 200, headers: { 'X Y': a } }",
            "6:45 HTTP/2 has no field with the name \"X Y\" (RFC 9113 §8.2.1)"),
        row(
            "{ status: 200, headers: { X-A: ' a' } }",
            "6:43 HTTP/2 has no field with such a value as that of X-A (RFC 9113 §8.2.1)"),
        row(
            "{ status: 200, headers: { Content-Length: 4 }, body: abc }",
            "6:54 Content-Length is not that of the content (RFC 9113 §8.1.1)"),
        row(
            "{ status: 200, headers: { Content-Length: 2 }, body: abc, effects: [{ at: end, do: close }] }",
            "6:54 Content-Length is not that of the content (RFC 9113 §8.1.1)"),
        row(
            "{ status: 200, headers: { Content-Length: [3, 3] }, body: abc }",
            "6:58 Content-Length stands there several times"),
        row(
            "{ status: 200, headers: { Content-Length: 3x }, body: abc }",
            "6:54 Content-Length is no number that HTTP/2 could compare"),
        row("{ status: 200, framing: close, body: abc }", "6:12 the end of the connection ends the content"),
        row(
            "{ status: 200, framing: none, body: abc }",
            "6:12 the reply has no framing, and HTTP/2 has no content without"),
        row(
            "{ status: 200, framing: { chunked: [1] }, body: abc }",
            "6:12 the reply says how its chunks are written, and HTTP/2 has none"),
        row(
            "{ status: 200, framing: chunked, body: abc, coding: { apply: gzip, in: transfer } }",
            "6:12 HTTP/2 has no transfer codings"),
        row("{ status: 200, body: abc, slice: [4] }", "6:12 the reply is cut at bytes of HTTP/1.1"),
        row("{ status: 200, body: abc, slice: mid-crlf }", "6:12 the reply is cut at line ends, which HTTP/2 has not"),
        row(
            "{ status: 200, body: abc, framing: chunked, slice: mid-chunk-size }",
            "6:12 the reply is cut in chunk sizes, which HTTP/2 has not"),
        row(
            "{ status: 200, body: abc, pace: { bytes: 1, every: 1ms, of: reply } }",
            "6:12 the pace counts the bytes of the head of HTTP/1.1"),
        row(
            "{ status: 200, body: abc, effects: [{ at: head 4, do: close }] }",
            "6:48 the effect stands at a byte of the head of HTTP/1.1"),
        row(
            "{ status: 200, framing: chunked, body: abc, effects: [{ at: wire 4, do: close }] }",
            "6:66 the effect stands at a byte among chunks"),
        row(
            "{ script: \"return { raw = 'x' }\" }",
            "6:12 the script names \"raw\", with which a reply has bytes of HTTP/1.1"),
    ]

    static let requestRows = [
        Row(
            reply: "{ status: 200, headers: { Set-Cookie: \"a=\\x01\" } }",
            obstacles: ["6:50 HTTP/2 has no field with such a value as that of Set-Cookie (RFC 9113 §8.2.1)"]),
        Row(
            reply: "{ status: 200, interim: [{ status: 103, headers: { Content-Length: 3 } }] }",
            obstacles: ["6:79 an interim reply has no DATA to which its Content-Length fits (RFC 9113 §8.1.1)"]),
        Row(request: "GET http://example.org/a", obstacles: ["5:5 HTTP/2 has no target in absolute-form"]),
        Row(
            request: "{ method: GET, path: /a, headers: { Connection: close } }",
            obstacles: ["5:5 the request asks for Connection, a field of HTTP/1.1 (RFC 9113 §8.2.2)"]),
        Row(
            request: "{ method: GET, path: /a, not: { headers: { transfer-encoding: chunked } } }",
            obstacles: ["5:5 the request asks for transfer-encoding, a field of HTTP/1.1 (RFC 9113 §8.2.2)"]),
    ]

    static let originRows = [
        Row(main: "{ protocols: [http/1.1] }", obstacles: ["2:12 the origin main speaks HTTP/1.1 alone"]),
        Row(
            main: "{ accepts: anything, limits: { line: 100 } }",
            obstacles: [
                "2:12 the origin main accepts requests that RFC 9112 has no reading of",
                "2:12 the limits of the origin main count the bytes of HTTP/1.1",
            ]),
        Row(
            main: "{ scheme: https, tls: { speaks: plain } }",
            obstacles: ["2:12 the origin main does not speak what its scheme says, and is seen by HTTP/1.1 alone"]),
        Row(
            main: "{ scheme: https, tls: { alpn: ignore } }",
            obstacles: ["2:12 the origin main says itself what ALPN selects"]),
        Row(
            main: "{ scheme: https, tls: { versions: 1.0-1.1 } }",
            obstacles: ["2:12 the origin main speaks no TLS 1.2, which HTTP/2 needs (RFC 9113 §9.2)"]),
        Row(
            main: "{ scheme: https, tls: { versions: 1.2, ciphers: AES128-SHA } }",
            obstacles: [
                "2:12 the origin main chooses ciphers of TLS 1.2, which HTTP/2 may prohibit (RFC 9113 Appendix A)"
            ]),
        Row(
            main: "{ scheme: https, tls: { client-certificate: after-handshake } }",
            obstacles: [
                "2:12 the origin main asks for a certificate after the handshake, which HTTP/2 prohibits "
                    + "(RFC 9113 §9.2.3)"
            ]),
        Row(
            main: "{ connections: [{ at: request-head 1, do: close }] }",
            obstacles: ["2:34 the effect stands at a byte of a request of HTTP/1.1"]),
        Row(
            more: "guards: { g: { schemes: [{ ntlm: { offer-only: [TlRMTVNTUAAC] } }] } }\nauth: g",
            obstacles: ["3:14 NTLM authenticates a connection, and the requests of HTTP/2 share one"]),
    ]

    @Test(arguments: replyRows + requestRows + originRows)
    func `what only HTTP 1_1 has is told with its place`(row: Row) throws {
        let found = try load(row.yaml).http2Obstacles
        #expect(found.map { "\($0.location.line):\($0.location.column) \($0.sentence)" } == row.obstacles)
    }

    @Test func `a proxy is an obstacle of its own`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """)
        #expect(
            scenario.http2Obstacles.map(\.description) == [
                "a.yaml:2:12: the origin p is a proxy, which is spoken to over HTTP/1.1"
            ])
    }

    // MARK: Cases

    private func obstacles(client: String, facts: String, main: String = "{}") throws -> [String] {
        let scenario = try load(
            """
            summary: s
            origins: { main: \(main) }
            exchanges: [{ request: GET /a, reply: { status: 200, body: abc } }]
            cases:
              c:
                kind: observes
                client: \(client)
                facts: \(facts)
            """)
        #expect(scenario.http2Obstacles == [])
        let item = try #require(scenario.cases.first)
        return scenario.http2Obstacles(of: item).map { "\($0.location.line):\($0.location.column) \($0.sentence)" }
    }

    @Test(arguments: [
        ("{ url: /a }", "{ status: 200, body: abc, wire.count: 1, connections: 1, \"wire[0].target\": /a }"),
        ("{ url: /a }", "{ \"wire[0].violations\": [], \"wire[0].headers.transfer-encoding\": null, tunnels: 0 }"),
        ("{ url: /a, cancelAt: response }", "{ wire.count: 1 }"),
    ])
    func `facts that HTTP 2 has are asked for`(client: String, facts: String) throws {
        #expect(try obstacles(client: client, facts: facts) == [])
    }

    @Test(arguments: [
        ("\"wire[0].version\": HTTP/1.1", "8:14 the fact is about the version of a request"),
        ("\"wire[0].framing\": none", "8:14 the fact is about the framing of HTTP/1.1"),
        (
            "\"wire[0].violations\": [bare-lf]", "8:14 the fact is about violations of HTTP/1.1"
        ),
        ("\"wire[0].target-form\": origin", "8:14 the fact is about the form of a target, which HTTP/2 has not"),
        (
            "\"wire[0].headers.Connection\": keep-alive",
            "8:14 the fact is about the field Connection of HTTP/1.1 (RFC 9113 §8.2.2)"
        ),
        (
            "\"header.Transfer-Encoding\": chunked",
            "8:14 the fact is about the field Transfer-Encoding of HTTP/1.1 (RFC 9113 §8.2.2)"
        ),
        (
            "\"connection[0].closedBy\": client",
            "8:14 the fact is about the end of a connection, where HTTP/2 ends streams"
        ),
    ])
    func `a fact of HTTP 1_1 makes only its case unfit`(fact: String, wanted: String) throws {
        #expect(try obstacles(client: "{ url: /a }", facts: "{ \(fact) }") == [wanted])
        // The fixture has its own words for what it speaks itself.
        #expect(try obstacles(client: "{ url: /a }", facts: "{ \(fact) }", main: "{ protocols: [h2] }") == [])
    }

    @Test func `loads that share a connection are unfit where an effect ends it`() throws {
        let scenario = try load(
            """
            summary: s
            exchanges:
              - { request: GET /a, reply: { status: 200 } }
              - { request: GET /b, reply: { effects: [{ at: head, do: reset }] } }
            cases:
              beside: { client: [{ url: /a }, { url: /b, together: true }], facts: { wire.count: 2 } }
              behind: { client: [{ url: /a }, { url: /b }], facts: { wire.count: 2 } }
            """)
        let found = scenario.cases.map { scenario.http2Obstacles(of: $0).map(\.sentence) }
        #expect(found == [["an effect ends the connection of one load, which the others share over HTTP/2"], []])
    }

    /// Which cases lead from https to http by a redirect.
    private func stepsDown(plain: String) throws -> [String] {
        let scenario = try load(
            """
            summary: s
            origins:
              main: { scheme: https, host: home.example.org }
              plain: \(plain)
            exchanges:
              - { request: GET /up, origin: plain, reply: { status: 302, headers: { Location: "{{origin.main}}/down" } } }
              - { request: GET /down, reply: { status: 302, headers: { Location: "{{origin.plain}}/end" } } }
              - { request: GET /by-name, reply: { status: 302, headers: { Location: "http://home.example.org/end" } } }
              - { request: GET /along, reply: { status: 302, headers: { Location: /down } } }
              - { request: GET /loop, reply: { status: 302, headers: { Location: /loop } } }
              - { request: GET /end, origin: plain, reply: { status: 200 } }
              - { request: GET /end, reply: { status: 200 } }
            cases:
              at-once: { client: { url: /down }, wire: "request(GET /down)" }
              by-its-name: { client: { url: "https://home.example.org/by-name" }, wire: "request(GET /by-name)" }
              in-two-steps: { client: [{ url: /end }, { url: /along }], wire: "request(GET /end)" }
              refused: { client: { url: /down, onRedirect: refuse }, wire: "request(GET /down)" }
              around: { client: { url: /loop }, wire: "request(GET /loop)" }
              asked-itself: { client: { url: "{{origin.plain}}/end" }, wire: "request(GET /end)" }
              begun-there: { client: { url: "{{origin.plain}}/up" }, wire: "request(GET /up)" }
            """)
        return scenario.cases.filter { item in
            let sentences = scenario.http2Obstacles(of: item).map(\.sentence)
            #expect(sentences.allSatisfy { $0.hasPrefix("a redirect leads from https to http") })
            return !sentences.isEmpty
        }.map(\.name)
    }

    @Test func `a redirect from https to http makes its case unfit`() throws {
        #expect(try stepsDown(plain: "{ host: home.example.org }") == ["at-once", "by-its-name", "in-two-steps"])
        // The fixture knows what its client has to speak there.
        #expect(try stepsDown(plain: "{ host: home.example.org, protocols: [h2] }") == ["by-its-name"])
    }

    @Test func `a fact that wants HTTP 1_1 makes its case unfit where origins say what they speak`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { protocols: [h2, http/1.1] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              old: { client: { url: /a }, facts: { "connection[0].protocol": http/1.1 } }
              new: { client: { url: /a }, facts: { "connection[0].protocol": h2 } }
            """)
        let found = scenario.cases.map { scenario.http2Obstacles(of: $0).map(\.sentence) }
        #expect(found == [["the fact wants a connection of HTTP/1.1"], []])
    }

    @Test func `a load that ends early says nothing about connections`() throws {
        #expect(
            try obstacles(client: "{ url: /a, cancelAt: response }", facts: "{ connections: 2 }") == [
                "8:14 the fact is about connections, and a load that ends early or beside others leaves that of "
                    + "HTTP/2 open"
            ])
    }

    @Test func `a program of HTTP 1_1 makes only its case unfit`() throws {
        #expect(
            try obstacles(client: "{ url: /a, headers: { Connection: close } }", facts: "{ wire.count: 1 }") == [
                "7:47 the field Connection is about a connection of HTTP/1.1 (RFC 9113 §8.2.2)"
            ])
        #expect(
            try obstacles(client: "{ url: /a, session: { connectionsPerHost: 1 } }", facts: "{ wire.count: 1 }") == [
                "7:13 the client is to limit its connections, of which HTTP/2 needs one"
            ])
    }
}
