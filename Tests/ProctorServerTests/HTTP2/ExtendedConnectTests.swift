import ProctorHTTP2
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Extended CONNECT (RFC 8441), frame by frame.
@Suite(.limit(minutes: 5))
struct ExtendedConnectTests {
    private let yaml = """
        summary: other protocols on streams
        origins:
          main: { protocols: [h2], h2: { settings: { enable-connect-protocol: 1 } } }
          plain: { protocols: [h2] }
        exchanges:
          - request: { method: CONNECT, path: /chat, protocol: websocket }
            reply:
              status: 200
              headers: { Sec-WebSocket-Protocol: chat }
              opaque:
                - { send: "who?\\n" }
                - { expect: "me\\n", within: 60s }
                - { send: { hex: 00ff } }
                - { do: close }
          - request: { method: CONNECT, path: /lost, protocol: websocket }
            reply: { status: 200, opaque: [{ send: "half" }, { do: reset }] }
          - request: { method: CONNECT, path: /open, protocol: websocket }
            reply: { status: 200 }
          - request: { method: CONNECT, path: /frames, protocol: websocket }
            reply: { status: 200, opaque: [{ read: 3 }, { do: ping }, { do: rst HTTP_1_1_REQUIRED }] }
          - request: { method: CONNECT, path: /long, protocol: websocket }
            reply: { status: 200, opaque: [{ send: { pattern: offset, bytes: 200000 } }, { do: half-close }] }
          - request: { method: CONNECT, path: /no, protocol: websocket }
            reply: { status: 403, body: "not here\\n" }
          - { request: GET /chat, reply: { status: 200, body: page } }
          - { request: GET /chat, origin: plain, reply: { status: 200, body: plain } }
        """

    private func frames<Result: Sendable>(
        at origin: String = "main", _ body: @escaping @Sendable (FrameWire) throws -> Result
    ) async throws -> Result {
        try await withRun(yaml) { run in
            let address = try #require(run.origin(origin))
            return try await talk(to: address) { try body(FrameWire($0)) }
        }
    }

    @Test func `the windows bound what the other protocol sends`() async throws {
        let (first, isSilent, content) = try await frames { frames in
            try frames.extendedConnect("/long")
            _ = try frames.head()
            var first = 0
            while first < 65_535 { first += try #require(try frames.next(.data)).payloadByteCount }
            let isSilent = frames.wire.isSilent(milliseconds: 50)
            try frames.send(.windowUpdate(65_535), .windowUpdate(65_535, on: 1))
            return (first, isSilent, try frames.reply())
        }
        #expect(first == 65_535 && isSilent)
        #expect(content.content.count == 200_000 - 65_535 && content.endsStream)
    }

}

extension FrameWire {
    /// Sends HEADERS for an extended CONNECT, behind the acknowledgement of the server's SETTINGS.
    fileprivate func extendedConnect(
        _ path: String, protocol name: String = "websocket", method: String = "CONNECT"
    ) throws {
        _ = try next(.settings)
        try send(.settingsAck)
        let block = try block([
            (":method", method), (":protocol", name), (":scheme", "http"), (":authority", "a"), (":path", path),
        ])
        try send(.headers(block, on: 1, endsStream: false))
    }
}
