import ProctorBase
import ProctorTestSupport
import ProctorWebSocket

/// What a reader of WebSocket frames says of frames that are written as words.
///
/// Without `client` or `server` both ends read them, with right masks, and must say the same.
struct WebSocketLines {
    private let block: Block
    private var limits = WebSocketLimits()
    private var compression: DeflateDirection?
    private var bits: ReservedBits = []

    static func read(_ input: [UInt8], _ block: Block) throws -> [String] { try WebSocketLines(block).read(input) }

    private init(_ block: Block) throws {
        self.block = block
        if block.has("small") { (limits.frameByteCount, limits.messageByteCount, limits.fragmentCount) = (8, 12, 4) }
        limits.frameByteCount = try block.number(of: "frame-limit") ?? limits.frameByteCount
        if block.has("deflate") {
            compression = DeflateDirection(
                takesContextOver: !block.has("alone"), windowBits: try block.number(of: "window") ?? 15)
        }
        if block.has("rsv2") { bits = .rsv2 }
    }

    private func read(_ input: [UInt8]) throws -> [String] {
        let text = try WebSocketFrameText(
            windowBits: block.has("noisy") ? 15 : try block.number(of: "window") ?? 15, isAlone: block.has("alone"),
            level: block.has("noisy") ? 9 : nil)
        let frames = try input.steps.flatMap { try text.frames($0) }
        if let role = WebSocketRole(rawValue: block.words.first ?? "") { return lines(frames, role) }
        let masked = frames.enumerated().map { index, frame in
            var frame = frame
            frame.maskingKey = MaskingKey(0xA1B2_C3D4 &* UInt32(truncatingIfNeeded: index &+ 1))
            return frame
        }
        let server = lines(masked, .server)
        let client = lines(frames, .client)
        changeBytes(of: frames)
        return server == client ? server.counted : ["as a server:"] + server + ["as a client:"] + client
    }

    private struct Reading: Equatable {
        var events: [WebSocketEvent] = []
        var end: WebSocketViolation?
        /// Whether a piece of content was larger than a message may be.
        var isLoose = false
    }

    private func read(_ pieces: [[UInt8]], _ role: WebSocketRole) -> Reading {
        var reader = WebSocketReader(role: role, limits: limits, compression: compression, permittedBits: bits)
        var reading = Reading()
        for piece in pieces {
            var position = 0
            while let event = reader.next(piece.span, at: &position) {
                if case .content(let more) = event, more.count > limits.messageByteCount { reading.isLoose = true }
                if case .content(let more) = event, case .content(let before)? = reading.events.last {
                    reading.events[reading.events.count - 1] = .content(before + more)
                } else {
                    reading.events.append(event)
                }
            }
        }
        reading.end = reader.finish()
        return reading
    }

    private func lines(_ frames: [WebSocketFrame], _ role: WebSocketRole) -> [String] {
        let places = FramePlaces(frames)
        let bytes = frames.flatMap(\.bytes)
        let whole = read([bytes], role)
        var lines =
            block.has("events")
            ? whole.events.map { EventLines.line($0, places) } : EventLines.summary(whole.events, places)
        if block.has("ends") { lines.append(whole.end.map { EventLines.violation($0, places) } ?? "ended well") }
        if whole.isLoose { lines.append("content beyond the bound of a message") }
        var ways = [[[], bytes, []]]
        // What inflates to much is cut at few places.
        let isLong = whole.events.contains {
            if case .content(let content) = $0 { content.count > 2_000 } else { false }
        }
        if isLong { ways = [[[], Array(bytes.prefix(5)), Array(bytes.dropFirst(5))]] }
        if !isLong, bytes.count < 2_000 { ways.append(bytes.map { [$0] }) }
        for cut in isLong
            ? []
            : Array(
                stride(
                    from: 0, through: bytes.count, by: bytes.count < 500 ? max(1, bytes.count / 100) : bytes.count / 9))
        {
            ways.append([Array(bytes[..<cut]), Array(bytes[cut...])])
        }
        for way in ways where read(way, role) != whole {
            lines.append("in pieces of \(way.prefix(3).map(\.count)) something else")
            break
        }
        return lines
    }

    /// The same frames with bytes that are changed at random, always the same ones: nothing traps, and pieces make what the
    /// whole makes.
    private func changeBytes(of frames: [WebSocketFrame]) {
        var bytes = frames.flatMap(\.bytes)
        guard bytes.count < 500, !bytes.isEmpty else { return }
        var generator = SeededGenerator(seed: UInt64(bytes.count))
        var changed = self
        (changed.limits.frameByteCount, changed.limits.messageByteCount, changed.limits.fragmentCount) = (8, 12, 4)
        for role in WebSocketRole.allCases {
            for _ in 0..<2 {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
                let cut = Int.random(in: 0...bytes.count, using: &generator)
                let whole = changed.read([bytes], role)
                precondition(changed.read([Array(bytes[..<cut]), Array(bytes[cut...])], role) == whole)
            }
        }
    }
}

/// Where frames begin, to tell places without the length of their heads.
struct FramePlaces {
    private var frames: [(start: Int, head: Int)] = []

    init(_ all: [WebSocketFrame]) {
        var start = 0
        for frame in all {
            let count = frame.bytes.count
            frames.append((start, count - frame.payload.count))
            start += count
        }
    }

    /// `frame 0 byte 1`, or `frame 0 payload 3`.
    func place(_ offset: Int) -> String {
        guard let index = frames.lastIndex(where: { $0.start <= offset }) else { return "byte \(offset)" }
        let place = offset - frames[index].start
        return "frame \(index) "
            + (place < frames[index].head ? "byte \(place)" : "payload \(place - frames[index].head)")
    }
}

/// Events as lines.
enum EventLines {
    /// Messages, control frames and violations in a line each; a message without its end has dots.
    static func summary(_ events: [WebSocketEvent], _ places: FramePlaces) -> [String] {
        var lines: [String] = []
        var open: (kind: String, content: [UInt8])?
        func end(_ mark: String) {
            if let message = open { lines.append("\(message.kind) " + shown(message.content) + mark) }
            open = nil
        }
        for event in events {
            switch event {
            case .frame, .frameEnded: break
            case .messageBegan(let kind, _):
                end(" (cut)")
                open = (kind.rawValue, [])
            case .content(let bytes): open?.content += bytes
            case .messageEnded: end("")
            default: lines.append(line(event, places))
            }
        }
        end(" (cut)")
        return lines
    }

    /// Long content as its length and a sum over its bytes.
    private static func shown(_ bytes: [UInt8]) -> String {
        if bytes.count > 300, let byte = bytes.first, bytes == [UInt8](repeating: byte, count: bytes.count) {
            return "(\(bytes.count) times \(ByteText.inLine([byte])))"
        }
        let text = bytes.count < 2_000 ? ByteText.inLine(bytes) : ""
        guard bytes.count >= 2_000 || text.utf8.count > 300 else { return text }
        let sum = bytes.reduce(0 as UInt32) { ($0 << 5 | $0 >> 27) ^ UInt32($1) }
        return "(\(bytes.count) bytes, sum \(String(sum, radix: 16)))"
    }

    static func line(_ event: WebSocketEvent, _ places: FramePlaces) -> String {
        switch event {
        case .frame(let head, let offset):
            "frame \(head) at \(offset), key \(head.maskingKey.map { String($0.word, radix: 16) } ?? "-"), "
                + "\(head.lengthForm) length, \(head.opcode.isKnown ? "known" : "unknown")"
        case .messageBegan(let kind, let isCompressed): "\(kind) begins" + (isCompressed ? ", compressed" : "")
        case .content(let bytes): "content " + ByteText.inLine(bytes)
        case .frameEnded: "frame ended"
        case .messageEnded: "message ended"
        case .close(let code, let reason):
            "close \(code.map { "\($0)" } ?? "-") " + ByteText.inLine(reason)
        case .ping(let payload): "ping " + ByteText.inLine(payload)
        case .pong(let payload): "pong " + ByteText.inLine(payload)
        case .violation(let found): violation(found, places)
        }
    }

    /// `bad-utf8 1007 at frame 0 payload 1 (RFC 6455 §8.1)`.
    static func violation(_ violation: WebSocketViolation, _ places: FramePlaces) -> String {
        let isPrintable = violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return "\(violation.kind.rawValue) \(violation.closeCode.map { "\($0.rawValue)" } ?? "-") "
            + "at \(places.place(violation.offset)) (\(violation.section))" + (isPrintable ? "" : " not printable")
            + (violation.description.contains("at byte \(violation.offset)") ? "" : " without its place")
    }
}
