import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorTestWire

@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing

/// A wire without a socket: what is sent on it is kept as it comes.
final class MemoryWire: ProctorServing.Wire {
    static var layout: WireLayout { .sections }

    let loop: EventLoop
    let stage: Stage
    let bounds = ConnectionBounds(ServerLimits())
    let journals = ConnectionJournals()
    let input: RequestInput
    private(set) var sent = Sent()
    private(set) var isHalfClosed = false
    private let pause: LoopPause

    /// What has come out of it, in order.
    struct Sent {
        var heads: [[String]] = []
        var content: [UInt8] = []
        /// Bytes of each part of the content.
        var portions: [Int] = []
        var trailers: [String] = []
        /// Bytes of effects.
        var inserted: [UInt8] = []
        var hasEnded = false
    }

    init(_ stage: Stage, _ head: RequestHead, on loop: EventLoop) {
        self.stage = stage
        self.loop = loop
        pause = LoopPause(on: loop)
        let now = MonotonicClock.nanoseconds
        input = RequestInput(streamOf: .origin(stage, 0), bounds, arrival: RequestArrival(opening: now))
        input.request.apply(.head(head), [UInt8]().span, keeping: 0)
        input.request.apply(.end, [UInt8]().span, keeping: 0)
    }

    var socketBelow: Socket? { nil }
    var clientSocket: Socket? { nil }
    var endpoint: Endpoint { .origin(stage, 0) }
    var scheme: Scheme { .http }
    var secured: HandshakeNote? { nil }
    var securityFacts: SecurityFacts? { nil }
    var isStopping: Bool { false }
    var requestBeginning: UInt64 { input.arrival.began(at: MonotonicClock.nanoseconds) }
    var mayHaveWaitingRequest: Bool { false }
    func noteWaitingRequest(at moment: UInt64) {}

    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment {
        if let attachment = journals.attachment(to: stage) { return attachment }
        let numbers = stage.admitConnection(origin: origin)
        let attachment = ConnectionJournals.Attachment(
            journal: stage.journal, epoch: numbers.epoch, number: numbers.inStage, memory: nil)
        _ = journals.add(attachment)
        return attachment
    }

    func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        _ = await pause.wait(until: deadline)
    }
    func endWaitForPeer() { pause.resume() }

    var hasUntakenContent: Bool { false }
    func read(until goal: RequestInput.Goal) async throws(ConnectionEnd) {}
    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) { throw .peerClosed }
    func readAtOnce(_ take: (Span<UInt8>) -> Void) -> ReadAtOnce { .end }
    func awaitInput(until deadline: UInt64, answer: @escaping () -> InputWait) async throws(ConnectionEnd) {
        throw .peerClosed
    }
    func endWaitForInput() {}
    func giveTurn(until deadline: UInt64) {}

    var peerEnd: ConnectionEnd? { nil }
    var sendsAtOnce: Bool { true }
    func hasRoom(for reply: ShortReply) -> Bool { false }
    func sendAtOnce(_ reply: ShortReply, _ head: StreamSection?) -> (byteCount: Int, isAll: Bool) { (0, false) }
    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int { 0 }
    func playWithoutTask(_ reply: LaidOutReply, _ log: RequestLog, isInTask: Bool) -> Bool { false }
    func prepare(for reply: LaidOutReply, _ log: RequestLog) {}

    func send(
        _ section: StreamSection, byFrame: Bool, beforeFrame: (Int) async throws(ConnectionEnd) -> Void
    ) async throws(ConnectionEnd) -> Int {
        if byFrame { try await beforeFrame(0) }
        guard !isHalfClosed else { return 0 }
        let lines = section.fields.map {
            "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
        }
        if section.kind == .trailers { sent.trailers = lines } else { sent.heads.append(lines) }
        sent.hasEnded = section.endsStream
        return lines.count
    }

    func send(
        _ content: inout ContentCursor, upTo most: Int, _ part: ContentPart, _ buffer: inout [UInt8]
    ) async throws(ConnectionEnd) -> Int {
        let bytes = try ConnectionEnd.rethrow { () throws(ReplyFailure) in
            try content.takeBytes(upTo: most, in: &buffer)
        }
        sent.content += bytes
        sent.portions.append(bytes.count)
        sent.hasEnded = part.endsReply && content.isAtEnd
        return bytes.count
    }

    func endPart() {}
    func flush() {}
    func whenSent(_ note: @escaping () -> Void) { note() }
    func keepSliceApart() -> JournalEvent.SliceKeeping { .queue }

    func requireOpen() {}

    func insert(_ source: ContentSource) throws(ConnectionEnd) -> Int? {
        guard case .bytes(let bytes) = source else { throw .unanswerable("too long") }
        sent.inserted += bytes
        return bytes.count
    }

    func perform(_ action: Effect.Action) async throws(ConnectionEnd) -> Int {
        switch action {
        case .close: throw .serverCloses
        case .reset: throw .serverEnded(.reset)
        case .stall: throw .peerClosed
        case .halfClose: isHalfClosed = true
        default: throw .unanswerable("not in memory")
        }
        return 0
    }

    func pusher(for request: StageRequest<MemoryWire>, _ head: RequestHead, origin: Int) -> Pusher? { nil }

    func goesOn(_ staysOpen: Bool) -> Bool { staysOpen }
    func endReply(_ content: RequestContent<MemoryWire>) throws(ConnectionEnd) {
        if isHalfClosed { throw .serverEnded(.closed) }
    }
    func leaveContent(_ content: RequestContent<MemoryWire>) {}
    func settle(_ content: RequestContent<MemoryWire>, staysOpen: Bool, closes: Bool) {}
    func sendRefusal(_ violation: Violation) async throws(ConnectionEnd) -> Never { throw .refused }
    func requireHTTP1() {}

    func script(behind reply: LaidOutReply) -> [OpaqueStep]? { nil }
    func leaveHTTP(_ log: RequestLog) {}
    func comeToRest() {}
    func awaitPeerAfterHalfClose() {}
    func converse(_ conversation: WebSocketConversation<MemoryWire>) async throws(ConnectionEnd) {
        throw await conversation.run()
    }
    func rest(in conversation: OpaqueConversation<MemoryWire>) async throws(ConnectionEnd) {
        try await conversation.rest()
    }
    func endConversation(_ reason: ConnectionEnd) throws(ConnectionEnd) { throw reason }
    var depth: Int { 0 }
    func acceptTunnel() {}
    func refuseTunnel() {}
    func refuseConnect(
        _ violation: Violation, _ head: RequestHead, _ log: RequestLog
    ) async throws(ConnectionEnd) -> Never { throw .refused }
    func carry(
        isSecured: Bool, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd) { throw .serverCloses }
    func noteEndOfTunnel(_ event: JournalEvent) {}
}
