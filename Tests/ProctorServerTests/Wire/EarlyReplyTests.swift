import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Replies, ends and resets that come while the client still sends its body.
struct EarlyReplyTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// More than the buffers of both ends take, so that a server that does not read stops the client.
    private static let long = 16 << 20

    private func yaml(_ policy: String, _ reply: String = "{ status: 200, body: ok }") -> String {
        """
        summary: early
        exchanges:
          - { request: PUT /, \(policy), reply: \(reply) }
          - { request: GET /, reply: { status: 200, body: ok } }
        """
    }

    @Test(arguments: ["reads: none", "reads: 1000"], [true, false])
    func `a reply comes in the middle of the body, and the next request is answered behind its end`(
        policy: String, isChunked: Bool
    ) async throws {
        try await withRun(yaml(policy)) { run in
            let got = try await talk(to: run.base) { wire in
                let half = [UInt8](repeating: 0x61, count: 50_000)
                let chunk = Array("c350\r\n".utf8) + half + [0x0D, 0x0A]
                let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 100000"
                try wire.send(.request("PUT /", framing))
                try wire.send(isChunked ? chunk : half)
                let first = try wire.readReply()
                try wire.send(isChunked ? chunk + Array("0\r\n\r\n".utf8) : half)
                try wire.send(.request("GET /"))
                return [first, try wire.readReply()]
            }
            #expect(got == [Self.ok, Self.ok])
            let lines = try await run.journal.lines(untilClosed: 1)
            let sent = try #require(lines.firstIndex(of: "c0 r0 sent 200 40"))
            let body = try #require(lines.firstIndex(of: "c0 r0 body 100000 complete"))
            #expect(sent < body, "\(lines)")
            #expect(lines.last == "c0 closed by client: closed")
        }
    }

    @Test(arguments: [
        "{ status: 413, headers: { Connection: close }, body: no }",
        "{ status: 413, body: no, effects: [{ at: end, do: close }] }",
        "{ status: 413, framing: close, body: no }",
    ])
    func `a client that sends all of a long body before it reads still sees the 413 and a close in order`(
        reply: String
    ) async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.limits.lingerDuration = .seconds(300)
            configuration.limits.wholeLingerDuration = .seconds(300)
        }
        try await withRun(yaml("reads: none", reply), configure: configure) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: \(Self.long)"))
                try wire.send([UInt8](repeating: 0, count: Self.long))
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            #expect(got.text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
            #expect(got.text.hasSuffix("\r\n\r\nno"))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 0 cut"))
            #expect(lines.last == "c0 closed by server: closed")
        }
    }

    @Test func `a client that reads while it sends has the 413 before its body is out`() async throws {
        try await withRun(yaml("reads: none", "{ status: 413, headers: { Connection: close }, body: no }")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 1000000"))
                try wire.send([UInt8](repeating: 0, count: 1_000))
                let reply = try wire.readToEnd()
                // Our side is still open: what is sent now is read and thrown away, and brings no reset.
                try wire.send([UInt8](repeating: 0, count: 1_000))
                return reply
            }
            #expect(got.ending == .closed)
            #expect(got.text.hasSuffix("\r\n\r\nno"))
        }
    }

    @Test func `a client that never stops sending is left after a bounded while`() async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.limits.lingerDuration = .seconds(300)
            configuration.limits.wholeLingerDuration = .milliseconds(200)
        }
        let reply = "{ status: 413, headers: { Connection: close }, body: no }"
        try await withRun(yaml("reads: none", reply), configure: configure) { run in
            let code = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Transfer-Encoding: chunked"))
                return Self.codeOfEnd { try wire.send("1\r\nx\r\n") }
            }
            let wasReset = code == ECONNRESET || code == EPIPE
            #expect(wasReset, "\(String(describing: code))")
        }
    }

    @Test(arguments: ["reset", "reset, abrupt: true"])
    func `a reset while the client sends is an error at the sender`(action: String) async throws {
        try await withRun(yaml("reads: 100000", "{ effects: [{ at: head, do: \(action) }] }")) { run in
            let code = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: \(1 << 40)"))
                let piece = [UInt8](repeating: 0, count: 65_536)
                return Self.codeOfEnd { try wire.send(piece) }
            }
            let wasReset = code == ECONNRESET || code == EPIPE
            #expect(wasReset, "\(String(describing: code))")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == "c0 closed by server: reset")
            let body = try #require(lines.first { $0.hasPrefix("c0 r0 body ") }).split(separator: " ")
            #expect(body.last == "cut")
            let count = try #require(Int(body[3]))
            #expect(count >= 100_000)
        }
    }

    @Test func `a reset in the middle of the reply comes behind the bytes before it`() async throws {
        try await withRun(yaml("reads: 4", "{ status: 200, body: ok, effects: [{ at: body 1, do: reset }] }")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 10") + "abcd")
                return try wire.readToEnd()
            }
            #expect(got == Wire.Received(String(Self.ok.dropLast()), .reset))
        }
    }

    @Test func `a server that does not read keeps the client from sending, and goes on reading later`() async throws {
        let reply = "{ status: 200, body: ok, effects: [{ at: head, do: wait 300ms }] }"
        try await withRun(yaml("reads: none", reply)) { run in
            let got = try await talk(to: run.base) { wire in
                let (_, duration) = try timed {
                    try wire.send(.request("PUT /", "Content-Length: \(Self.long)"))
                    try wire.send([UInt8](repeating: 0, count: Self.long))
                }
                return (duration >= .milliseconds(250), try wire.readReply())
            }
            #expect(got == (true, Self.ok))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body \(Self.long) complete"))
        }
    }

    @Test func `a client that leaves after an early reply is no failure of the reply`() async throws {
        try await withRun(yaml("reads: none")) { run in
            let reply = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 10") + "abc")
                return try wire.readReply()
            }
            #expect(reply == Self.ok)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 sent 200 40"))
            #expect(lines.contains("c0 r0 body 3 cut"))
            #expect(lines.last == "c0 closed by client: closed")
        }
    }

    /// The code with which sending ends at last; nil after the patience.
    private static func codeOfEnd(_ send: () throws -> Void) -> Int32? {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < Patience.whole {
            do {
                try send()
            } catch {
                return (error as? WireFailure)?.code
            }
        }
        return nil
    }
}
