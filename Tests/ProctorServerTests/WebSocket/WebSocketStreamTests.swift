import ProctorGrading
import ProctorHTTP2
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import ProctorWebSocket
import Testing

/// WebSockets on streams of HTTP/2 (RFC 8441).
@Suite(.limit(minutes: 5))
struct WebSocketStreamTests {
    private let yaml = """
        summary: a WebSocket on a stream
        origins:
          main: { protocols: [h2], h2: { settings: { enable-connect-protocol: 1 } } }
        exchanges:
          - request: GET /chat
            reply: { websocket: { turns: [{ send: hello }, { expect: world }, { close: 1000 }], protocol: chat } }
          - request: { method: CONNECT, path: /own, protocol: websocket }
            reply: { websocket: [{ echo: true }] }
          - request: GET /no
            reply: { status: 403, websocket: [{ send: never }], body: no }
        cases:
          talks: { client: { url: /chat }, facts: { "ws[0].messages": [world], "ws[0].protocol": chat, "ws[0].close": 1000 } }
        """

    private func frames<Result: Sendable>(
        _ path: String, _ fields: [(String, String)] = [("sec-websocket-version", "13")],
        _ body: @escaping @Sendable (FrameWire) throws -> Result
    ) async throws -> (result: Result, lines: [String], failures: [String]) {
        try await withRun(yaml) { run in
            let result = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                _ = try frames.next(.settings)
                try frames.send(.settingsAck)
                let block = try frames.block(
                    [
                        (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":authority", "a"),
                        (":path", path),
                    ] + fields)
                try frames.send(.headers(block, on: 1, endsStream: false))
                return try body(frames)
            }
            await run.stop(grace: Patience.whole)
            let failures = run.wireVerdict(of: run.scenario.cases[0]).failures.map(\.sentence)
            return (result, run.journal.lines.filter { $0.contains(" ws ") }, failures)
        }
    }

    @Test func `an exchange for GET answers an extended CONNECT with 200, and frames are DATA`() async throws {
        let fields = [("sec-websocket-version", "13"), ("sec-websocket-protocol", "x, chat")]
        let (got, lines, failures) = try await frames("/chat", fields) { frames in
            let head = try frames.head()
            let first = try frames.content(until: "hello")
            try frames.send(
                .data(WebSocketFrame.masked(.text, "world").bytes, on: 1),
                .data(WebSocketFrame.maskedClose(1000).bytes, on: 1))
            return (head, first, try frames.reply())
        }
        #expect(got.0 == [":status: 200", "sec-websocket-protocol: chat"])
        #expect(got.1.hasSuffix("hello"))
        #expect(got.2.content == [0x88, 2, 0x03, 0xE8] && got.2.endsStream)
        #expect(lines.first == "c0 r0 ws the WebSocket is open: protocol chat")
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test func `a wrong frame ends the stream, and the connection goes on`() async throws {
        let (reply, lines, _) = try await frames("/own") { frames in
            _ = try frames.head()
            try frames.send(.data(WebSocketFrame(.text, payload: [0x61]).bytes, on: 1))
            let reply = try frames.reply()
            try frames.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
            #expect(try frames.next(.ping) != nil)
            return reply
        }
        #expect(reply.content.starts(with: [0x88, 14, 0x03, 0xEA]) && reply.endsStream)
        #expect(lines.contains { $0.contains("mask-missing at byte 1") })
    }

    @Test func `another status is a reply, and a wrong handshake is refused`() async throws {
        let (own, _, _) = try await frames("/no") { try $0.reply() }
        #expect(own.sections.first?.first == ":status: 403" && own.text == "no" && own.endsStream)
        let (wrong, lines, _) = try await frames("/chat", []) { try $0.reply() }
        #expect(wrong.sections.first?.first == ":status: 400" && wrong.text.contains("version-missing"))
        #expect(lines.count == 1 && lines[0].contains("handshake: version-missing"))
    }
}
