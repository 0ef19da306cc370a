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

    @Test func `the first SETTINGS permit it`() async throws {
        let values = try await frames { frames in
            guard case .settings(let settings)? = try frames.next(.settings)?.content else { return [UInt32]() }
            return settings.filter { $0.identifier == .enableConnectProtocol }.map(\.value)
        }
        #expect(values == [1])
    }

    @Test func `a 200 begins the other protocol, whose bytes are DATA`() async throws {
        let (lines, head, question, answer) = try await withRun(yaml) { run in
            let got = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.extendedConnect("/chat")
                let head = try frames.head()
                let question = try frames.content(until: "who?\n")
                try frames.send(.data(Array("m".utf8), on: 1), .data(Array("e\n".utf8), on: 1))
                return (head, question, try frames.reply())
            }
            return (try await run.journal.lines(untilClosed: 1), got.0, got.1, got.2)
        }
        #expect(head == [":status: 200", "sec-websocket-protocol: chat"])
        #expect(question == "who?\n" && answer.content == [0x00, 0xFF] && answer.endsStream)
        #expect(lines.last?.hasPrefix("c0 closed by client: ") == true, "\(lines)")
        #expect(lines.contains("c0 r0 head CONNECT /chat"), "\(lines)")
        #expect(lines.contains("c0 r0 exchange 0 turn 0"), "\(lines)")
    }

    @Test func `a reset is RST_STREAM with CANCEL`() async throws {
        let reply = try await frames { frames in
            try frames.extendedConnect("/lost")
            return try frames.reply()
        }
        #expect(reply.text == "half" && reply.resetCode == .cancel)
    }

    @Test func `without a script the stream stays open until the client ends it`() async throws {
        let (isSilent, reply) = try await frames { frames in
            try frames.extendedConnect("/open")
            _ = try frames.head()
            try frames.send(.data(Array("anything".utf8), on: 1), .ping([0, 0, 0, 0, 0, 0, 0, 0]))
            _ = try frames.next(.ping)
            let isSilent = frames.wire.isSilent(milliseconds: 50)
            try frames.send(.data([], on: 1, endsStream: true))
            return (isSilent, try frames.reply())
        }
        #expect(isSilent && reply.endsStream && reply.content.isEmpty)
    }

    @Test func `frames are effects of a script too`() async throws {
        let (ping, code) = try await frames { frames in
            try frames.extendedConnect("/frames")
            _ = try frames.head()
            try frames.send(.data(Array("abc".utf8), on: 1))
            let ping = try frames.next(.ping)
            return (ping != nil, try frames.reply().resetCode)
        }
        #expect(ping && code == .http11Required)
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

    @Test func `a refusal is a reply with its content, and the path of GET is another`() async throws {
        let (refusal, page) = try await frames { frames in
            try frames.extendedConnect("/no")
            let refusal = try frames.reply()
            try frames.request("GET /chat", on: 3)
            return (refusal, try frames.reply(on: 3).text)
        }
        #expect(refusal.sections.first?.first == ":status: 403" && refusal.text == "not here\n" && refusal.endsStream)
        #expect(page == "page")
    }

    @Test func `another protocol than that of the exchange is no match, and the page says so`() async throws {
        let reply = try await frames { frames in
            try frames.extendedConnect("/chat", protocol: "connect-udp")
            return try frames.reply()
        }
        #expect(reply.sections.first?.first == ":status: 404")
        #expect(reply.text.contains("protocol: wanted websocket, got connect-udp"), "\(reply.text)")
    }

    @Test func `without the setting, and with another method, it is malformed`() async throws {
        let (notPermitted, next) = try await frames(at: "plain") { frames in
            try frames.extendedConnect("/chat")
            let reply = try frames.reply()
            try frames.request("GET /chat", on: 3)
            return (reply.resetCode, try frames.reply(on: 3).text)
        }
        #expect(notPermitted == .protocolError && next == "plain")
        let (method, path, scheme) = try await frames { frames in
            try frames.extendedConnect("/chat", method: "GET")
            let method = try frames.reply().resetCode
            try frames.connect("a", ":path: /chat", on: 3)
            let path = try frames.reply(on: 3).resetCode
            try frames.connect("a", ":scheme: http", ":protocol: websocket", on: 5)
            return (method, path, try frames.reply(on: 5).resetCode)
        }
        #expect(method == .protocolError && path == .protocolError && scheme == .protocolError)
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
