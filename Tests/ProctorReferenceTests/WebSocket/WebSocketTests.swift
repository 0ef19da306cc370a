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
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: [[UInt8]]
        /// The kind of the error.
        let end: String
        /// The frames of the client.
        let sent: [String]
    }

    private static func text(_ text: String, isFinal: Bool = true) -> WebSocketFrame {
        WebSocketFrame(.text, isFinal: isFinal, payload: Array(text.utf8))
    }

    static let rows: [Row] = [
        Row(
            testDescription: "a message that is too long", frames: [text("a", isFinal: false), long].map(\.bytes),
            end: "dataLengthExceedsMaximum", sent: ["close 1009"]),
        Row(testDescription: "nothing at all", frames: [], end: "connectionLost", sent: []),
    ]

    private static let long = WebSocketFrame(.continuation, payload: [UInt8](repeating: 0x61, count: 1 << 20))

    @Test(arguments: rows) func `a conversation is read, answered and ended`(row: Row) async throws {
        let sent = Locked<[UInt8]>([])
        try await SessionBench.run { request, peer in
            guard let accept = request.field("Sec-WebSocket-Key").flatMap({ OpeningKey.accept(for: $0.utf8) }) else {
                return reply(400)
            }
            try await peer.send(Self.opening(accept))
            for frame in row.frames { try await peer.send(frame) }
            if row.sent.isEmpty { return nil }
            let bytes = try await peer.frames(untilClose: true)
            sent.withLock { $0 = bytes }
            return nil
        } _: { bench in
            let told = try await bench.converse()
            #expect(told.messages == [])
            #expect(told.calls == ["open", row.end])
        }
        #expect(sent.withLock { Self.words(of: $0) } == row.sent)
    }

    // MARK: The server

    private static func opening(_ accept: String) -> String {
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
    }

    private static func events(of bytes: [UInt8]) -> [WebSocketEvent] {
        var reader = WebSocketReader(role: .server)
        var position = 0
        var events: [WebSocketEvent] = []
        while let event = reader.next(bytes.span, at: &position) { events.append(event) }
        return events
    }

    private static func words(of bytes: [UInt8]) -> [String] {
        events(of: bytes).compactMap {
            if case .close(let code, _) = $0 { "close \(code?.rawValue ?? 0)" } else { nil }
        }
    }
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
    /// Opens one WebSocket in a session of its own, waits for a message, and for its end.
    fileprivate func converse() async throws -> WebSocketLog.Told {
        let delegate = WebSocketLog()
        let session = try ReferenceSession(delegate: delegate)
        let socket = session.webSocket(with: try request("/chat"), protocols: [])
        socket.task.resume()
        let message = await withCheckedContinuation { continuation in
            socket.receive { continuation.resume(returning: try? $0.get()) }
        }
        #expect(message == nil)
        session.finishTasksAndInvalidate()
        await session.ended()
        await session.queue.waitForEarlierCalls()
        return delegate.told.withLock { $0 }
    }
}
