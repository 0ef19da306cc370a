import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import ProctorWebSocket
import Testing

@testable import ProctorReference

/// A WebSocket against a server that is written down here: what comes of it, and which frames go out.
@Suite(.limit(minutes: 5))
struct WebSocketTests {
    /// What the server sends behind the handshake, and what it is told by the client before and behind it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var fields: [String] = []
        var frames: [[UInt8]]
        var isCompressed = false
        var messages: [String] = []
        /// `closed CODE REASON`, then `ok` or the kind of the error.
        let end: [String]
        /// The frames of the client.
        let sent: [String]

        init(
            _ description: String, _ frames: [WebSocketFrame], fields: [String] = [], isCompressed: Bool = false,
            messages: [String] = [], end: [String], sent: [String]
        ) {
            testDescription = description
            self.frames = frames.map(\.bytes)
            self.fields = fields
            self.isCompressed = isCompressed
            self.messages = messages
            self.end = end
            self.sent = sent
        }
    }

    private static func text(_ text: String, isFinal: Bool = true) -> WebSocketFrame {
        WebSocketFrame(.text, isFinal: isFinal, payload: Array(text.utf8))
    }

    private static let close = WebSocketFrame.close(.normalClosure)
    private static let deflated: [UInt8] = {
        // "Hello" (RFC 7692 §7.2.3.1).
        [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
    }()

    static let rows: [Row] = [
        Row(
            "two messages and a Close frame", [text("one"), WebSocketFrame(.binary, payload: [0, 255]), close],
            messages: ["text one", "binary 00ff"], end: ["closed 1000", "ok"], sent: ["close 1000"]),
        Row(
            "a message in fragments around a Ping",
            [
                text("a", isFinal: false), WebSocketFrame(.ping, payload: [7]),
                WebSocketFrame(.continuation, payload: [0x62]), close,
            ], messages: ["text ab"], end: ["closed 1000", "ok"], sent: ["pong 07", "close 1000"]),
        Row(
            "a Close frame without a code", [.close()], end: ["closed 1005", "ok"], sent: ["close"]),
        Row(
            "a reason", [.close(CloseCode(rawValue: 4000), reason: Array("ü".utf8))], end: ["closed 4000 ü", "ok"],
            sent: ["close 4000"]),
        Row(
            "messages behind the Close frame", [text("one"), close, text("two")], messages: ["text one"],
            end: ["closed 1000", "ok"], sent: ["close 1000"]),
        Row(
            "a reserved bit", [text("one"), WebSocketFrame(.text, reserved: .rsv2), text("two")],
            messages: ["text one"], end: ["cannotParseResponse"], sent: ["close 1002"]),
        Row(
            "an unknown opcode", [WebSocketFrame(Opcode(rawValue: 3))], end: ["cannotParseResponse"],
            sent: ["close 1002"]),
        Row(
            "a masked frame", [WebSocketFrame(.text, maskingKey: MaskingKey(1), payload: [1])],
            end: ["cannotParseResponse"], sent: ["close 1002"]),
        Row(
            "text that is no UTF-8", [WebSocketFrame(.text, payload: [0xc3, 0x28])], end: ["cannotParseResponse"],
            sent: ["close 1007"]),
        Row(
            "a message that is too long", [text("a", isFinal: false)] + [long], end: ["dataLengthExceedsMaximum"],
            sent: ["close 1009"]),
        Row("nothing at all", [], end: ["connectionLost"], sent: []),
        Row(
            "compressed messages", [compressed, compressed, close],
            fields: ["Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover"], isCompressed: true,
            messages: ["text Hello", "text Hello"], end: ["closed 1000", "ok"], sent: ["close 1000"]),
        Row(
            "a protocol that was offered", [close], fields: ["Sec-WebSocket-Protocol: b"],
            end: ["closed 1000", "ok"], sent: ["close 1000"]),
    ]

    private static let compressed = WebSocketFrame(.text, reserved: .rsv1, payload: deflated)
    private static let long = WebSocketFrame(.continuation, payload: [UInt8](repeating: 0x61, count: 1 << 20))

    @Test(arguments: rows) func `a conversation is read, answered and ended`(row: Row) async throws {
        let sent = Locked<[UInt8]>([])
        try await SessionBench.run { request, peer in
            guard let accept = request.field("Sec-WebSocket-Key").flatMap({ OpeningKey.accept(for: $0.utf8) }) else {
                return reply(400)
            }
            try await peer.send(Self.opening(accept, row.fields))
            for frame in row.frames { try await peer.send(frame) }
            if row.sent.isEmpty { return nil }
            let bytes = try await peer.frames(untilClose: true)
            sent.withLock { $0 = bytes }
            return nil
        } _: { bench in
            let told = try await bench.converse(protocols: ["a", "b"], receiving: row.messages.count + 1)
            #expect(told.messages == row.messages)
            #expect(told.calls == ["open" + (row.testDescription.contains("offered") ? " b" : "")] + row.end)
        }
        #expect(sent.withLock { Self.words(of: $0) } == row.sent)
    }

    @Test(arguments: [
        "Upgrade: h2c", "Connection: close", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "Sec-WebSocket-Protocol: c", "Sec-WebSocket-Extensions: x-other",
    ]) func `a reply that opens nothing fails the task`(field: String) async throws {
        try await SessionBench.run { request, peer in
            let accept = request.field("Sec-WebSocket-Key").flatMap { OpeningKey.accept(for: $0.utf8) } ?? ""
            let name = field.prefix { $0 != ":" }
            let lines = Self.opening(accept, []).split(separator: "\r\n").filter { !$0.hasPrefix("\(name):") }
            try await peer.send((lines.map(String.init) + [field, "", ""]).joined(separator: "\r\n"))
            try await peer.wait()
            return nil
        } _: { bench in
            let told = try await bench.converse(protocols: ["a"], receiving: 1)
            #expect(told.calls == ["badServerResponse"])
            #expect(told.messages == [])
        }
    }

    @Test func `each frame has a mask of its own, and each handshake a key`() async throws {
        let sent = Locked<[[UInt8]]>([])
        let keys = Locked<Set<String>>([])
        try await SessionBench.run { request, peer in
            let key = request.field("Sec-WebSocket-Key") ?? ""
            keys.withLock { _ = $0.insert(key) }
            try await peer.send(Self.opening(OpeningKey.accept(for: key.utf8) ?? "", []))
            let bytes = try await peer.frames(untilClose: true)
            sent.withLock { $0.append(bytes) }
            try await peer.send(WebSocketFrame.close(.normalClosure).bytes)
            return nil
        } _: { bench in
            for _ in 0..<2 {
                let told = try await bench.converse(sending: ["one", "two"], closing: 1000)
                #expect(told.calls == ["open", "closed 1000", "ok"])
            }
        }
        #expect(keys.withLock { $0.count } == 2)
        for bytes in sent.withLock({ $0 }) {
            #expect(Self.words(of: bytes) == ["text one", "text two", "close 1000"])
            #expect(Set(Self.heads(of: bytes).map(\.maskingKey)).count == 3)
        }
    }

    // MARK: The server

    private static func opening(_ accept: String, _ fields: [String]) -> String {
        let usual = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(accept)"]
        return (["HTTP/1.1 101 Switching Protocols"] + usual + fields + ["", ""]).joined(separator: "\r\n")
    }

    private static func events(of bytes: [UInt8]) -> [WebSocketEvent] {
        var reader = WebSocketReader(role: .server)
        var position = 0
        var events: [WebSocketEvent] = []
        while let event = reader.next(bytes.span, at: &position) { events.append(event) }
        return events
    }

    private static func heads(of bytes: [UInt8]) -> [WebSocketFrameHead] {
        events(of: bytes).compactMap { if case .frame(let head, _) = $0 { head } else { nil } }
    }

    private static func words(of bytes: [UInt8]) -> [String] {
        events(of: bytes).compactMap { event in
            switch event {
            case .content(let content): "text \(String(decoding: content, as: UTF8.self))"
            case .pong(let payload): "pong " + payload.map { String($0 | 0, radix: 16).leftPadded }.joined()
            case .close(let code, _): "close" + (code.map { " \($0.rawValue)" } ?? "")
            case .violation(let violation): "\(violation)"
            default: nil
            }
        }
    }
}

extension String {
    fileprivate var leftPadded: String { count == 1 ? "0\(self)" : self }
}

extension Peer {
    /// Bytes up to the end of the client's Close frame, or of its connection.
    fileprivate func frames(untilClose _: Bool) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let head = try await self.bytes(2)
            let count = Int(head[1] & 0x7F)
            #expect(count < 126)
            bytes += head
            bytes += try await self.bytes(4 + count)
            if head[0] & 0x0F == 8 { return bytes }
        }
    }
}

extension SessionBench {
    /// Opens one WebSocket in a session of its own, and waits for its end.
    fileprivate func converse(
        protocols: [String] = [], sending texts: [String] = [], receiving count: Int = 0, closing code: UInt16? = nil
    ) async throws -> WebSocketLog.Told {
        let delegate = WebSocketLog()
        let session = try ReferenceSession(delegate: delegate)
        let socket = session.webSocket(with: try request("/chat"), protocols: protocols)
        socket.task.resume()
        for text in texts {
            await withCheckedContinuation { continuation in
                socket.send(WebSocketMessage(Array(text.utf8), isText: true)) { error in
                    #expect(error == nil)
                    continuation.resume()
                }
            }
        }
        for _ in 0..<count {
            let message = await withCheckedContinuation { continuation in
                socket.receive { continuation.resume(returning: try? $0.get()) }
            }
            guard let message else { break }
            let digits = message.bytes.map { String($0, radix: 16).leftPadded }.joined()
            let text = message.isText ? "text " + String(decoding: message.bytes, as: UTF8.self) : "binary " + digits
            delegate.told.withLock { $0.messages.append(text) }
        }
        if let code { socket.close(code, reason: []) }
        session.finishTasksAndInvalidate()
        await session.ended()
        await session.queue.waitForEarlierCalls()
        return delegate.told.withLock { $0 }
    }
}
