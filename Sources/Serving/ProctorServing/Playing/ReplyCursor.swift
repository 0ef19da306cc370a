internal import ProctorBase
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// Where a reply stands that is played: sections, content and effects in order; on the loop's thread only.
///
/// It is a plain value. ``advance(on:noting:)`` is the one function by which replies go out: it plays until the reply is
/// over or has to wait, and says for what. Who owns the wire keeps the cursor meanwhile, and calls it again.
struct ReplyCursor {
    /// What a reply waits for.
    enum Pause {
        /// A moment of MonotonicClock, in nanoseconds.
        case moment(UInt64)
        /// Room for more bytes.
        case room
        /// The peer's program has read all that was sent.
        case reading
        /// The client has reported an event.
        case report(SyncPoint)
        /// What the wire itself does.
        indirect case effect(Effect.Action)
        /// A request is to be promised.
        indirect case push(PushedRequest, at: String)
    }

    private var plan: LaidOutReply
    private var log: RequestLog?
    private var step = 0
    /// Where the content of the present step goes on; nil before its first byte.
    private var position: Int?
    /// That of the content, once it is open.
    private var file: ContentCursor.Opened?
    /// Bytes of an effect that are not sent yet; they have no pace and no cuts.
    private var inserted: ContentCursor?
    /// When the effect under way began, in MonotonicClock nanoseconds; nil: none is.
    private var effectBegan: UInt64?
    /// Bytes of the steps before the present one.
    private var stepStart = 0
    private var announcedCount = 0
    /// Frames of the reply so far, counted where effects stand before frames.
    private var frameCount = 0
    private var beforeFrameCount = 0
    /// The section of the present step, while effects stand between its frames: what came before it, and its next frame.
    private var block: (firstFrame: Int, frame: Int)?
    private var pacer: WritePacer?
    var milestone: SendMilestone?
    /// nil: no client can report events, and no reply waits for them.
    var reports: ReportAwaiter?
    /// Bytes on the wire so far, with those of effects.
    private(set) var sentByteCount = 0
    /// Whether all of the reply was sent, and nothing but waits is left of it.
    private(set) var isWhole = false

    /// `log` is nil for what belongs to no request of a journal.
    init(_ plan: LaidOutReply = .nothing, _ log: RequestLog? = nil) {
        self.plan = plan
        self.log = log
        pacer = plan.traits.schedule.map(WritePacer.init)
    }

    /// Begins a reply behind the effects that were played so far.
    mutating func beginPlan(_ plan: LaidOutReply, _ log: RequestLog?) {
        self.plan = plan
        self.log = log
        pacer = plan.traits.schedule.map(WritePacer.init)
    }

    /// Plays until the reply is over, which is nil, or has to wait; throws how the wire ended.
    ///
    /// `events` come into the journal before the first byte goes out; those about the reply are added to them.
    mutating func advance<Carrier: Wire>(
        on wire: Carrier, noting events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        var buffer: [UInt8] = []
        if effectBegan != nil, let pause = try endEffect(on: wire, &buffer, &events) { return pause }
        while step < plan.stepCount {
            switch plan.step(at: step) {
            case .section(let section):
                if let pause = try send(section, on: wire, &buffer, &events) { return pause }
            case .content(let source, let range):
                if let pause = try send(source, range, on: wire, &buffer, &events) { return pause }
                stepStart += range.count
            case .end:
                guard Carrier.layout == .sections, !plan.isContent(at: step - 1) else { break }
                if let pause = try send(.bytes([]), 0..<0, endsReply: true, on: wire, &buffer, &events) { return pause }
            case .effect(let action, let position):
                isWhole = plan.isWhole(before: step)
                step += 1
                if let pause = try beginEffect(action, at: position, on: wire, &buffer, &events) { return pause }
                continue
            }
            step += 1
        }
        guard hasEffectsBeforeFrames else { return nil }
        // Those behind the last frame.
        frameCount = .max
        if let pause = try playBeforeFrame(on: wire, &buffer, &events) { return pause }
        frameCount = 0
        return nil
    }

    /// Writes what is to come into the journal before the next byte.
    private func noteEvents(_ events: inout EventList) { log?.appendEvents(draining: &events) }

    /// The journal's event about the cuts; nil without cuts, and where slices are frames.
    func slices(in layout: WireLayout) -> JournalEvent? { layout == .bytes ? pacer?.slices : nil }

    // MARK: Effects

    private mutating func beginEffect<Carrier: Wire>(
        _ action: Effect.Action, at position: String, on wire: Carrier, _ buffer: inout [UInt8],
        _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        if Carrier.layout == .sections, case .frames(.push(let request)) = action {
            noteEvents(&events)
            try wire.requireOpen()
            return .push(request, at: position)
        }
        events.append(.effectPlayed(action.row.played(at: position)))
        noteEvents(&events)
        effectBegan = MonotonicClock.nanoseconds
        if let pause = try start(action, on: wire) { return pause }
        return try endEffect(on: wire, &buffer, &events)
    }

    /// What the effect waits for; nil where nothing is left of it but ``inserted``.
    private mutating func start(_ action: Effect.Action, on wire: some Wire) throws(ConnectionEnd) -> Pause? {
        try wire.requireOpen()
        switch action {
        case .wait(let duration): return pause(for: duration, on: wire)
        // A plan has a time of the range in its place.
        case .waitBetween(let range, _): return pause(for: range.lowerBound, on: wire)
        case .send(let source):
            let source = ContentSource(source)
            if let byteCount = try wire.insert(source) {
                sentByteCount += byteCount
            } else {
                let range = 0..<source.byteCount
                inserted = try canSend(range, on: wire) ? ContentCursor(source, range) : nil
            }
            return nil
        case .await(let point):
            wire.flush()
            return .report(point)
        case .close, .reset, .halfClose, .stall, .alert, .truncateRecord, .badMAC, .frames: return .effect(action)
        }
    }

    private func pause(for duration: Duration, on wire: some Wire) -> Pause {
        wire.flush()
        return .moment(Socket.deadline(within: duration.wholeNanoseconds))
    }

    /// Ends the effect under way, of which its bytes may be left.
    private mutating func endEffect(
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        if let pause = try sendInserted(on: wire, &buffer, &events) { return pause }
        if let began = effectBegan.take() { pacer?.didPause(MonotonicClock.nanoseconds &- began) }
        return nil
    }

    private mutating func sendInserted(
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        guard var content = inserted.take() else { return nil }
        if let pause = try sendRest(of: &content, ContentPart(), isInserted: true, on: wire, &buffer, &events) {
            inserted = content
            return pause
        }
        wire.flush()
        return nil
    }

    private var hasEffectsBeforeFrames: Bool { beforeFrameCount < plan.traits.beforeFrames.count }

    /// Plays the effects that stand before the next frame.
    private mutating func playBeforeFrame(
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        while hasEffectsBeforeFrames, plan.traits.beforeFrames[beforeFrameCount].frame <= frameCount {
            let next = plan.traits.beforeFrames[beforeFrameCount]
            beforeFrameCount += 1
            let place = Effect.Position.frame(next.frame).text
            if let pause = try beginEffect(next.action, at: place, on: wire, &buffer, &events) { return pause }
        }
        return nil
    }

    // MARK: Sections and content

    private mutating func send(
        _ section: StreamSection, on wire: some Wire, _ buffer: inout [UInt8], _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        if block == nil {
            try wire.requireOpen()
            if let reply = section.reply { events.append(.replyBegun(reply)) }
            noteEvents(&events)
            if section.kind == .response, let near = milestone { milestone?.pass = near.approach() }
            if hasEffectsBeforeFrames { block = (frameCount, 0) }
        }
        if let block {
            frameCount = block.firstFrame + block.frame
            var isLast = false
            while !isLast {
                if let pause = try playBeforeFrame(on: wire, &buffer, &events) { return pause }
                try wire.requireOpen()
                let sent = try wire.send(section, frame: frameCount - block.firstFrame)
                sentByteCount += sent.byteCount
                isLast = sent.isLast
                if !isLast {
                    frameCount += 1
                    self.block?.frame += 1
                }
            }
            self.block = nil
        } else {
            sentByteCount += try wire.send(section, frame: nil).byteCount
        }
        frameCount &+= 1
        guard section.kind == .response, let pass = milestone?.pass else { return nil }
        milestone = nil
        wire.whenSent(pass)
        // Requests that come from now on may be made with the cookies.
        wire.flush()
        return nil
    }

    /// Whether there is content to send, and the peer may read it.
    private func canSend(
        _ range: Range<Int>, endsReply: Bool = false, on wire: some Wire
    ) throws(ConnectionEnd) -> Bool {
        guard !wire.isHalfClosed else { return false }
        if let end = wire.peerEnd { throw end }
        return endsReply || !range.isEmpty
    }

    private mutating func send(
        _ source: ContentSource, _ range: Range<Int>, endsReply: Bool? = nil, on wire: some Wire,
        _ buffer: inout [UInt8], _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        let endsReply = endsReply ?? plan.isEnd(at: step + 1)
        if position == nil {
            guard try canSend(range, endsReply: endsReply, on: wire) else { return nil }
        }
        var rest = ContentCursor(source, range, from: position ?? range.lowerBound, file.take())
        let part = ContentPart(
            endsReply: endsReply, isFollowed: pacer == nil && plan.isRead(at: step + 1), isPaced: pacer != nil)
        let pause = try sendRest(of: &rest, part, start: range.lowerBound, on: wire, &buffer, &events)
        position = pause == nil ? nil : rest.position
        if pause != nil { file = rest.file }
        return pause
    }

    /// Sends what there is room for, in the pace of the reply; `start` is where the content of the step begins.
    private mutating func sendRest(
        of content: inout ContentCursor, _ part: ContentPart, start: Int = 0, isInserted: Bool = false,
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout EventList
    ) throws(ConnectionEnd) -> Pause? {
        var part = part
        repeat {
            if hasEffectsBeforeFrames, !isInserted {
                if let pause = try playBeforeFrame(on: wire, &buffer, &events) { return pause }
            }
            var most = content.restByteCount
            if !isInserted {
                switch pacer?.nextTurn() {
                case .bytes(let count)?: most = min(most, count)
                case .reading?: return .reading
                case .moment(let moment)?: return .moment(moment)
                case nil: break
                }
                announce(upTo: content.position - start + most, in: &events)
            }
            noteEvents(&events)
            approachMilestone(by: most)
            part.isOneFrame = hasEffectsBeforeFrames
            let before = content.position
            guard let byteCount = try wire.send(&content, upTo: most, part, &buffer) else { return .room }
            sentByteCount += byteCount
            frameCount &+= 1
            if !isInserted { pacer?.didSend(content.position - before) }
            passMilestone()
            try wire.endPart()
        } while !content.isAtEnd
        return nil
    }

    /// Announces the replies that begin before `end` of the present step, whose bytes are about to be written.
    private mutating func announce(upTo end: Int, in events: inout EventList) {
        while announcedCount < plan.begunCount {
            let next = plan.begun(at: announcedCount)
            guard next.offset < stepStart + end else { return }
            events.append(.replyBegun(next.reply))
            announcedCount += 1
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

// What is played by a task.
extension ReplyCursor {
    /// Plays the reply to its end.
    mutating func playToEnd(on wire: some Wire) async throws(ConnectionEnd) {
        var events = EventList()
        while let pause = try advance(on: wire, noting: &events) { try await wait(for: pause, on: wire) }
        wire.flush()
    }

    /// Returns when the reply can go on; a push is its owner's.
    mutating func wait(for pause: Pause, on wire: some Wire) async throws(ConnectionEnd) {
        switch pause {
        case .moment(let moment): try await wire.pause(until: moment)
        case .room: try await wire.awaitRoom()
        case .reading:
            let keeping = try await wire.keepSliceApart()
            pacer?.didKeepApart(by: keeping)
        case .report(let point): if let reports { try await reports.pass(point, on: wire, wire.bounds) }
        case .effect(let action):
            let byteCount = try await wire.perform(action)
            sentByteCount += byteCount
        case .push: break
        }
    }

    /// A push has sent so many bytes.
    mutating func didPush(_ byteCount: Int) { sentByteCount += byteCount }

    /// Plays an effect that stands in no reply.
    mutating func perform(_ action: Effect.Action, on wire: some Wire) async throws(ConnectionEnd) {
        var buffer: [UInt8] = []
        var events = EventList()
        if let pause = try start(action, on: wire) { return try await wait(for: pause, on: wire) }
        while let pause = try sendInserted(on: wire, &buffer, &events) { try await wait(for: pause, on: wire) }
    }

    /// Whether bytes behind the reply are sent as another cursor would send them.
    var isPlain: Bool { pacer == nil && !hasEffectsBeforeFrames }

    /// Whether bytes behind the reply have no pace, no cuts and no effects before frames, and the peer may read them.
    func sendsAtOnce(on wire: some Wire) -> Bool { isPlain && !wire.isHalfClosed && wire.peerEnd == nil }

    /// Sends bytes behind the reply, with its pace and its cuts; those before `start` went out.
    mutating func sendBehindReply(_ bytes: [UInt8], from start: Int = 0, on wire: some Wire) async throws(ConnectionEnd)
    {
        try wire.requireOpen()
        var buffer: [UInt8] = []
        var events = EventList()
        guard try canSend(start..<bytes.count, on: wire) else { return wire.flush() }
        var content = ContentCursor(.bytes(bytes), start..<bytes.count)
        let part = ContentPart(isPaced: pacer != nil)
        while let pause = try sendRest(of: &content, part, on: wire, &buffer, &events) {
            try await wait(for: pause, on: wire)
        }
        wire.flush()
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
