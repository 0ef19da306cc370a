internal import ProctorBase
internal import ProctorCoding
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
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

    struct Written {
        var bytes: [UInt8] = []
        var notes: [WebSocketFrameNote] = []
    }

    init(_ direction: DeflateDirection?, keeping room: Int) {
        self.direction = direction
        self.room = room
    }

    /// The frames of a message.
    func frames(of message: WebSocketMessage, content: [UInt8]) throws(ConnectionEnd) -> Written {
        let isCompressed = message.isCompressed ?? (direction != nil)
        let payload = isCompressed ? try deflate(content) : content
        let frames = WebSocketFrame.dividing(
            payload, message.isText ? .text : .binary, sizes: message.sizes, isCompressed: isCompressed)
        let kept = content.prefix(min(room, ReceivedBytes.keptByteLimit))
        room -= kept.count
        let note = WebSocketFrameNote.Message(
            message.isText ? .text : .binary, byteCount: content.count, kept: Array(kept), isCompressed: isCompressed)
        return write(frames, note)
    }

    /// What a turn sends; nil for a turn that does something else.
    func written(for turn: WebSocketTurn) throws(ConnectionEnd) -> Written? {
        switch turn {
        case .send(let message): return try frames(of: message, content: message.content.readBytes())
        case .control(let opcode, let source): return single(WebSocketFrame(opcode, payload: try source.readBytes()))
        case .close(let code, let reason): return single(.close(code, reason: try reason.readBytes()))
        case .frame(var template):
            template.frame.payload = try template.payload.readBytes()
            return single(template.frame)
        case .effect, .expect, .echo: return nil
        }
    }

    /// A frame by itself, right or wrong.
    func single(_ frame: WebSocketFrame) -> Written {
        let payload = frame.payload
        var note: WebSocketFrameNote.Message?
        switch frame.opcode {
        case .ping, .pong:
            note = .init(frame.opcode == .ping ? .ping : .pong, byteCount: payload.count, kept: payload)
        case .close:
            let code = payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1])
            note = .init(.close, byteCount: max(0, payload.count - 2), kept: Array(payload.dropFirst(2)), code: code)
        case .text where frame.isFinal, .binary where frame.isFinal:
            note = .init(frame.opcode == .text ? .text : .binary, byteCount: payload.count, kept: payload)
        default: break
        }
        let kept = (note?.kept ?? []).prefix(min(room, ReceivedBytes.keptByteLimit))
        note?.kept = Array(kept)
        room -= kept.count
        return write([frame], note)
    }

    private func write(_ frames: [WebSocketFrame], _ message: WebSocketFrameNote.Message?) -> Written {
        var written = Written()
        for (index, frame) in frames.enumerated() {
            var note = WebSocketFrameNote(frame, at: byteCount + written.bytes.count)
            if index == frames.count - 1 { note.message = message }
            written.notes.append(note)
            WebSocketWriter.append(frame, to: &written.bytes)
        }
        byteCount += written.bytes.count
        return written
    }

    private func deflate(_ content: [UInt8]) throws(ConnectionEnd) -> [UInt8] {
        do throws(CodingFailure) {
            let bits = direction?.windowBits ?? 15
            let deflater = try MessageDeflater(windowBits: bits, window: window)
            if direction?.takesContextOver == true {
                window = Array((window.suffix(1 << bits) + content.suffix(1 << bits)).suffix(1 << bits))
            }
            return deflater.deflate(content.span)
        } catch {
            throw .sourceFailed(error.sentence)
        }
    }
}

/// The frames of the first turns, which go out in one write with the head of the reply.
struct WebSocketLead {
    let output: WebSocketOutput
    private(set) var written = WebSocketOutput.Written()
    private(set) var turnCount = 0

    /// More bytes than these go out behind the head.
    private static let byteBound = 16 << 10

    init(_ script: WebSocketScript, keeping room: Int, _ wire: WireLayout, _ traits: LaidOutReply.Traits)
        throws(ConnectionEnd)
    {
        output = WebSocketOutput(script.agreement?.compression?.direction(from: .server), keeping: room)
        // A pace and cuts count the bytes of the head alone.
        guard wire == .bytes, traits.schedule == nil else { return }
        for turn in script.turns {
            guard written.bytes.count + turn.sentByteCount <= Self.byteBound,
                let more = try output.written(for: turn)
            else { return }
            written.bytes += more.bytes
            written.notes += more.notes
            turnCount += 1
        }
    }
}

extension WebSocketTurn {
    /// Of the payload; `.max` where the turn does not send alone.
    fileprivate var sentByteCount: Int {
        switch self {
        case .send(let message): message.content.byteCount ?? .max / 2
        case .control(_, let source): source.byteCount ?? .max / 2
        case .frame(let template): template.payload.byteCount ?? .max / 2
        case .effect, .close, .expect, .echo: .max / 2
        }
    }
}

extension WebSocketFrameNote {
    /// Of a frame that came.
    init(_ head: WebSocketFrameHead, at offset: Int) {
        self.init(
            by: .client, opcode: "\(head.opcode)", flags: Self.flags(head.isFinal, head.reserved),
            isMasked: head.maskingKey != nil, byteCount: Int(clamping: head.payloadByteCount), offset: offset)
    }

    /// Of a frame that goes out.
    fileprivate init(_ frame: WebSocketFrame, at offset: Int) {
        self.init(
            by: .server, opcode: "\(frame.opcode)", flags: Self.flags(frame.isFinal, frame.reserved),
            isMasked: frame.departures.hasMaskBit ?? (frame.maskingKey != nil),
            byteCount: frame.departures.statedByteCount.map { Int(clamping: $0) } ?? frame.payload.count, offset: offset
        )
    }

    private static func flags(_ isFinal: Bool, _ reserved: ReservedBits) -> [String] {
        let bits: [(ReservedBits, String)] = [(.rsv1, "RSV1"), (.rsv2, "RSV2"), (.rsv3, "RSV3")]
        return (isFinal ? ["FIN"] : []) + bits.filter { reserved.contains($0.0) }.map(\.1)
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
