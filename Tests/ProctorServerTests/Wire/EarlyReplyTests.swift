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
