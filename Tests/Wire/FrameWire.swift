import ProctorBase
package import ProctorHTTP
package import ProctorHTTP2
import ProctorTestSupport

/// A client of HTTP/2 that sends frames as they are and reads those of the server; for a thread of its own, as ``Wire``.
package final class FrameWire: @unchecked Sendable {
    package let wire: Wire
    private var reader = FrameReader(expectsPreface: false)
    private let encoder: HeaderEncoder
    private let decoder: HeaderDecoder
    private var waiting: [ReadFrame] = []
    package private(set) var hasEnded = false

    /// Sends the preface and SETTINGS.
    package init(_ wire: Wire, settings: [Setting] = []) throws {
        self.wire = wire
        encoder = try HeaderEncoder() ?? { throw WireFailure("no coder of field blocks", 0) }()
        decoder = try HeaderDecoder() ?? { throw WireFailure("no decoder of field blocks", 0) }()
        try wire.send(FrameReader.preface)
        try send(.settings(settings))
    }

    package func send(_ frames: Frame...) throws {
        var bytes: [UInt8] = []
        for frame in frames { FrameWriter.append(frame, to: &bytes) }
        try wire.send(bytes)
    }

    /// Sends HEADERS for `GET /path`, with `name: value` fields.
    package func request(
        _ line: String, _ fields: String..., authority: String = "a", on stream: UInt32 = 1, endsStream: Bool = true
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        try send(
            .headers(
                try block(
                    [(":method", words[0]), (":scheme", "http"), (":authority", authority), (":path", words[1])]
                        + Self.pairs(fields)),
                on: stream, endsStream: endsStream))
    }

    /// Sends HEADERS for a CONNECT, with `name: value` fields; pseudo-fields too.
    package func connect(_ authority: String, _ fields: String..., on stream: UInt32 = 1, endsStream: Bool = false)
        throws
    {
        let block = try block([(":method", "CONNECT"), (":authority", authority)] + Self.pairs(fields))
        try send(.headers(block, on: stream, endsStream: endsStream))
    }

    private static func pairs(_ fields: [String]) -> [(String, String)] {
        fields.map { field in
            let colon = field.dropFirst().firstIndex(of: ":") ?? field.endIndex
            return (String(field[..<colon]), String(field[colon...].dropFirst(2)))
        }
    }

    package func block(_ fields: [(String, String)]) throws -> [UInt8] {
        guard let block = encoder.encode(fields.map { HeaderField($0.0, $0.1) }) else {
            throw WireFailure("these fields can't be encoded", 0)
        }
        return block.bytes
    }

    /// The next frame; nil at the end of the connection, however that came.
    package func next() throws -> ReadFrame? {
        while waiting.isEmpty {
            let bytes = try wire.read(1)
            guard !bytes.isEmpty else {
                hasEnded = true
                return nil
            }
            var position = 0
            while let part = reader.next(bytes.span, at: &position) {
                if case .frame(let frame) = part { waiting.append(frame) }
            }
        }
        return waiting.removeFirst()
    }

    /// What came on one stream up to its end.
    package struct Reply {
        /// Field sections as `name: value` lines, in their order.
        package var sections: [[String]] = []
        package var content: [UInt8] = []
        /// Bytes of each DATA frame.
        package var portions: [Int] = []
        package var resetCode: ErrorCode?
        /// Why the connection ended; nil where it has not.
        package var goAway: ErrorCode?
        package var endsStream = false

        package var text: String { String(decoding: content, as: UTF8.self) }
    }

    /// Reads until the stream, or the connection, has ended; acknowledges SETTINGS, and gives windows back.
    package func reply(on stream: UInt32 = 1, givesWindow: Bool = true) throws -> Reply {
        var reply = Reply()
        while let frame = try next() {
            switch frame.content {
            case .settings where !frame.frame.isAck: try send(.settingsAck)
            case .headers(let range, _, _) where frame.frame.stream == stream:
                let section = try decoder.decode(Array(frame.frame.payload[range]))
                reply.sections.append(
                    section.fields.map {
                        "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
                    })
            case .headers(let range, _, _): _ = try decoder.decode(Array(frame.frame.payload[range]))
            case .data(let range, _) where frame.frame.stream == stream:
                reply.content += frame.frame.payload[range]
                reply.portions.append(range.count)
                if givesWindow, !range.isEmpty {
                    try send(.windowUpdate(UInt32(range.count)), .windowUpdate(UInt32(range.count), on: stream))
                }
            case .resetStream(let code) where frame.frame.stream == stream:
                reply.resetCode = code
                return reply
            case .goAway(_, let code, _): reply.goAway = code
            default: break
            }
            if frame.frame.endsStream, frame.frame.stream == stream {
                reply.endsStream = true
                return reply
            }
        }
        return reply
    }

    /// The next field section of the server, as `name: value` lines, whatever frames come before it.
    package func head() throws -> [String] {
        guard let frame = try next(.headers) else { throw WireFailure("no HEADERS came", 0) }
        guard case .headers(let range, _, _)? = frame.content else { return [] }
        return try decoder.decode(Array(frame.frame.payload[range])).fields.map {
            "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
        }
    }

    /// The next frame of a type, whatever comes before it; nil at the end.
    package func next(_ type: FrameType) throws -> ReadFrame? {
        while let frame = try next() { if frame.frame.type == type { return frame } }
        return nil
    }
}
