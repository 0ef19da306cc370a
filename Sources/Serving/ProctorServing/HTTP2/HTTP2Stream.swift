internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// One request of a connection of HTTP/2, with its reply; on the loop's thread only.
final class HTTP2Stream {
    let number: UInt32
    let owner: HTTP2Connection
    let input: RequestInput
    /// Content that came and was not asked for; the peer's window bounds it.
    private var unread: [UInt8] = []
    /// Set with END_STREAM.
    private(set) var hasEnded = false
    private var owed = 0
    /// Entries of the journal about DATA, of both sides.
    private var dataEntryCount = 0

    /// So many DATA frames of a stream have entries of their own, and with them the last one of each side: a long reply
    /// would fill a journal.
    static let dataEntryLimit = FrameNote.dataEntryLimit
    private var trailers: FieldSection?
    /// Why nothing can be sent or received any more; nil while that is possible.
    private(set) var end: ConnectionEnd?
    private lazy var changes = LoopPause(on: owner.socket.loop)
    /// Whether the present wait is ended without a reason to throw.
    private var wasWaitForPeerEnded = false
    /// Set while the stream carries a connection to an origin.
    var tunnel: StreamTunnel?
    /// Whether a 2xx reply to CONNECT was sent, so that DATA is of another protocol.
    var hasLeftHTTP = false
    /// Whether a script plays behind such a reply.
    var isConversing = false
    /// Set while a WebSocket is open on the stream.
    var webSocket: WebSocketConversation<HTTP2Stream>?
    /// Whether END_STREAM was sent by an effect of that script.
    var isHalfClosed = false
    /// How the reply's frames are written.
    var shape = FrameShape()
    /// The field block whose frames go out one by one; nil: none.
    var block: SentBlock?
    /// A reply that waits for room, and refers to the stream until it is taken out; nil: none.
    var kept: KeptReply?
    /// Bytes of content that the stream may send before others get room.
    var share = HTTP2Connection.shareByteCount
    /// Whether the server counts the stream among those that are open.
    private var isCounted = false

    /// `hasEnded`: the client has ended its half with the head.
    init(
        _ number: UInt32, of owner: HTTP2Connection, head: RequestHead, hasEnded: Bool, arrival: RequestArrival
    ) {
        self.number = number
        self.owner = owner
        input = RequestInput(streamOf: owner.connection.endpoint, owner.bounds, arrival: arrival)
        self.hasEnded = hasEnded
        input.request.apply(.head(head), [UInt8]().span, keeping: 0)
        // A CONNECT has no content: what follows it is not part of the request (RFC 9110 §9.3.6).
        if !head.hasFraming { input.request.apply(.end, [UInt8]().span, keeping: 0) }
    }

    deinit {
        guard isCounted else { return }
        owner.bounds.usage.closeStream()
        MemoryReturn.noteFreedStream()
    }

    /// The stream stays open longer than its request is read.
    func countAsOpen() {
        guard !isCounted else { return }
        isCounted = true
        owner.bounds.usage.openStream()
    }

    /// Adds bytes that the stream's window has not got back yet; returns their count where that is enough for a frame.
    func credit(_ byteCount: Int, atLeast least: Int) -> UInt32? {
        owed += byteCount
        // The client has ended its half.
        guard !hasEnded, end == nil, owed >= least else { return nil }
        defer { owed = 0 }
        return UInt32(clamping: owed)
    }

    /// Whether a DATA frame gets an entry of the journal.
    func isNoted(dataEndingStream endsStream: Bool) -> Bool {
        dataEntryCount += 1
        return endsStream || dataEntryCount <= Self.dataEntryLimit
    }

    // MARK: What comes

    func didReceive(_ content: ArraySlice<UInt8>) {
        unread += content
        wake()
    }

    /// END_STREAM came; `trailers` are nil where no field section had it.
    func didEnd(with trailers: FieldSection? = nil) {
        hasEnded = true
        self.trailers = trailers
        wake()
    }

    /// Nothing more can be sent or received.
    func close(with reason: ConnectionEnd) {
        guard end == nil else { return }
        end = reason
        if let kept = kept.take() {
            kept.reply.noteEnd(reason)
            owner.forgetWaiting(self)
        }
        wake()
    }

    /// Lets waiting tasks look again.
    func wake() {
        changes.resume()
        tunnel?.streamChanged()
    }

    /// Waits until something of the stream or its windows has changed; throws when that takes longer than
    /// ``ConnectionBounds/progress``, and where the stream is over.
    func waitForChange(within limit: UInt64?) async throws(ConnectionEnd) {
        if let end { throw end }
        let isChanged = await changes.wait(until: Socket.deadline(within: limit ?? owner.bounds.progress))
        if let end { throw end }
        guard isChanged else { throw .timedOut }
    }

    /// The same for what only the client can bring about; throws where it has sent FIN.
    func waitForPeer(within limit: UInt64?) async throws(ConnectionEnd) {
        if let end { throw end }
        if owner.input.hasEnded { throw .peerClosed }
        try await waitForChange(within: limit)
    }

    var hasUntakenContent: Bool { !unread.isEmpty }

    /// Takes all content that has come; the caller gives the window back.
    func takeUnread() -> [UInt8] {
        defer { unread = [] }
        return unread
    }

    /// Takes content that has come, as far as the goal wants it, and lets the peer send as much again.
    func takeUnread(until goal: RequestInput.Goal) {
        let wanted = input.isReached(goal) ? 0 : min(unread.count, input.room(before: goal))
        if wanted > 0 {
            // Usually all of it is wanted.
            let bytes = unread
            if wanted == bytes.count { unread = [] }
            input.request.apply(
                .content(0..<wanted), bytes.span, keeping: input.request.keptLimit ?? owner.bounds.keptBodyByteCount)
            if !unread.isEmpty { unread.removeFirst(wanted) }
            owner.credit(wanted, on: self)
        }
        guard unread.isEmpty, hasEnded, !input.request.isComplete else { return }
        if let trailers, !trailers.isEmpty {
            input.request.apply(.trailers(trailers), [UInt8]().span, keeping: 0)
        }
        input.request.apply(.end, [UInt8]().span, keeping: 0)
    }

    // MARK: Waiting

    /// The connection reads on meanwhile, so that its frames or its end end the stream.
    func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        wasWaitForPeerEnded = false
        while !wasWaitForPeerEnded {
            if let end { throw end }
            guard await changes.wait(until: deadline) else { break }
        }
        if let end { throw end }
    }

    func endWaits() {
        wasWaitForPeerEnded = true
        wake()
    }
}
