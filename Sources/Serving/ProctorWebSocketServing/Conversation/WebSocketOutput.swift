internal import ProctorBase
internal import ProctorCoding
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorWebSocket

/// What a server sends on a WebSocket, as bytes, with a note of each frame for the journal.
final class WebSocketOutput {
    /// nil where compression was not agreed on.
    private let direction: DeflateDirection?
    /// The end of the compressed messages before, to which the next one may refer; a deflater would take 300 KiB.
    private var window: [UInt8] = []
    private var byteCount = 0
    /// Bytes that the journal still keeps.
    private var room: Int
    /// nil where all frames are right.
    private let audience: WebSocketAudience?

    struct Written {
        var bytes: [UInt8] = []
        /// The payload of a long message, which goes out behind ``bytes``: it is not copied.
        var tail: [UInt8] = []
        var notes: [WebSocketFrameNote] = []

        var byteCount: Int { bytes.count + tail.count }
    }

    /// Payloads up to this are copied behind their heads, so that several frames go out in one write.
    private static let copiedByteLimit = 32 << 10
    /// Content up to this is deflated in one turn of the loop.
    static let deflatedByteLimit = 256 << 10

    init(_ script: WebSocketScript, keeping room: Int) {
        direction = script.agreement?.compression?.direction(from: .server)
        self.room = room
        audience = WebSocketAudience(script)
    }

    /// Appends the frames of a message to what goes out.
    func append(
        _ message: WebSocketMessage, content: [UInt8], to written: inout Written
    ) throws(ConnectionEnd) {
        guard isCompressed(message) else { return appendMessage(message, content: content, content, to: &written) }
        do throws(CodingFailure) {
            appendMessage(
                message, content: content, try deflater(for: content).deflate(content.span), isCompressed: true,
                to: &written)
        } catch {
            throw .sourceFailed(error.sentence)
        }
    }

    /// Appends a message's frames for content of any length: others have turns between the parts that are deflated.
    func appendInTurns(
        _ message: WebSocketMessage, content: [UInt8], to written: inout Written, of loop: EventLoop
    ) async throws(ConnectionEnd) {
        guard isDeflatedInTurns(message, content) else { return try append(message, content: content, to: &written) }
        do throws(CodingFailure) {
            let deflater = try deflater(for: content)
            var payload: [UInt8] = []
            var start = 0
            while start < content.count {
                let end = min(content.count, start + Self.deflatedByteLimit)
                deflater.deflate(piece: content.span.extracting(start..<end), into: &payload)
                start = end
                await loop.yieldToOthers()
            }
            appendMessage(message, content: content, deflater.finishMessage(&payload), isCompressed: true, to: &written)
        } catch {
            throw .sourceFailed(error.sentence)
        }
    }

    func isDeflatedInTurns(_ message: WebSocketMessage, _ content: [UInt8]) -> Bool {
        isCompressed(message) && content.count > Self.deflatedByteLimit
    }

    private func isCompressed(_ message: WebSocketMessage) -> Bool { message.isCompressed ?? (direction != nil) }

    private func appendMessage(
        _ message: WebSocketMessage, content: [UInt8], _ payload: [UInt8], isCompressed: Bool = false,
        to written: inout Written
    ) {
        let opcode: Opcode = message.isText ? .text : .binary
        let note = WebSocketFrameNote.Message(
            message.isText ? .text : .binary, byteCount: content.count, kept: content.keptForJournal(within: &room),
            isCompressed: isCompressed)
        guard message.sizes.isEmpty else {
            let frames = WebSocketFrame.dividing(payload, opcode, sizes: message.sizes, isCompressed: isCompressed)
            return appendFrames(frames, note, to: &written)
        }
        // No literal `[]`, which generic code would make of an array for each message.
        let reserved = isCompressed ? ReservedBits.rsv1 : ReservedBits(rawValue: 0)
        written.notes.append(
            WebSocketFrameNote(sent: opcode, reserved, byteCount: payload.count, at: byteCount, note))
        let before = written.bytes.count
        let isCopied = payload.count <= Self.copiedByteLimit
        if before == 0 { written.bytes.reserveCapacity(10 + (isCopied ? payload.count : 0)) }
        WebSocketWriter.appendHead(opcode, reserved: reserved, payloadByteCount: payload.count, to: &written.bytes)
        if let audience { hear(from: before, payload, by: audience, in: &written) }
        if isCopied { written.bytes += payload } else { written.tail = payload }
        byteCount += written.bytes.count - before + (isCopied ? 0 : payload.count)
    }

    /// Appends what a turn sends; false for a turn that does something else.
    func appendTurn(_ turn: WebSocketTurn, to written: inout Written) throws(ConnectionEnd) -> Bool {
        switch turn {
        case .send(let message): try append(message, content: message.content.readBytes(), to: &written)
        case .control(let opcode, let source):
            append(WebSocketFrame(opcode, payload: try source.readBytes()), to: &written)
        case .close(let code, let reason): append(.close(code, reason: try reason.readBytes()), to: &written)
        case .frame(var template):
            template.frame.payload = try template.payload.readBytes()
            append(template.frame, to: &written)
        case .effect, .expect, .echo, .script: return false
        }
        return true
    }

    /// Appends a frame by itself, right or wrong.
    func append(_ frame: WebSocketFrame, to written: inout Written) {
        let payload = frame.payload
        var note: WebSocketFrameNote.Message?
        switch frame.opcode {
        case .ping, .pong:
            note = .init(frame.opcode == .ping ? .ping : .pong, byteCount: payload.count, kept: payload)
        case .close:
            let code = payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1])
            note = .init(.close, byteCount: max(0, payload.count - 2), kept: Array(payload.dropFirst(2)), code: code)
        case .text where frame.isFinal && !frame.reserved.contains(.rsv1),
            .binary where frame.isFinal && !frame.reserved.contains(.rsv1):
            note = .init(frame.opcode == .text ? .text : .binary, byteCount: payload.count, kept: payload)
        default: break
        }
        if let kept = note?.kept { note?.kept = kept.keptForJournal(within: &room) }
        appendFrames([frame], note, to: &written)
    }

    private func appendFrames(
        _ frames: [WebSocketFrame], _ message: WebSocketFrameNote.Message?, to written: inout Written
    ) {
        for (index, frame) in frames.enumerated() {
            let before = written.bytes.count
            var note = WebSocketFrameNote(frame, at: byteCount)
            if index == frames.count - 1 { note.message = message }
            written.notes.append(note)
            WebSocketWriter.append(frame, to: &written.bytes)
            if let audience { hear(from: before, [], by: audience, in: &written) }
            byteCount += written.bytes.count - before
        }
    }

    /// Notes what a client makes of the last frame, whose bytes begin at `start` of what goes out; `rest` follows them.
    private func hear(from start: Int, _ rest: [UInt8], by audience: WebSocketAudience, in written: inout Written) {
        guard var note = written.notes.popLast() else { return }
        defer { written.notes.append(note) }
        for isHead in [true, false] {
            let heard =
                isHead
                ? audience.hear(written.bytes.span.extracting(start..<written.bytes.count)) : audience.hear(rest.span)
            note.violation = note.violation ?? heard.violation?.rawValue
            // Behind a frame that is refused, a message is what the turn says, which no client reads.
            guard heard.isRead else { return }
            if let message = heard.message {
                room += note.message?.kept.count ?? 0
                note.message = WebSocketFrameNote.Message(
                    message.kind, byteCount: message.content.count,
                    kept: message.content.keptForJournal(within: &room), isCompressed: message.isCompressed)
            }
        }
    }

    /// For the next message, which has this content.
    private func deflater(for content: [UInt8]) throws(CodingFailure) -> MessageDeflater {
        let bits = direction?.windowBits ?? 15
        let deflater = try MessageDeflater(windowBits: bits, window: window)
        if direction?.takesContextOver == true {
            window = Array((window.suffix(1 << bits) + content.suffix(1 << bits)).suffix(1 << bits))
        }
        return deflater
    }
}

extension WebSocketFrameNote {
    /// The note of a frame that came.
    init(_ head: WebSocketFrameHead, at offset: Int) {
        self.init(
            by: .client, opcode: head.opcode.description, flags: Self.flags(head.isFinal, head.reserved),
            isMasked: head.maskingKey != nil, mask: head.maskingKey.map { Int($0.word) },
            byteCount: Int(clamping: head.payloadByteCount), offset: offset)
    }

    /// The note of a frame that goes out.
    fileprivate init(_ frame: WebSocketFrame, at offset: Int) {
        self.init(
            by: .server, opcode: frame.opcode.description, flags: Self.flags(frame.isFinal, frame.reserved),
            isMasked: frame.departures.hasMaskBit ?? (frame.maskingKey != nil),
            mask: frame.maskingKey.map { Int($0.word) },
            byteCount: frame.departures.statedByteCount.map { Int(clamping: $0) } ?? frame.payload.count, offset: offset
        )
    }

    /// The note of a lawful message in one frame that goes out.
    fileprivate init(
        sent opcode: Opcode, _ reserved: ReservedBits, byteCount: Int, at offset: Int, _ message: Message
    ) {
        self.init(
            by: .server, opcode: opcode.description, flags: Self.flags(true, reserved), isMasked: false,
            byteCount: byteCount,
            offset: offset, message: message)
    }

    /// The names of the flags, by FIN, as 8, and the reserved bits.
    private static let allFlags: [[String]] = (0..<16).map { bits in
        [(8, "FIN"), (4, "RSV1"), (2, "RSV2"), (1, "RSV3")].filter { bits & $0.0 != 0 }.map(\.1)
    }

    private static func flags(_ isFinal: Bool, _ reserved: ReservedBits) -> [String] {
        allFlags[(isFinal ? 8 : 0) | Int(reserved.rawValue)]
    }
}

extension WebSocketNote {
    init(_ violation: HandshakeViolation) {
        self.init(
            .violation(
                WebSocketViolationNote(
                    of: .handshake, violation.kind.rawValue, at: violation.offset, section: violation.section,
                    sentence: violation.sentence)))
    }

    /// `code`: that of the Close which answers it.
    init(_ violation: WebSocketViolation, code: CloseCode?) {
        self.init(
            .violation(
                WebSocketViolationNote(
                    of: .frames, violation.kind.rawValue, at: violation.offset, code: code.map { Int($0.rawValue) },
                    section: violation.section, sentence: violation.sentence)))
    }
}
