internal import ProctorBase
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// Plays a reply on a wire: sections, content and effects in order; on the loop's thread only.
struct Player<Carrier: Wire> {
    private let wire: Carrier
    /// nil: no client can report events, and no reply waits.
    var reports: ReportAwaiter?
    /// Nil where nothing is pushed beside the reply.
    var pusher: Pusher?
    var milestone: SendMilestone?
    /// Bytes on the wire so far.
    private(set) var sentByteCount = 0
    /// Whether all of the reply was sent, and nothing but waits is left of it.
    private(set) var isWhole = false
    /// Bytes of the first step that were sent before the player began.
    private var wentAtOnce = 0
    /// Whether the journal has the beginning of every reply.
    private let isAnnounced: Bool
    private var pacer: WritePacer?
    private var log: RequestLog?
    /// The journal's events for bytes that were not sent yet, and where the present step begins among these.
    private var begun: ArraySlice<BegunReply> = []
    private var stepStart = 0
    /// Frames of the reply so far, counted where effects stand before frames.
    private var frameCount = 0
    private var beforeFrames: ArraySlice<PendingEffects.BeforeFrame> = []
    /// Of generated content.
    private var buffer: [UInt8] = []

    /// `wentAtOnce` is nil for a whole reply; else its beginning is in the journal, and so many bytes of its first step
    /// were sent.
    init(_ wire: Carrier, wentAtOnce: Int? = nil) {
        self.wire = wire
        isAnnounced = wentAtOnce != nil
        self.wentAtOnce = wentAtOnce ?? 0
        sentByteCount = self.wentAtOnce
    }

    /// Plays a reply, or the rest of one that was sent in part; throws how the wire ended.
    ///
    /// `log` is nil for what belongs to no request of a journal.
    mutating func sendPlan(_ reply: LaidOutReply, _ log: RequestLog?) async throws(ConnectionEnd) {
        self.log = log
        pacer = reply.traits.schedule.map(WritePacer.init)
        beforeFrames = reply.traits.beforeFrames[...]
        if !isAnnounced { begun = reply.begun[...] }
        let steps = reply.steps
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            switch step {
            case .section(let section): try await send(section)
            case .content(let source, let range):
                try await send(
                    ContentCursor(source, range), endsReply: next?.isEnd == true, isFollowed: next?.isRead == true)
                stepStart += range.count
            case .end:
                guard Carrier.layout == .sections, index == 0 || !steps[index - 1].isContent else { continue }
                try await send(ContentCursor(.bytes([]), 0..<0), endsReply: true)
            case .effect(let action, let position):
                isWhole = reply.isWhole(before: index)
                try await playEffect(action, at: position)
            }
        }
        // Those behind the last frame.
        frameCount = .max
        try await playBeforeFrame()
        frameCount = 0
        wire.flush()
    }

    /// The journal's event about the cuts; nil without cuts, and where slices are frames.
    var slices: JournalEvent? { Carrier.layout == .bytes ? pacer?.slices : nil }

    // MARK: Effects

    private mutating func playEffect(_ action: Effect.Action, at position: String) async throws(ConnectionEnd) {
        if Carrier.layout == .sections, case .frames(.push(let request)) = action {
            return try push(request, at: position)
        }
        log?.append(.effectPlayed(action.row.played(at: position)))
        let start = MonotonicClock.nanoseconds
        try await perform(action)
        pacer?.didPause(MonotonicClock.nanoseconds &- start)
    }

    mutating func perform(_ action: Effect.Action) async throws(ConnectionEnd) {
        try wire.requireOpen()
        switch action {
        case .wait(let duration): try await pause(for: duration)
        // A plan has a time of the range in its place.
        case .waitBetween(let range, _): try await pause(for: range.lowerBound)
        case .send(let source): try await insert(ContentSource(source))
        case .await(let point):
            wire.flush()
            if let reports { try await reports.pass(point, on: wire, wire.bounds) }
        case .close, .reset, .halfClose, .stall, .alert, .truncateRecord, .badMAC, .frames:
            sentByteCount += try await wire.perform(action)
        }
    }

    private func pause(for duration: Duration) async throws(ConnectionEnd) {
        wire.flush()
        try await wire.pause(for: duration)
    }

    /// Promises a request; the journal says so where the client does not permit that.
    private mutating func push(_ request: PushedRequest, at position: String) throws(ConnectionEnd) {
        try wire.requireOpen()
        let byteCount = try pusher?(request)
        sentByteCount += byteCount ?? 0
        let row = Effect.Action.frames(.push(request)).row
        log?.append(
            .effectPlayed(row.played(at: position, remark: byteCount == nil ? ": left out, not permitted" : "")))
    }

    /// Plays the effects that stand before the next frame.
    private mutating func playBeforeFrame() async throws(ConnectionEnd) {
        while let next = beforeFrames.first, next.frame <= frameCount {
            beforeFrames.removeFirst()
            try await playEffect(next.action, at: Effect.Position.frame(next.frame).text)
        }
    }

    /// The bytes of an effect have no pace and no cuts.
    private mutating func insert(_ source: ContentSource) async throws(ConnectionEnd) {
        if let byteCount = try wire.insert(source) {
            sentByteCount += byteCount
            return
        }
        let kept = (pacer, begun)
        (pacer, begun) = (nil, [])
        defer { (pacer, begun) = kept }
        try await send(ContentCursor(source, 0..<source.byteCount))
        wire.flush()
    }

    // MARK: Bytes

    /// Whether another player would send bytes behind the reply as this one does.
    var isPlain: Bool { pacer == nil && beforeFrames.isEmpty }

    /// Whether bytes behind the reply have no pace, no cuts and no effects before frames, and the peer may read them.
    var sendsAtOnce: Bool {
        isPlain && !wire.isHalfClosed && wire.peerEnd == nil
    }

    /// Sends bytes behind the reply, with its pace and its cuts; those before `start` went out.
    mutating func sendBehindReply(_ bytes: [UInt8], from start: Int = 0) async throws(ConnectionEnd) {
        try wire.requireOpen()
        try await send(ContentCursor(.bytes(bytes), start..<bytes.count))
        wire.flush()
    }

    private mutating func send(_ section: StreamSection) async throws(ConnectionEnd) {
        try wire.requireOpen()
        if let reply = section.reply { log?.append(.replyBegun(reply)) }
        let pass = section.kind == .response ? milestone?.approach() : nil
        if section.kind == .response { milestone = nil }
        let (wire, first) = (wire, frameCount)
        let byteCount = try await wire.send(section, byFrame: !beforeFrames.isEmpty) {
            (frame) async throws(ConnectionEnd) in
            self.frameCount = first + frame
            try await self.playBeforeFrame()
        }
        sentByteCount += byteCount
        frameCount += 1
        guard let pass else { return }
        wire.whenSent(pass)
        // Requests that come from now on may be made with the cookies.
        wire.flush()
    }

    private mutating func send(
        _ cursor: ContentCursor, endsReply: Bool = false, isFollowed: Bool = false
    ) async throws(ConnectionEnd) {
        guard !wire.isHalfClosed else { return }
        if let end = wire.peerEnd { throw end }
        var content = cursor
        let start = content.position
        content.skip(wentAtOnce)
        wentAtOnce = 0
        guard endsReply || !content.isAtEnd else { return }
        let wire = wire
        repeat {
            if !beforeFrames.isEmpty { try await playBeforeFrame() }
            let most = min(content.restByteCount, try await allowance())
            announce(upTo: content.position - start + most)
            approachMilestone(by: most)
            let before = content.position
            let part = ContentPart(
                endsReply: endsReply, isFollowed: isFollowed && pacer == nil, isPaced: pacer != nil,
                isOneFrame: !beforeFrames.isEmpty)
            sentByteCount += try await wire.send(&content, upTo: most, part, &buffer)
            frameCount += 1
            pacer?.didSend(content.position - before)
            passMilestone()
            try wire.endPart()
        } while !content.isAtEnd
    }

    /// Waits for the pace; returns the bytes before the next stop.
    private mutating func allowance() async throws(ConnectionEnd) -> Int {
        // A copy, because `pacer` must not be accessed exclusively during the wait.
        guard var pacer else { return .max }
        let count = try await pacer.awaitTurn(on: wire)
        self.pacer = pacer
        return count
    }

    /// Announces the replies that begin before `end` of the present step, whose bytes are about to be written.
    private mutating func announce(upTo end: Int) {
        while let next = begun.first, next.offset < stepStart + end {
            log?.append(.replyBegun(next.reply))
            begun.removeFirst()
        }
    }

    private mutating func approachMilestone(by byteCount: Int) {
        guard let near = milestone, near.pass == nil, near.byteCount - sentByteCount <= byteCount else { return }
        milestone?.pass = near.approach()
    }

    private mutating func passMilestone() {
        guard let reached = milestone, sentByteCount >= reached.byteCount else { return }
        milestone = nil
        reached.pass?()
    }
}

/// An action when so many bytes were given to the system, or the final head where that is a section.
struct SendMilestone {
    let byteCount: Int
    /// Called once, before the write that may include the last of them; returns the action for after the write.
    let approach: () -> () -> Void
    fileprivate var pass: (() -> Void)?

    init(byteCount: Int, approach: @escaping () -> () -> Void) {
        self.byteCount = byteCount
        self.approach = approach
    }
}

extension LaidOutReply.Step {
    /// Whether it is content that is read or made while it is sent, so that the bytes before it are not sent alone.
    fileprivate var isRead: Bool {
        switch self {
        case .content(.bytes, _), .section, .effect, .end: false
        case .content: true
        }
    }
}
