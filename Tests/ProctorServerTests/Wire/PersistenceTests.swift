import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Connections that serve more than one request, and those that must not.
struct PersistenceTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let reply: String
        let stays: Bool

        init(_ name: String, _ request: String, reply: String, stays: Bool) {
            testDescription = name
            self.request = request
            self.reply = reply
            self.stays = stays
        }
    }

    static let rows: [Row] = [
        Row("HTTP/1.1 stays", .request("GET /"), reply: "{ status: 200 }", stays: true),
        Row(
            "Connection: close of the client", .request("GET /", "Connection: close"), reply: "{ status: 200 }",
            stays: false),
        Row(
            "close in company and any case", .request("GET /", "connection: x, CLOSE"), reply: "{ status: 200 }",
            stays: false),
        Row(
            "Connection: close of the reply", .request("GET /"),
            reply: "{ status: 200, headers: { Connection: close } }",
            stays: false),
        Row("framing close", .request("GET /"), reply: "{ status: 200, framing: close, body: ok }", stays: false),
        Row("framing none", .request("GET /"), reply: "{ status: 204, framing: none }", stays: true),
        Row("an older reply", .request("GET /"), reply: "{ status: 200, version: HTTP/1.0 }", stays: false),
        Row(
            "an older reply that says keep-alive", .request("GET /"),
            reply: "{ status: 200, version: HTTP/1.0, headers: { Connection: keep-alive } }", stays: true),
        Row("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", reply: "{ status: 200 }", stays: false),
        Row(
            "HTTP/1.0 with keep-alive, of which the reply says nothing",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", reply: "{ status: 200 }", stays: false),
        Row(
            "HTTP/1.0 with keep-alive on both sides", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            reply: "{ status: 200, headers: { Connection: Keep-Alive } }", stays: true),
        Row(
            "a raw reply", .request("GET /"), reply: "{ raw: \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\" }",
            stays: true),
    ]

    @Test(arguments: rows)
    func `the connection stays where both sides may want it, and only there`(_ row: Row) async throws {
        try await withRun(always(row.reply)) { run in
            // Two requests at once: the second is answered only where the connection stays.
            let got = try await exchange(row.request + row.request, with: run.base)
            #expect(got.text.components(separatedBy: "HTTP/1.").count == (row.stays ? 3 : 2))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == (row.stays ? "c0 closed by client: closed" : "c0 closed by server: closed"))
        }
    }

    @Test func `a thousand requests in one write are answered in order`() async throws {
        let yaml = """
            summary: pipelining
            exchanges: [ { request: "GET /{n}", reply: { status: 200, body: "{{path.n}};" } } ]
            """
        try await withRun(yaml) { run in
            let requests = (0..<1_000).map { String.request("GET /\($0)") }.joined()
            let got = try await exchange(requests, with: run.base)
            let bodies = got.text.components(separatedBy: "\r\n").compactMap { line in
                line.split(separator: ";").first.flatMap { Int($0) }
            }
            #expect(bodies == Array(0..<1_000))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.count == 3_002)
            #expect(lines.count { $0.hasPrefix("c0 ") } == lines.count)
        }
    }

    @Test func `pipelined bodies are told from the requests behind them`() async throws {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let got = try await exchange(
                .request("PUT /1", "Content-Length: 20") + "GET /no HTTP/1.1\r\n\r\n"
                    + .request("PUT /2", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n" + .request("GET /3"),
                with: run.base)
            #expect(got.text == Self.ok + Self.ok + Self.ok)
            let heads = try await run.journal.lines(untilClosed: 1).filter { $0.contains(" head ") }
            #expect(heads == ["c0 r0 head PUT /1", "c0 r1 head PUT /2", "c0 r2 head GET /3"])
        }
    }

    @Test func `a connection beyond the limit gets 503 with the limit, whatever it sends`() async throws {
        try await withRun(
            always("{ status: 200, body: ok }"), configure: { $0.limits.connectionCount = 2 },
            { run in
                let kept = try await onThread {
                    try (0..<2).map { _ in
                        let wire = try Wire(to: run.base)
                        try wire.send(.request("GET /"))
                        _ = try wire.readReply()
                        return wire
                    }
                }
                let refused = try await exchange(
                    .request("PUT /", "Content-Length: 8000000") + String(repeating: "x", count: 8_000_000),
                    with: run.base)
                #expect(refused.ending == .closed)
                #expect(refused.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
                #expect(refused.text.contains("proctor has 2 open connections on this address, which is its limit"))
                // When one has gone there is room again.
                kept[0].close()
                _ = try await run.journal.lines(untilClosed: 1)
                let base = run.base
                #expect(try await untilServed(base) == Wire.Received(Self.ok, .closed))
                kept[1].close()
            })
    }

    @Test func `connections of all addresses together have a limit, which the journal tells`() async throws {
        try await withRun(
            always("{ status: 200, body: ok }"), configure: { $0.limits.wholeConnectionCount = 1 },
            { run in
                let kept = try await onThread {
                    let wire = try Wire(to: run.base)
                    try wire.send(.request("GET /"))
                    _ = try wire.readReply()
                    return wire
                }
                let refused = try await exchange(.request("GET /"), with: run.base)
                #expect(refused.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
                #expect(refused.text.contains("proctor has 1 open connections, which is its limit"))
                let lines = try await run.journal.lines { $0.contains("turned away: connections beyond 1") }
                #expect(lines.contains("turned away: connections beyond 1"))
                kept.close()
            })
    }

    /// The journal tells an end a moment before its connection is no longer counted.
    private func untilServed(_ base: String) async throws -> Wire.Received {
        var got = Wire.Received("", .silent)
        for _ in 0..<1_000 {
            got = try await exchange(.request("GET /"), with: base)
            if !got.text.hasPrefix("HTTP/1.1 503") { break }
        }
        return got
    }

    @Test func `1000 requests on 50 connections at once add up, with two loops`() async throws {
        let yaml = """
            summary: parallel
            exchanges:
              - { request: GET /turn, times: 500, reply: { status: 200, body: first } }
              - { request: GET /turn, reply: { status: 200, body: later } }
            """
        try await withServer([try scenario(yaml)], configure: { $0.threadCount = 2 }) { server in
            let run = try await server.run("test/one")
            for base in [run.base, server.base] {
                let target = base == run.base ? "/turn" : "/test/one/turn"
                let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            try await talk(to: base) { wire in
                                var first = 0
                                var later = 0
                                for _ in 0..<20 {
                                    try wire.send(.request("GET \(target)"))
                                    let reply = try wire.readReply()
                                    if reply.hasSuffix("first") { first += 1 }
                                    if reply.hasSuffix("later") { later += 1 }
                                }
                                return (first, later)
                            }
                        }
                    }
                    return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
                }
                #expect(counts == (500, 500))
            }
            let lines = try await run.journal.lines(untilClosed: 50)
            #expect(lines.count == 50 + 3_000 + 50)
            let requests = Set(lines.filter { $0.contains(" head ") }.map { $0.split(separator: " ")[1] })
            #expect(requests.count == 1_000)
            let sequences = run.journal.snapshot().entries.map(\.sequence)
            // With the beginning of each reply, which the lines leave out.
            #expect(sequences == Array(1...4_100))
        }
    }
}

/// Connections whose fixture decides whether they stay open after a reply.
struct StayingTests {
    private static let old = "GET / HTTP/1.0\r\nHost: a\r\n\r\n"

    private func yaml(_ reply: String) -> String {
        """
        summary: stays
        exchanges:
          - { request: GET /, reply: \(reply) }
          - { request: GET /last, reply: { status: 200, headers: { Connection: close }, body: last } }
        """
    }

    @Test(
        arguments: [
            "{ status: 200, body: ok, then: keep }",
            "{ status: 200, headers: { Connection: close }, body: ok, then: keep }",
            "{ version: HTTP/1.0, status: 200, body: ok, then: keep }",
            #"{ raw: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", then: keep }"#,
        ],
        [
            String.request("GET /", "Connection: close"), String.request("GET /"), StayingTests.old,
        ])
    func `a connection that is to stay does, whatever request and reply say`(_ reply: String, _ request: String)
        async throws
    {
        try await withRun(yaml(reply)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(request)
                let first = try wire.readReply()
                try wire.send(.request("GET /last"))
                return [first, try wire.readToEnd().text]
            }
            #expect(got[0].hasSuffix("\r\n\r\nok") && got[1].hasSuffix("\r\n\r\nlast"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 1)
            // A client that sent close must not send another request (RFC 9112 §9.6).
            #expect(lines.contains { $0.contains("violation request-after-close") } == request.contains("close"))
            #expect(lines.last == "c0 closed by server: closed")
        }
    }

    @Test func `a connection that is to end does, whatever request and reply say`() async throws {
        try await withRun(yaml("{ status: 200, headers: { Connection: keep-alive }, body: ok, then: close }")) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(got.text.hasSuffix("\r\n\r\nok") && got.ending == .closed)
        }
    }

    private static let post = String.request("POST /up", "Content-Length: 5", "Expect: 100-continue")

    private static let final = """
        summary: answers before the content
        exchanges:
          - { request: POST /up, expect: final, reply: { status: 417 } }
          - { request: GET /last, reply: { status: 200, headers: { Connection: close }, body: last } }
        """

    @Test func `content that stays with the client is not looked for in the next request`() async throws {
        try await withRun(Self.final) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(Self.post)
                let first = try wire.readReply()
                try wire.send(.request("GET /last"))
                return [first, try wire.readToEnd().text]
            }
            #expect(got[0].hasPrefix("HTTP/1.1 417 ") && got[1].hasSuffix("\r\n\r\nlast"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r1 head GET /last") && !lines.contains { $0.contains("continue") }, "\(lines)")
            #expect(!lines.contains { $0.contains("violation") })
        }
    }

    @Test func `content that came all the same is read to its end`() async throws {
        try await withRun(Self.final) { run in
            let got = try await exchange(Self.post + "hello" + .request("GET /last"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 417 ") && got.text.hasSuffix("\r\n\r\nlast"), "\(got.text)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 5 complete"), "\(lines)")
        }
    }

    @Test func `content that comes behind the reply is no next request`() async throws {
        try await withRun(Self.final) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(Self.post)
                let first = try wire.readReply()
                try wire.send("hello" + .request("GET /last"))
                return [first, try wire.readToEnd().text]
            }
            #expect(got[0].hasPrefix("HTTP/1.1 417 ") && got[1].hasSuffix("\r\n\r\nlast"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 5 complete") && !lines.contains { $0.contains("violation") }, "\(lines)")
        }
    }

    @Test func `who does not ask is read before the reply`() async throws {
        try await withRun(Self.final) { run in
            let request = String.request("POST /up", "Content-Length: 5") + "hello"
            let got = try await exchange(request + .request("GET /last"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 417 ") && got.text.hasSuffix("\r\n\r\nlast"), "\(got.text)")
            let lines = try await run.journal.lines(untilClosed: 1)
            let (body, sent) = (
                lines.firstIndex(of: "c0 r0 body 5 complete"), lines.firstIndex { $0.contains("sent 417") }
            )
            #expect(body ?? .max < sent ?? .min, "\(lines)")
        }
    }
}
