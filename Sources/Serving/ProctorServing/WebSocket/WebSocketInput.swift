internal import ProctorBase
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorWebSocket

/// Something whole that a client has sent.
enum WebSocketArrival {
    case message([UInt8], isText: Bool)
    /// A Ping or a Pong.
    case control(Opcode, [UInt8])
    case close(CloseCode?, reason: [UInt8])
}

/// What a client sends on a WebSocket, as whole messages, with a note of each frame for the journal; never waits.
final class WebSocketInput {
    private var reader: WebSocketReader
    /// Content of the message under way.
    private var content: [UInt8] = []
    private var kind = WebSocketEvent.MessageKind.text
    private var isCompressed = false
    /// The frame under way.
    private var frame: WebSocketFrameNote?
    /// What the frame under way is, where it is a control frame that was read.
    private var control: WebSocketArrival?
    private var notes: [WebSocketFrameNote] = []
    private var frameCount = 0
    /// Bytes that the journal still keeps.
    private var room: Int

    enum Step {
        case arrival(WebSocketArrival)
        case violation(WebSocketViolation)
        /// The client sends more than is read; a sentence.
        case bound(String)
    }

    init(_ script: WebSocketScript, keeping room: Int) {
        var limits = WebSocketLimits()
        limits.messageByteCount = script.messageByteCount
        reader = WebSocketReader(
            role: .server, limits: limits, compression: script.agreement?.compression?.direction(from: .client))
        self.room = room
    }

    /// Whether a Close has come.
    var hasClosed: Bool { reader.hasClosed }

    /// What is wrong where the client sends nothing more.
    func finish() -> WebSocketViolation? { reader.finish() }

    /// Those of frames that ended since the last call.
    func takeNotes() -> [WebSocketFrameNote] {
        defer { notes = [] }
        return notes
    }

    /// The one of the frame under way, behind which nothing more is read.
    func takeLastNote() -> WebSocketFrameNote? { frame.take() }

    /// Reads up to something whole, or to the end of the bytes; returns how many were taken.
    func read(_ bytes: borrowing Span<UInt8>) -> (taken: Int, found: Step?) {
        var position = 0
        while let event = reader.next(bytes, at: &position) {
            if let step = accept(event) { return (position, step) }
        }
        return (position, nil)
    }

    private func accept(_ event: WebSocketEvent) -> Step? {
        switch event {
        case .frame(let head, let offset):
            frameCount += 1
            frame = WebSocketFrameNote(head, at: offset)
            guard frameCount > WebSocketScript.frameBound else { return nil }
            return .bound("no more than \(WebSocketScript.frameBound) frames are read")
        case .messageBegan(let kind, let isCompressed):
            (self.kind, self.isCompressed) = (kind, isCompressed)
            content = []
        case .content(let more): content += more
        case .frameEnded:
            endFrame(with: nil)
            defer { control = nil }
            return control.map { .arrival($0) }
        case .messageEnded:
            let whole = content
            content = []
            if let last = notes.popLast() {
                frame = last
                endFrame(with: message(kind == .text ? .text : .binary, whole, isCompressed: isCompressed))
            }
            return .arrival(.message(whole, isText: kind == .text))
        case .ping(let payload):
            frame?.message = message(.ping, payload)
            control = .control(.ping, payload)
        case .pong(let payload):
            frame?.message = message(.pong, payload)
            control = .control(.pong, payload)
        case .close(let code, let reason):
            frame?.message = message(.close, reason, code: code)
            control = .close(code, reason: reason)
        case .violation(let violation): return .violation(violation)
        }
        return nil
    }

    private func endFrame(with message: WebSocketFrameNote.Message?) {
        guard var ended = frame else { return }
        frame = nil
        if let message { ended.message = message }
        notes.append(ended)
    }

    private func message(
        _ kind: WebSocketFrameNote.Kind, _ content: [UInt8], isCompressed: Bool = false, code: CloseCode? = nil
    ) -> WebSocketFrameNote.Message {
        let kept = content.prefix(min(room, ReceivedBytes.keptByteLimit))
        room -= kept.count
        return WebSocketFrameNote.Message(
            kind, byteCount: content.count, kept: Array(kept), isCompressed: isCompressed,
            code: code.map { Int($0.rawValue) })
    }
}
