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
    /// Nothing is to be sent any more; content is only noted.
    var isAtRest = false
    /// What waits for the client's windows without a task; nil: nothing.
    var reply: WaitingReply?
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
        input.request.take(.head(head), [UInt8]().span, keeping: 0)
        // A CONNECT has no content: what follows it is not part of the request (RFC 9110 §9.3.6).
        if !head.hasFraming { input.request.take(.end, [UInt8]().span, keeping: 0) }
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

    /// Tells the client to ask again over HTTP/1.1 (RFC 9113 §7).
    func requireHTTP1() { owner.reset(self, .http11Required) }

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
    func end(with reason: ConnectionEnd) {
        guard end == nil else { return }
        end = reason
        if let reply = reply.take() {
            reply.noteEnd(reason)
            owner.forgetWaiting(self)
        }
        wake()
    }

    /// Lets waiting tasks look again.
    func wake() {
        changes.end()
        tunnel?.streamChanged()
    }

    /// Waits until something of the stream or its windows has changed; throws when that takes longer than
    /// ``ConnectionBounds/progress``, and where the stream is over.
    func waitForChange(within limit: UInt64? = nil) async throws(ConnectionEnd) {
        if let end { throw end }
        let isChanged = await changes.wait(until: Socket.deadline(within: limit ?? owner.bounds.progress))
        if let end { throw end }
        guard isChanged else { throw .timedOut }
    }

    /// The same for what only the client can bring about; throws where it has sent FIN.
    func waitForPeer(within limit: UInt64? = nil) async throws(ConnectionEnd) {
        if let end { throw end }
        if owner.input.hasEnded { throw .peerClosed }
        try await waitForChange(within: limit)
    }

    /// Takes all content that has come; the caller gives the window back.
    func takeUnread() -> [UInt8] {
        defer { unread = [] }
        return unread
    }

    /// Takes content that has come, as far as the goal wants it, and lets the peer send as much again.
    private func takeUnread(until goal: RequestInput.Goal) {
        let wanted = input.isReached(goal) ? 0 : min(unread.count, input.room(before: goal))
        if wanted > 0 {
            // Usually all of it is wanted.
            let bytes = unread
            if wanted == bytes.count { unread = [] }
            input.request.take(
                .content(0..<wanted), bytes.span, keeping: input.request.keptLimit ?? owner.bounds.keptBodyByteCount)
            if !unread.isEmpty { unread.removeFirst(wanted) }
            owner.credit(wanted, on: self)
        }
        guard unread.isEmpty, hasEnded, !input.request.isComplete else { return }
        if let trailers, !trailers.isEmpty {
            input.request.take(.trailers(trailers), [UInt8]().span, keeping: 0)
        }
        input.request.take(.end, [UInt8]().span, keeping: 0)
    }
}

extension HTTP2Stream: RequestChannel {
    var socket: Socket { owner.socket }
    var peer: any PeerWaiting { self }
    var endpoint: Endpoint { owner.connection.endpoint }
    var bounds: ConnectionBounds { owner.bounds }
    var journals: ConnectionJournals { owner.connection.journals }
    var scheme: Scheme { owner.connection.scheme }
    var secured: HandshakeNote? { owner.connection.secured }
    var securityFacts: SecurityFacts? { owner.connection.securityFacts }
    var requestBeginning: UInt64 { input.arrival.began(at: MonotonicClock.nanoseconds) }

    /// Another task may wait to read, and the bytes may be of any stream.
    var mayHaveWaitingRequest: Bool { socket.hasUnreadBytes }

    func noteWaitingRequest(at moment: UInt64) {
        owner.connection.input.arrival.didFindWaiting(
            isNext: false, byteCount: socket.unreadByteBound, at: moment)
    }

    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment {
        owner.connection.attach(to: stage, origin: origin)
    }

    func receive(_ goal: RequestInput.Goal) async throws(ConnectionEnd) {
        if case .endInPortions(let byteCount, let interval) = goal {
            return try await receivePortions(of: byteCount, every: interval)
        }
        takeUnread(until: goal)
        while !input.isReached(goal) {
            // The windows that were given back.
            owner.flush()
            try await waitForPeer()
            takeUnread(until: goal)
        }
    }

    /// Lets the peer's window grow in portions at fixed times.
    private func receivePortions(of byteCount: Int, every interval: Duration) async throws(ConnectionEnd) {
        var moment = MonotonicClock.nanoseconds
        var goal = 0
        while !input.isReached(.end) {
            goal = goal.addingReportingOverflow(byteCount).overflow ? .max : goal + byteCount
            try await receive(.portion(goal))
            guard !input.isReached(.end) else { return }
            moment = max(moment &+ interval.wholeNanoseconds, MonotonicClock.nanoseconds)
            try await pause(until: moment)
        }
    }

    func sendContinue() async throws(ConnectionEnd) -> Bool {
        guard input.request.contentByteCount == 0, unread.isEmpty else { return false }
        input.request.wasContinued = true
        try owner.send(StreamSection(status: 100), on: self)
        owner.flush()
        return true
    }

    var isStopping: Bool { owner.connection.isStopping }

    /// The connection is what ends.
    func staysOpen(after head: RequestHead) -> Bool { true }

    func write(_ page: BuiltInReply, to head: RequestHead, closes: Bool) async throws(ConnectionEnd) -> Int {
        var player = StreamPlayer(stream: self, reports: nil)
        try await player.play(page.plan(for: head), nil)
        return player.sentByteCount
    }

    func write(part bytes: [UInt8]) async throws(ConnectionEnd) { try await play([.send(bytes)]) }

    func endParts(areChunks: Bool) async throws(ConnectionEnd) { try await play([.end]) }

    private func play(_ steps: [ReplyPlan.Step]) async throws(ConnectionEnd) {
        var player = StreamPlayer(stream: self, reports: nil)
        try await player.play(ReplyPlan(steps: steps, opaque: nil, persistence: .usual), nil)
    }

    func send(
        _ page: BuiltInReply, to head: RequestHead, closes: Bool, _ log: RequestLog
    ) async throws(ConnectionEnd) {
        let plan = page.plan(for: head)
        var player = StreamPlayer(stream: self, reports: nil)
        try await player.play(plan, log)
        log.append(.replySent(status: page.status, byteCount: player.sentByteCount))
        try await StreamReply.settle(RequestContent(channel: self, log: log))
        if closes { owner.goAway(.noError) }
    }

    func send(refusalOf violation: Violation) async throws(ConnectionEnd) -> Never { throw .refused }

    func play(
        _ part: PlayedPart, of request: StageRequest, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        try StreamReply(stream: self, request: request).play(part, for: view, noting: events)
    }
}

extension HTTP2Stream: PeerWaiting {
    var loop: EventLoop { owner.socket.loop }

    /// The connection reads on meanwhile, so that its frames or its end end the stream.
    func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        wasWaitForPeerEnded = false
        while !wasWaitForPeerEnded {
            if let end { throw end }
            guard await changes.wait(until: deadline) else { break }
        }
        if let end { throw end }
    }

    func endWaitForPeer() {
        wasWaitForPeerEnded = true
        wake()
    }
}

extension StreamSection {
    /// Without fields.
    init(status: Int) {
        self.init(
            kind: status < 200 ? .interim : .response,
            fields: [HeaderField(Array(":status".utf8), Array(String(status).utf8))], endsStream: false,
            reply: SentReply(status: status, fields: FieldSection(), headByteCount: nil, content: .empty))
    }
}

extension BuiltInReply {
    /// The reply on a stream.
    func plan(for head: RequestHead) -> ReplyPlan {
        let sent = sent(to: head)
        let fields = sent.fields ?? FieldSection()
        var section = [HeaderField(Array(":status".utf8), Array(String(status).utf8))]
        for line in fields where !ConnectionSpecificFields.contain(Array(line.name)) {
            section.append(HeaderField(Array(line.name).lowercasedASCII, Array(line.value)))
        }
        let content = head.hasMethod("HEAD") ? [] : body
        let goesOn = stream != nil && !head.hasMethod("HEAD")
        var list = StepList()
        list.section(
            StreamSection(
                kind: .response, fields: section, endsStream: content.isEmpty && !goesOn,
                reply: SentReply(status: status, fields: section.section, headByteCount: nil, content: sent.content)))
        if !content.isEmpty {
            list.send(content)
            if !goesOn { list.end() }
        }
        list.flush()
        return ReplyPlan(steps: list.steps, status: status, opaque: nil, persistence: .usual)
    }
}
