internal import ProctorBase
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorServing
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
    private var frame: FrameUnderWay?
    private var notes: [WebSocketFrameNote] = []
    private var frameCount = 0
    private var memory: MessageRoom
    /// The most bytes of a message, inflated.
    private let messageByteLimit: Int
    /// Bytes of content since the last ``beginTurn()``.
    private var turnByteCount = 0
    private var turnFrameCount = 0
    /// Bytes that the journal still keeps.
    private var room: Int

    /// Apart, since a WebSocket that waits has none.
    private final class FrameUnderWay {
        var note: WebSocketFrameNote
        /// What it is, where it is a control frame that was read.
        var control: WebSocketArrival?

        init(_ note: WebSocketFrameNote) { self.note = note }
    }

    enum Step {
        case arrival(WebSocketArrival)
        /// A message that is one frame, whose note is in no list.
        case whole(WebSocketFrameNote, [UInt8], isText: Bool)
        case violation(WebSocketViolation)
        /// The client sends more than is read; a sentence.
        case bound(CloseCode, String)
        /// Others shall have their turn before more is read.
        case turnIsOver
    }

    /// Bytes of content, inflated, that one turn reads: a few bytes can be inflated to megabytes.
    private static let turnByteLimit = 256 << 10
    /// Frames that one turn reads, each of which may be answered and has entries of the journal.
    private static let turnFrameLimit = 64
    /// The server has no room for the message now; IANA's "try again later".
    private static let tryAgainLater = CloseCode(rawValue: 1013)
    /// The most bytes for which memory is taken because a head announces them.
    private static let reservedByteLimit = 1 << 20

    init(_ script: WebSocketScript, _ usage: ServerUsage, keeping room: Int) {
        memory = MessageRoom(usage)
        var limits = WebSocketLimits()
        limits.messageByteCount = script.messageByteCount
        messageByteLimit = script.messageByteCount
        reader = WebSocketReader(
            role: .server, limits: limits, compression: script.agreement?.compression?.direction(from: .client))
        self.room = room
    }

    /// Whether a Close has come.
    var hasClosed: Bool { reader.hasClosed }

    /// What is wrong where the client sends nothing more.
    func finish() -> WebSocketViolation? { reader.finish() }

    func beginTurn() { (turnByteCount, turnFrameCount) = (0, 0) }

    /// The last message is no longer used.
    func releaseMessage() { memory.release() }

    /// The message under way is not read to its end.
    func dropMessage() {
        content = []
        memory.release()
    }

    /// Gives back what an idle WebSocket does without.
    func releaseCapacity() { reader.releaseCapacity() }

    /// Hands over the notes of frames that ended since the last call.
    func takeNotes(_ body: (WebSocketFrameNote) -> Void) {
        guard !notes.isEmpty else { return }
        let ended = notes
        notes = []
        for note in ended { body(note) }
    }

    /// The one of the frame under way, behind which nothing more is read.
    func takeLastNote() -> WebSocketFrameNote? { frame.take()?.note }

    /// Reads up to something whole, or to the end of the bytes; returns how many were taken.
    func read(_ bytes: borrowing Span<UInt8>) -> (taken: Int, found: Step?) {
        var position = 0
        guard turnFrameCount < Self.turnFrameLimit else { return (0, .turnIsOver) }
        if let step = readWhole(bytes, at: &position) { return (position, step) }
        while let event = reader.next(bytes, at: &position) {
            if let step = accept(event) { return (position, step) }
        }
        return (position, nil)
    }

    private func readWhole(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> Step? {
        guard frame == nil, frameCount < WebSocketScript.frameBound,
            let whole = reader.nextWholeMessage(bytes, at: &position)
        else { return nil }
        frameCount += 1
        turnFrameCount += 1
        turnByteCount += whole.content.count
        let isText = whole.head.opcode == .text
        var note = WebSocketFrameNote(whole.head, at: whole.offset)
        note.message = message(isText ? .text : .binary, whole.content)
        return .whole(note, whole.content, isText: isText)
    }

    private func accept(_ event: WebSocketEvent) -> Step? {
        switch event {
        case .frame(let head, let offset):
            frameCount += 1
            turnFrameCount += 1
            frame = FrameUnderWay(WebSocketFrameNote(head, at: offset))
            guard frameCount > WebSocketScript.frameBound else { return nil }
            return .bound(.policyViolation, "no more than \(WebSocketScript.frameBound) frames are read")
        case .messageBegan(let kind, let isCompressed):
            (self.kind, self.isCompressed) = (kind, isCompressed)
            content = []
        case .content(let more):
            guard reserve(for: more.count) else {
                return .bound(
                    Self.tryAgainLater, "all WebSockets hold \(ServerUsage.messageByteLimit) bytes of messages")
            }
            content += more
            turnByteCount += more.count
            if turnByteCount >= Self.turnByteLimit { return .turnIsOver }
        case .frameEnded:
            let control = frame?.control
            endFrame(with: nil)
            if let control { return .arrival(control) }
            if turnFrameCount >= Self.turnFrameLimit { return .turnIsOver }
        case .messageEnded:
            let whole = content
            content = []
            if let last = notes.popLast() {
                frame = FrameUnderWay(last)
                endFrame(with: message(kind == .text ? .text : .binary, whole, isCompressed: isCompressed))
            }
            return .arrival(.message(whole, isText: kind == .text))
        case .ping(let payload):
            frame?.note.message = message(.ping, payload)
            frame?.control = .control(.ping, payload)
        case .pong(let payload):
            frame?.note.message = message(.pong, payload)
            frame?.control = .control(.pong, payload)
        case .close(let code, let reason):
            frame?.note.message = message(.close, reason, code: code)
            frame?.control = .close(code, reason: reason)
        case .violation(let violation): return .violation(violation)
        }
        return nil
    }

    /// Takes room, and memory for what the head announces, and that of the longest message where 1 MiB has come, so that no turn
    /// copies much where a message grows; the system gives pages as they are written.
    ///
    /// Where the memory of the process is bounded, a limit may count pages that are not written: a message grows to twice its
    /// length then, and has room for all of that. False where there is none.
    private func reserve(for byteCount: Int) -> Bool {
        let needed = content.count + byteCount
        var wanted = max(needed, content.capacity)
        if needed > content.capacity {
            let isLong = content.count >= Self.reservedByteLimit
            let announced = isLong ? messageByteLimit : min(frame?.note.byteCount ?? 0, Self.reservedByteLimit)
            let twice = max(needed, min(2 * content.count, messageByteLimit))
            wanted = ServerUsage.countsReserved ? twice : max(twice, announced)
        }
        guard memory.takeRoom(for: ServerUsage.countsReserved ? wanted : needed) else { return false }
        if wanted > content.capacity { content.reserveCapacity(wanted) }
        return true
    }

    private func endFrame(with message: WebSocketFrameNote.Message?) {
        guard var ended = frame.take()?.note else { return }
        if let message { ended.message = message }
        notes.append(ended)
    }

    private func message(
        _ kind: WebSocketFrameNote.Kind, _ content: [UInt8], isCompressed: Bool = false, code: CloseCode? = nil
    ) -> WebSocketFrameNote.Message {
        WebSocketFrameNote.Message(
            kind, byteCount: content.count, kept: content.keptForJournal(within: &room), isCompressed: isCompressed,
            code: code.map { Int($0.rawValue) })
    }
}

extension [UInt8] {
    /// The first bytes, as far as an entry and the room permit, which is made smaller by them.
    func keptForJournal(within room: inout Int) -> [UInt8] {
        let most = Swift.min(room, ReceivedBytes.keptByteLimit)
        let kept = count <= most ? self : Array(prefix(most))
        room -= kept.count
        return kept
    }
}
