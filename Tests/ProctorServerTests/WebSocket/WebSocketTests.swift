import ProctorCoding
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import ProctorWebSocket
import Testing

/// Replies that open a WebSocket (RFC 6455, RFC 7692), over HTTP/1.1.
@Suite(.limit(minutes: 5))
struct WebSocketTests {
    private func yaml(_ reply: String, facts: String = "ws.count: 1") -> String {
        """
        summary: a WebSocket
        exchanges:
          - { request: GET /, reply: { \(reply) } }
        cases:
          case: { client: { url: / }, facts: { \(facts) } }
        """
    }

    /// What the client reads, and the lines of the journal about the WebSocket.
    private func play<Result: Sendable>(
        _ reply: String, facts: String = "ws.count: 1",
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (inout WebSocketClient) throws -> Result
    ) async throws -> (result: Result, lines: [String], verdict: WireVerdict) {
        try await withRun(yaml(reply, facts: facts), configure: configure) { run in
            let result = try await talk(to: run.base) { wire in
                var client = WebSocketClient(wire)
                return try body(&client)
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines.filter { $0.contains(" ws ") }.map { String($0.dropFirst("c0 r0 ws ".count)) }
            return (result, lines, run.wireVerdict(of: run.scenario.cases[0]))
        }
    }

    // MARK: Turns

    @Test func `the first frames come in one write with the head`() async throws {
        try await withRun(yaml("websocket: [{ send: one }, ping, { do: wait 300ms }, { send: two }]")) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(WebSocketClient.opening())
                wire.finish()
                return try wire.readPieces()
            }
            let first = try #require(pieces.first)
            #expect(first.suffix(7) == [0x81, 3] + Array("one".utf8) + [0x89, 0])
        }
    }

    // MARK: Compression

    @Test func `messages are compressed as agreed, with and without context`() async throws {
        let reply =
            "websocket: { turns: [{ send: abcabcabc }, { send: abcabcabc }, { send: plain, compress: false }, { echo: 1 }], deflate: "
        for (wish, isSmaller) in [("true", true), ("{ server-no-context-takeover: true }", false)] {
            let (frames, lines, _) = try await play(reply + wish + " }") { client in
                try client.open("/", "Sec-WebSocket-Extensions: permessage-deflate")
                var frames = try (0..<3).map { _ in try client.frame() }
                let deflater = try MessageDeflater()
                var sent = WebSocketFrame.masked(.text, reserved: .rsv1)
                sent.payload = deflater.deflate(Array("squeezed squeezed".utf8).span)
                try client.send(sent)
                frames.append(try client.frame())
                return frames
            }
            #expect(frames.map(\.reserved) == [.rsv1, .rsv1, [], .rsv1])
            #expect((frames[1].payload.count < frames[0].payload.count) == isSmaller)
            #expect(frames[2].payload == Array("plain".utf8))
            #expect(
                lines.contains { $0.hasPrefix("client: text of") && $0.hasSuffix(#"with RSV1: "squeezed squeezed""#) })
        }
    }

    // MARK: Effects, scripts, TLS

    @Test func `a pace acts on the frames`() async throws {
        try await withRun(yaml("slice: every-byte, websocket: [{ send: abc }, { do: close }]")) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(WebSocketClient.opening())
                return try wire.readPieces()
            }
            #expect(pieces.suffix(5) == [[0x81], [3], [0x61], [0x62], [0x63]])
        }
    }

    @Test func `what a client said before it left is read, where a frame is still being sent too`() async throws {
        let reply = "slice: every-byte, websocket: [{ send: { repeat: a, bytes: 5000 } }, { send: too late }]"
        let (_, lines, _) = try await play(reply) { client in
            try client.open()
            // The client leaves behind it, and takes no more of the frame.
            try client.send(.maskedClose(1002))
        }
        #expect(lines.contains("client: close of 2 bytes, masked: 1002 \"\""), "\(lines)")
        #expect(!lines.contains { $0.contains("too late") })
    }
}
