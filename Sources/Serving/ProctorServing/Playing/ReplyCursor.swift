internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
package import ProctorScenario

/// Where a reply stands that is played: sections, content and effects in order; on the loop's thread only.
///
/// It is a plain value. ``advance(on:noting:)`` is the one function by which replies go out: it plays until the reply is
/// over or has to wait, and says for what. Who owns the wire keeps the cursor meanwhile, and calls it again.
package struct ReplyCursor {
    /// What a reply waits for.
    package enum Pause {
        /// A moment of MonotonicClock, in nanoseconds.
        case moment(UInt64)
        /// Room for more bytes.
        case room
        /// The peer's program has read all that was sent.
        case reading
        /// The client has reported an event.
        case report(SyncPoint)
        /// The clock of the run is changed, which takes no time.
        case clock(ClockChange)
        /// What the wire itself does.
        indirect case effect(Effect.Action)
        /// A request is to be promised.
        indirect case push(PushedRequest, at: String)
    }

    private(set) var plan: LaidOutReply
    private var log: RequestLog?
    private var step = 0
    /// Where the content of the present step goes on; nil before its first byte.
    private var position: Int?
    /// Bytes of the steps before the present one.
    private var stepStart = 0
    private var announcedCount = 0
    /// Bytes on the wire so far, with those of effects.
    private(set) var sentByteCount = 0
    /// Whether all of the reply was sent, and nothing but waits is left of it.
    private(set) var isWhole = false
    /// nil for the most replies, so that they are copied the faster; a copy of the cursor that is played on has the same.
    private var aids: Aids?

    /// What a cursor has of a reply that needs more than its bytes.
    private final class Aids {
        /// The file of the content, once it is open.
        var file: ContentCursor.Opened?
        /// Bytes of an effect that are not sent yet; they have no pace and no cuts.
        var inserted: ContentCursor?
        /// When the effect under way began, in MonotonicClock nanoseconds; nil: none is.
        var effectBegan: UInt64?
        /// Frames of the reply so far, counted where effects stand before frames.
        var frameCount = 0
        var beforeFrameCount = 0
        /// The section of the present step, while effects stand between its frames: what came before it, and its next frame.
        var block: (firstFrame: Int, frame: Int)?
        var pacer: WritePacer?
        var milestone: SendMilestone?
        var reports: ReportAwaiter?
        var webhooks: BoundSending?
        var lead: (any WebSocketBeginning)?
    }

    private mutating func needAids() -> Aids {
        if let aids { return aids }
        let new = Aids()
        aids = new
        return new
    }

    /// To be reached by what is sent; nil: nothing.
    var milestone: SendMilestone? {
        get { aids?.milestone }
        set { needAids().milestone = newValue }
    }

    /// nil: no client can report events, and no reply waits for them.
    var reports: ReportAwaiter? {
        get { aids?.reports }
        set { needAids().reports = newValue }
    }

    /// What is sent to the client's listener when the reply is whole; nil: nothing.
    var webhooks: BoundSending? {
        get { aids?.webhooks }
        set { if newValue != nil || aids != nil { needAids().webhooks = newValue } }
    }

    /// The first frames of the WebSocket that the reply opens, which are sent with it; nil: none.
    var lead: (any WebSocketBeginning)? {
        get { aids?.lead }
        set { needAids().lead = newValue }
    }

    /// `log` is nil for what belongs to no request of a journal.
    init(_ plan: LaidOutReply = .nothing, _ log: RequestLog? = nil) {
        self.plan = plan
        self.log = log
        guard !plan.isPlain, let schedule = plan.traits.schedule else { return }
        needAids().pacer = WritePacer(schedule)
    }

    /// Begins a reply behind the effects that were played so far.
    mutating func beginPlan(_ plan: LaidOutReply) {
        var next = ReplyCursor(plan, log)
        next.sentByteCount = sentByteCount
        if let aids {
            next.milestone = aids.milestone
            next.reports = aids.reports
        }
        self = next
    }

    /// Plays until the reply is over, which is nil, or has to wait; throws how the wire ended.
    ///
    /// `events` come into the journal before the first byte goes out; those about the reply are added to them.
    mutating func advance<Carrier: Wire>(
        on wire: Carrier, noting events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        var buffer: [UInt8] = []
        if aids?.effectBegan != nil, let pause = try endEffect(on: wire, &buffer, &events) { return pause }
        while step < plan.stepCount {
            switch plan.step(at: step) {
            case .section(let section):
                if let pause = try send(section, on: wire, &buffer, &events) { return pause }
            case .content(let source, let range):
                if let pause = try send(source, range, on: wire, &buffer, &events) { return pause }
                stepStart += range.count
            case .end:
                guard !Carrier.writesBytes, !plan.isContent(at: step - 1) else { break }
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
        needAids().frameCount = .max
        if let pause = try playBeforeFrame(on: wire, &buffer, &events) { return pause }
        aids?.frameCount = 0
        return nil
    }

    /// Writes what is to come into the journal before the next byte.
    private func noteEvents(_ events: inout JournalEvents) { log?.appendEvents(draining: &events) }

    /// The journal's event about the cuts; nil without cuts, and where slices are frames.
    func slices(in layout: WireLayout) -> JournalEvent? {
        guard let pacer = aids?.pacer, case .bytes = layout else { return nil }
        return pacer.slices
    }

    // MARK: Effects

    private mutating func beginEffect<Carrier: Wire>(
        _ action: Effect.Action, at position: String, on wire: Carrier, _ buffer: inout [UInt8],
        _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        if !Carrier.writesBytes, case .frames(.push(let request)) = action {
            noteEvents(&events)
            try wire.requireOpen()
            return .push(request, at: position)
        }
        // What goes out before an effect that takes time is noted before it.
        switch action {
        case .send, .frames, .clock: break
        default:
            noteEvents(&events)
            wire.flush()
        }
        events.append(.effectPlayed(action.row.played(at: position)))
        noteEvents(&events)
        needAids().effectBegan = MonotonicClock.nanoseconds
        if let pause = try start(action, on: wire) { return pause }
        return try endEffect(on: wire, &buffer, &events)
    }

    /// What the effect waits for; nil where nothing is left of it but ``inserted``.
    private mutating func start(_ action: Effect.Action, on wire: some Wire) throws(ConnectionEnd) -> Pause? {
        try wire.requireOpen()
        switch action {
        case .wait(let duration): return .moment(Socket.deadline(within: duration.wholeNanoseconds))
        // A plan has a time that was drawn in its place.
        case .waitRandom(let time, _): return .moment(Socket.deadline(within: time.most.wholeNanoseconds))
        case .send(let source):
            let source = ContentSource(source)
            let range = 0..<source.byteCount
            needAids().inserted = try canSend(range, on: wire) ? ContentCursor(source, range) : nil
            return nil
        case .await(let point): return .report(point)
        case .clock(let change): return .clock(change)
        // The wire has it; of HTTP/1.1 the compiler asks for each.
        default: return .effect(action)
        }
    }

    /// Ends the effect under way, of which its bytes may be left.
    private mutating func endEffect(
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        if let pause = try sendInserted(on: wire, &buffer, &events) { return pause }
        if let aids, let began = aids.effectBegan.take() { aids.pacer?.didPause(MonotonicClock.nanoseconds &- began) }
        return nil
    }

    private mutating func sendInserted(
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        guard let aids, var content = aids.inserted.take() else { return nil }
        if let pause = try sendRest(of: &content, ContentPart(isInserted: true), on: wire, &buffer, &events) {
            aids.inserted = content
            return pause
        }
        wire.flush()
        return nil
    }

    private var hasEffectsBeforeFrames: Bool {
        !plan.isPlain && (aids?.beforeFrameCount ?? 0) < plan.traits.beforeFrames.count
    }

    /// Plays the effects that stand before the next frame.
    private mutating func playBeforeFrame(
        on wire: some Wire, _ buffer: inout [UInt8], _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        let aids = needAids()
        while hasEffectsBeforeFrames, plan.traits.beforeFrames[aids.beforeFrameCount].frame <= aids.frameCount {
            let next = plan.traits.beforeFrames[aids.beforeFrameCount]
            aids.beforeFrameCount += 1
            let place = Effect.Position.frame(next.frame).text
            if let pause = try beginEffect(next.action, at: place, on: wire, &buffer, &events) { return pause }
        }
        return nil
    }

    // MARK: Sections and content

    private mutating func send(
        _ section: StreamSection, on wire: some Wire, _ buffer: inout [UInt8], _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        if aids?.block == nil {
            try wire.requireOpen()
            if let reply = section.reply { events.append(.replyBegun(reply)) }
            noteEvents(&events)
            if section.kind == .response, let aids, let near = aids.milestone { aids.milestone?.pass = near.approach() }
            if hasEffectsBeforeFrames { needAids().block = (aids?.frameCount ?? 0, 0) }
        }
        if let aids, let block = aids.block {
            aids.frameCount = block.firstFrame + block.frame
            var isLast = false
            while !isLast {
                if let pause = try playBeforeFrame(on: wire, &buffer, &events) { return pause }
                try wire.requireOpen()
                let sent = try wire.send(section, frame: aids.frameCount - block.firstFrame)
                sentByteCount += sent.byteCount
                isLast = sent.isLast
                if !isLast {
                    aids.frameCount += 1
                    aids.block?.frame += 1
                }
            }
            aids.block = nil
        } else {
            sentByteCount += try wire.send(section, frame: nil).byteCount
        }
        guard let aids else { return nil }
        aids.frameCount &+= 1
        guard section.kind == .response, let pass = aids.milestone?.pass else { return nil }
        aids.milestone = nil
        // Requests that come from now on may be made with the cookies.
        wire.flush(pass)
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
        _ buffer: inout [UInt8], _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        let endsReply = endsReply ?? plan.isEnd(at: step + 1)
        if position == nil {
            guard try canSend(range, endsReply: endsReply, on: wire) else { return nil }
        }
        var rest = ContentCursor(source, range, from: position ?? range.lowerBound, aids?.file.take())
        let isPaced = aids?.pacer != nil
        let part = ContentPart(
            endsReply: endsReply, isFollowed: !isPaced && plan.isRead(at: step + 1), isPaced: isPaced)
        let pause = try sendRest(of: &rest, part, start: range.lowerBound, on: wire, &buffer, &events)
        position = pause == nil ? nil : rest.position
        if pause != nil, let file = rest.file { needAids().file = file }
        return pause
    }

    /// Sends what there is room for, in the pace of the reply; `start` is where the content of the step begins.
    private mutating func sendRest(
        of content: inout ContentCursor, _ part: ContentPart, start: Int = 0, on wire: some Wire,
        _ buffer: inout [UInt8], _ events: inout JournalEvents
    ) throws(ConnectionEnd) -> Pause? {
        var part = part
        let isInserted = part.isInserted
        repeat {
            if hasEffectsBeforeFrames, !isInserted {
                if let pause = try playBeforeFrame(on: wire, &buffer, &events) { return pause }
            }
            var most = content.end - content.position
            if !isInserted {
                switch aids?.pacer?.nextTurn() {
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
            if let aids, !isInserted {
                aids.frameCount &+= 1
                aids.pacer?.didSend(content.position - before)
            }
            passMilestone()
            try wire.endPart()
        } while content.position < content.end
        return nil
    }

    /// Announces the replies that begin before `end` of the present step, whose bytes are about to be written.
    private mutating func announce(upTo end: Int, in events: inout JournalEvents) {
        while announcedCount < plan.begunCount {
            let next = plan.begun(at: announcedCount)
            guard next.offset < stepStart + end else { return }
            events.append(.replyBegun(next.reply))
            announcedCount += 1
        }
    }

    private mutating func approachMilestone(by byteCount: Int) {
        guard let aids, let near = aids.milestone, near.pass == nil, near.byteCount - sentByteCount <= byteCount
        else { return }
        aids.milestone?.pass = near.approach()
    }

    private mutating func passMilestone() {
        guard let aids, let reached = aids.milestone, sentByteCount >= reached.byteCount else { return }
        aids.milestone = nil
        reached.pass?()
    }
}

// What is played by a task.
extension ReplyCursor {
    /// Plays the reply to its end.
    mutating func playToEnd(on wire: some Wire) async throws(ConnectionEnd) {
        var events = JournalEvents()
        while let pause = try advance(on: wire, noting: &events) { try await wait(for: pause, on: wire) }
        wire.flush()
    }

    /// Returns when the reply can go on; a push is its owner's.
    mutating func wait(for pause: Pause, on wire: some Wire) async throws(ConnectionEnd) {
        switch pause {
        case .moment(let moment): try await wire.pause(until: moment)
        case .room: try await wire.awaitRoom()
        case .reading:
            aids?.pacer?.didKeepApart(by: try await wire.keepSliceApart())
        case .clock(let change): reports?.moveClock(change)
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
        var events = JournalEvents()
        if let pause = try start(action, on: wire) { return try await wait(for: pause, on: wire) }
        while let pause = try sendInserted(on: wire, &buffer, &events) { try await wait(for: pause, on: wire) }
    }

    /// Whether bytes behind the reply are sent as another cursor would send them.
    var isPlain: Bool { aids?.pacer == nil && !hasEffectsBeforeFrames }

    /// Whether bytes behind the reply have no pace, no cuts and no effects before frames, and the peer may read them.
    func sendsAtOnce(on wire: some Wire) -> Bool { isPlain && !wire.isHalfClosed && wire.peerEnd == nil }

    /// Sends bytes behind the reply, with its pace and its cuts; those before `start` went out.
    mutating func sendBehindReply(_ bytes: [UInt8], from start: Int = 0, on wire: some Wire) async throws(ConnectionEnd)
    {
        try wire.requireOpen()
        var buffer: [UInt8] = []
        var events = JournalEvents()
        guard try canSend(start..<bytes.count, on: wire) else { return wire.flush() }
        var content = ContentCursor(.bytes(bytes), start..<bytes.count)
        let part = ContentPart(isPaced: aids?.pacer != nil)
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
        (self.byteCount, self.approach) = (byteCount, approach)
    }
}
