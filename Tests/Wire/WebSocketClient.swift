import ProctorTestSupport
package import ProctorWebSocket

/// Frames of a client over a plain connection, right or wrong.
package struct WebSocketClient {
    package let wire: Wire
    /// The head of the reply to the handshake.
    package private(set) var head = ""
    private var pending: [UInt8] = []

    package static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    package static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    package init(_ wire: Wire) { self.wire = wire }

    /// The lines of a lawful handshake, with others in place of those of the same name.
    package static func opening(_ path: String = "/", _ lines: String...) -> String {
        let usual = [
            "Host: a", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)",
            "Sec-WebSocket-Version: 13",
        ]
        let names = lines.map { $0.prefix { $0 != ":" } }
        let kept = usual.filter { line in !names.contains { line.hasPrefix("\($0):") } }
        let all = kept + lines.filter { !$0.hasSuffix(": -") }
        return "GET \(path) HTTP/1.1\r\n\(all.map { "\($0)\r\n" }.joined())\r\n"
    }

    package mutating func open(_ path: String = "/", _ line: String = "Origin: x") throws {
        try wire.send(Self.opening(path, line))
        head = try wire.readHead()
    }

    package func send(_ frames: WebSocketFrame...) throws { try wire.send(frames.flatMap(\.bytes)) }

    /// The next frame of the server.
    package mutating func frame() throws -> WebSocketFrame {
        let start = try wire.read(2)
        var length = UInt64(start[1] & 0x7F)
        if length >= 126 { length = try wire.read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | UInt64($1) } }
        let payload = length == 0 ? [] : try wire.read(Int(length))
        return WebSocketFrame(
            Opcode(rawValue: start[0]), isFinal: start[0] & 0x80 != 0, reserved: ReservedBits(rawValue: start[0] >> 4),
            payload: payload)
    }

    package mutating func text() throws -> String { String(decoding: try frame().payload, as: UTF8.self) }

    /// The code and the reason of the Close that comes next, such as `1002 mask-missing`, or the opcode of another frame.
    package mutating func close() throws -> String {
        let frame = try frame()
        guard frame.opcode == .close, frame.payload.count >= 2 else { return "\(frame.opcode)" }
        let code = Int(frame.payload[0]) << 8 | Int(frame.payload[1])
        return "\(code) \(String(decoding: frame.payload[2...], as: UTF8.self))"
    }
}

extension WebSocketFrame {
    /// Of a client: masked.
    package static func masked(
        _ opcode: Opcode, _ text: String = "", isFinal: Bool = true, reserved: ReservedBits = []
    ) -> WebSocketFrame {
        WebSocketFrame(
            opcode, isFinal: isFinal, reserved: reserved, maskingKey: MaskingKey(0x01F2_03A4),
            payload: Array(text.utf8))
    }

    package static func maskedClose(_ code: UInt16) -> WebSocketFrame {
        .close(CloseCode(rawValue: code), maskingKey: MaskingKey(7))
    }
}
