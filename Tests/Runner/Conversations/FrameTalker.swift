import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import ProctorTestWire

/// A connection of HTTP/2 whose frames are told in words.
final class FrameTalker: @unchecked Sendable {
    let wire: Wire
    private var reader = FrameReader(expectsPreface: false, maximumPayloadByteCount: FrameLimits.largestMaximum)
    private let encoder: HeaderEncoder
    private let decoder: HeaderDecoder
    private var waiting: [ReadFrame] = []
    /// Fragments of a field block that has not ended.
    private var fragments: [UInt8] = []
    private var hasSettings = false
    /// What is done and left out without a word.
    var habits = Habits()

    struct Habits {
        var acknowledges = true
        var givesWindows = true
        var showsSettings = false
        var showsWindows = false
        var hashesContent = false
    }

    init(_ wire: Wire) throws {
        self.wire = wire
        guard let encoder = HeaderEncoder(), let decoder = HeaderDecoder() else {
            throw WireFailure("no coder of field blocks", 0)
        }
        (self.encoder, self.decoder) = (encoder, decoder)
    }

    func begin(_ settings: [ProctorHTTP.Setting]) throws {
        try wire.send(FrameReader.preface)
        try send([.settings(settings)])
    }

    func send(_ frames: [Frame]) throws {
        var bytes: [UInt8] = []
        for frame in frames { FrameWriter.append(frame, to: &bytes) }
        try wire.send(bytes)
    }

    func block(_ fields: [(String, String)]) -> [UInt8] {
        encoder.encode(fields.map { HeaderField($0.0, $0.1) })?.bytes ?? []
    }

    // MARK: Reading

    /// The next frame as lines; nil where it is one that is left out.
    ///
    /// `<closed>` and `<reset>` are the ends of the connection.
    func nextLines() throws -> [String]? {
        guard let frame = try nextFrame() else { return [try ending()] }
        return try lines(frame)
    }

    private func ending() throws -> String {
        let last = try wire.readToEnd().ending
        return "<\(wire.ending ?? last)>"
    }

    private func nextFrame() throws -> ReadFrame? {
        while waiting.isEmpty {
            // Just one frame, so that what is behind it can be told from silence.
            var bytes = try wire.read(9)
            guard !bytes.isEmpty else { return nil }
            let count = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            if count > 0 { bytes += try wire.read(count) }
            var position = 0
            while let part = reader.next(bytes.span, at: &position) {
                if case .frame(let frame) = part { waiting.append(frame) }
            }
        }
        return waiting.removeFirst()
    }

    private func lines(_ read: ReadFrame) throws -> [String]? {
        let frame = read.frame
        var words = ["\(frame.type) \(frame.stream)"]
        if frame.hasReservedBit { words.append("reserved") }
        switch read.content {
        case .settings(let settings):
            let isFirst = !hasSettings && !frame.isAck
            if !frame.isAck { hasSettings = true }
            // The client may have sent FIN.
            if !frame.isAck, habits.acknowledges { try? send([.settingsAck]) }
            if (frame.isAck || isFirst) && !habits.showsSettings { return nil }
            words = ["SETTINGS" + (frame.isAck ? " ack" : "")] + settings.map(\.description)
        case .headers(let range, _, let padding):
            if frame.flags.contains(.endStream) { words.append("end") }
            if let padding { words.append("pad \(padding.byteCount)") }
            return [words.joined(separator: " ")] + (try fields(frame, range))
        case .pushPromise(let promised, let range, _):
            words.append("promises \(promised)")
            return [words.joined(separator: " ")] + (try fields(frame, range))
        case .continuation(let range): return [words.joined(separator: " ")] + (try fields(frame, range))
        case .data(let range, let padding):
            if frame.flags.contains(.endStream) { words.append("end") }
            if let padding { words.append("pad \(padding.byteCount)") }
            if habits.givesWindows, !range.isEmpty {
                try? send([.windowUpdate(UInt32(range.count)), .windowUpdate(UInt32(range.count), on: frame.stream)])
            }
            let content = Array(frame.payload[range])
            if content.count > 1_000 {
                words.append("\(content.count) bytes")
            } else {
                words.append(ByteText.inLine(content))
            }
        case .windowUpdate(let increment):
            if !habits.showsWindows { return nil }
            words.append("\(increment)")
        case .ping(let opaque):
            words = ["PING" + (frame.isAck ? " ack" : ""), Self.hex(opaque)]
        case .resetStream(let code): words.append("\(code)")
        case .goAway(let last, let code, let debug):
            words = ["GOAWAY", "last \(last)", "\(code)", ByteText.inLine(frame.payload[debug])]
        default:
            if frame.flags.rawValue != 0 { words.append("flags 0x\(String(frame.flags.rawValue, radix: 16))") }
            words.append(ByteText.inLine(frame.payload))
        }
        return [words.filter { !$0.isEmpty }.joined(separator: " ")]
    }

    /// The fields of a block that ends with this frame, one below the other.
    private func fields(_ frame: Frame, _ range: Range<Int>) throws -> [String] {
        fragments += frame.payload[range]
        guard frame.flags.contains(.endHeaders) else { return ["    \(range.count) bytes of a part"] }
        defer { fragments = [] }
        return try decoder.decode(fragments).fields.map {
            "    \(ByteText.inLine($0.name)): \(ByteText.inLine($0.value))"
        }
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: Whole replies

    /// Replies by their streams, for `< reply 1`.
    private var replies: [UInt32: FrameReply] = [:]

    /// What came on a stream up to its end, whatever comes on others meanwhile; where a text is given, until content ends with it, or
    /// has it anywhere.
    func reply(on stream: UInt32, until text: String? = nil, anywhere: Bool = false) throws -> String {
        while true {
            let reply = replies[stream] ?? FrameReply()
            if reply.hasEnded || text.map({ anywhere ? reply.text.contains($0) : reply.text.hasSuffix($0) }) == true {
                break
            }
            guard let frame = try nextFrame() else {
                replies[stream, default: FrameReply()].end = try ending()
                break
            }
            try collect(frame)
        }
        let reply = replies[stream] ?? FrameReply()
        if text != nil, !reply.hasEnded { replies[stream]?.content = [] } else { replies[stream] = nil }
        if text != nil { replies[stream]?.sections = [] }
        return reply.line(hashed: habits.hashesContent)
    }

    private func collect(_ read: ReadFrame) throws {
        let frame = read.frame
        switch read.content {
        case .headers, .continuation:
            guard let lines = try lines(read), frame.flags.contains(.endHeaders) else { return }
            replies[frame.stream, default: FrameReply()].sections.append(
                lines.dropFirst().map { $0.trimmingPrefix("    ") }.map(String.init))
        case .data(let range, _):
            replies[frame.stream, default: FrameReply()].content += frame.payload[range]
            replies[frame.stream, default: FrameReply()].portions.append(range.count)
            _ = try lines(read)
        case .resetStream(let code): replies[frame.stream, default: FrameReply()].end = "reset \(code)"
        case .goAway(_, let code, _): for stream in replies.keys { replies[stream]?.goAway = "GOAWAY \(code)" }
        default: _ = try lines(read)
        }
        if frame.endsStream { replies[frame.stream, default: FrameReply()].end = "end" }
    }
}

/// What came on one stream.
struct FrameReply {
    var sections: [[String]] = []
    var content: [UInt8] = []
    var portions: [Int] = []
    var goAway: String?
    var end: String?

    var hasEnded: Bool { end != nil }
    var text: String { String(decoding: content, as: UTF8.self) }

    /// `200 | x: y | body hello | end`.
    func line(hashed: Bool) -> String {
        var parts = sections.map { section in
            section.map { $0.hasPrefix(":status: ") ? String($0.dropFirst(9)) : $0 }.joined(separator: ", ")
        }
        if !content.isEmpty {
            let size = "of \(content.count) bytes" + (hashed ? ", SHA-256 \(ExchangeForm.hash(content))" : "")
            parts.append("body " + (content.count > 1_000 ? size : ByteText.inLine(content)))
        }
        if let goAway { parts.append(goAway) }
        return (parts + [end ?? "open"]).joined(separator: " | ")
    }
}
