import Foundation
import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The part of a body that is read before the reply, and the answer to `Expect: 100-continue`.
struct ReadingTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let proceed = "HTTP/1.1 100 Continue\r\n\r\n"

    private func yaml(_ policy: String) -> String {
        """
        summary: reading
        exchanges:
          - { request: PUT /, \(policy), reply: { status: 200, body: ok } }
          - { request: GET /, reply: { status: 200, body: ok } }
        """
    }

    @Test func `a large upload is counted whole and kept in part`() async throws {
        let count = 8 << 20
        try await withRun(yaml("reads: all")) { run in
            let reply = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: \(count)"))
                try wire.send([UInt8](repeating: 0x61, count: count))
                return try wire.readReply()
            }
            #expect(reply == Self.ok)
            #expect(try await run.journal.lines(untilClosed: 1).contains("c0 r0 body \(count) complete"))
            let kept = run.journal.snapshot().entries.compactMap { entry in
                if case .requestBody(let body) = entry.event { body.kept.count } else { nil }
            }
            #expect(kept == [1 << 20])
        }
    }
}

/// `reads:` in portions, and `receive-buffer`.
struct PortionTests {
    private func yaml(_ reads: String, pattern: String = "POST /", more: String = "") -> String {
        """
        summary: content is read in portions
        origins: { main: { receive-buffer: 4096 } }
        exchanges:
          - request: \(pattern)
            reads: \(reads)
            reply: { status: 200, body: ok }
        \(more)
        """
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test(arguments: [false, true])
    func `all of the content is read, with the pauses between its portions`(isChunked: Bool) async throws {
        try await withRun(yaml("{ bytes: 100, every: 20ms }")) { run in
            let content = String(repeating: "x", count: 1000)
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 1000"
            let body =
                isChunked ? "1F4\r\n\(content.prefix(500))\r\n1f4\r\n\(content.prefix(500))\r\n0\r\n\r\n" : content
            let start = ContinuousClock.now
            let got = try await exchange(.request("POST /", framing) + body + .request("GET /"), with: run.base)
            #expect(ContinuousClock.now - start >= .milliseconds(9 * 20))
            #expect(got.text.hasPrefix(Self.ok + "HTTP/1.1 404"))
            // The client's FIN is seen in the first pause.
            let lines = try await run.journal.lines(untilClosed: 1).filter { $0 != "c0 FIN received" }
            #expect(lines.prefix(4).contains("c0 r0 body 1000 complete"))
        }
    }

    @Test func `what is not read yet shuts the client's window, and the run can end all the same`() async throws {
        try await withRun(yaml("{ bytes: 1000, every: 10m }")) { run in
            let address = try SocketAddress(base: run.base)
            let loop = try EventLoop()
            let acknowledged = try await loop.run {
                let socket = try await Socket.connect(to: address, on: loop, within: Patience.whole.wholeNanoseconds)
                defer { socket.close() }
                try await socket.write(Array(String.request("POST /", "Content-Length: 100000000").utf8))
                let piece = [UInt8](repeating: 0x78, count: 65_536)
                var written = 0
                do {
                    while true { written += try await socket.writeSome(piece, from: 0, within: 300_000_000) }
                } catch let error as SocketError {
                    #expect(error == .timedOut)
                }
                return written - (try #require(socket.unacknowledgedByteCount))
            }
            loop.stop()
            // The portion, and what fits into the buffer, which Linux makes twice as large.
            #expect(acknowledged < 20_000, "\(acknowledged) bytes were taken")
            await run.stop()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 1000 cut"), "\(lines)")
        }
    }

    @Test func `a body that must be known to choose its exchange is read in portions too`() async throws {
        try await withRun(yaml("{ bytes: 2, every: 20ms }", pattern: "{ method: POST, path: /, body: abcdefgh }")) {
            run in
            let start = ContinuousClock.now
            let got = try await exchange(.request("POST /", "Content-Length: 8") + "abcdefgh", with: run.base)
            #expect(ContinuousClock.now - start >= .milliseconds(3 * 20))
            #expect(got == Wire.Received(Self.ok, .closed))
        }
    }

    @Test func `a client that leaves in the middle ends the reading`() async throws {
        try await withRun(yaml("{ bytes: 10, every: 1ms }")) { run in
            _ = try await exchange(.request("POST /", "Content-Length: 100") + "abcdefghijklmno", with: run.base)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.suffix(2) == ["c0 r0 body 15 cut", "c0 closed by client: closed"])
        }
    }
}
