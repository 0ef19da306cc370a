internal import ProctorBase
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Plays a plan on a stream of HTTP/2: field sections, content within the windows, and effects, in order; on the loop's
/// thread only.
struct StreamPlayer {
    let stream: HTTP2Stream
    /// nil: no client can report events, and no reply waits.
    let reports: ReportAwaiter?
    /// Nil: the reply is pushed itself, and pushes none (RFC 9113 §8.4.1).
    var pusher: ReplyPusher?
    var milestone: Player.Milestone?
    /// Bytes of frames.
    private(set) var sentByteCount = 0
    /// Whether every frame of the plan was sent, and nothing but waits is left of it.
    private(set) var isWhole = false
    private var pacer: WritePacer?
    private var shape = FrameShape()
    /// Frames of the reply so far, counted where effects stand before frames.
    private var frameCount = 0
    private var beforeFrames: ArraySlice<PendingEffects.BeforeFrame> = []
    private var log: RequestLog?
    private var owner: HTTP2Connection { stream.owner }

    init(stream: HTTP2Stream, reports: ReportAwaiter?) {
        self.stream = stream
        self.reports = reports
    }

    /// Throws how the stream or the connection ended; `log` is nil for a pushed reply, which has no request.
    mutating func play(_ plan: ReplyPlan, _ log: RequestLog?) async throws(ConnectionEnd) {
        pacer = plan.schedule.map(WritePacer.init)
        beforeFrames = plan.beforeFrames[...]
        self.log = log
        let steps = plan.steps
        for (index, step) in steps.enumerated() {
            let isLast = index + 1 < steps.count && steps[index + 1].isEnd
            switch step {
            case .section(let section): try await send(section)
            case .send(let bytes): try await send(.bytes(bytes), bytes.indices, endsStream: isLast)
            case .stream(let source, let range): try await send(source, range, endsStream: isLast)
            case .end:
                if index == 0 || !steps[index - 1].isContent { try await send(.bytes([]), 0..<0, endsStream: true) }
            case .effect(let action, let position):
                isWhole = plan.isWhole(before: index)
                try await play(action, at: position)
            }
        }
        // Those behind the last frame.
        frameCount = .max
        try await playBeforeFrame()
        owner.flush()
    }

    private mutating func play(_ action: Effect.Action, at position: String) async throws(ConnectionEnd) {
        if case .frames(.push(let request)) = action { return try push(request, at: position) }
        log?.append(.effectPlayed(action: action.text, position: position))
        let start = MonotonicClock.nanoseconds
        try await perform(action)
        pacer?.didPause(MonotonicClock.nanoseconds &- start)
    }

    /// Promises a request; the journal says so where the client does not permit that.
    private mutating func push(_ request: PushedRequest, at position: String) throws(ConnectionEnd) {
        if let end = stream.end { throw end }
        let before = owner.output.byteCount
        let isPushed = try pusher?.push(request) ?? false
        sentByteCount += owner.output.byteCount - before
        let action = Effect.Action.frames(.push(request)).text
        log?.append(
            .effectPlayed(action: isPushed ? action : "\(action): left out, not permitted", position: position))
    }

    /// Plays the effects that stand before the next frame.
    private mutating func playBeforeFrame() async throws(ConnectionEnd) {
        while let next = beforeFrames.first, next.frame <= frameCount {
            beforeFrames.removeFirst()
            try await play(next.action, at: Effect.Position.frame(next.frame).text)
        }
    }

    /// Whether each frame is sent by itself.
    private var isFrameByFrame: Bool { shape.padding != nil || !beforeFrames.isEmpty }

    private mutating func send(_ section: StreamSection) async throws(ConnectionEnd) {
        if let end = stream.end { throw end }
        if let reply = section.reply { log?.append(.replyBegun(reply)) }
        let pass = section.kind == .response ? milestone?.approach() : nil
        if section.kind == .response { milestone = nil }
        let before = owner.output.byteCount
        if isFrameByFrame || shape.blockByteCount != nil {
            try await playBeforeFrame()
            let block = try owner.block(of: section, on: stream, shape)
            for frame in block.frames {
                try await playBeforeFrame()
                if let end = stream.end { throw end }
                owner.send(frame)
                frameCount += 1
            }
            owner.note(block.note)
        } else {
            try owner.send(section, on: stream)
        }
        sentByteCount += owner.output.byteCount - before
        if let pass {
            owner.output.whenSent(pass)
            // Requests that come from now on may be made with the cookies.
            owner.flush()
        }
    }

    // MARK: Content

    private mutating func send(
        _ source: ContentSource, _ range: Range<Int>, endsStream: Bool
    ) async throws(ConnectionEnd) {
        var content = ContentCursor(source, range)
        while true {
            if let end = stream.end { throw end }
            if !beforeFrames.isEmpty { try await playBeforeFrame() }
            let most = min(content.restByteCount, try await allowance())
            let overhead = shape.overhead
            let room = owner.room(on: stream)
            // A frame of no bytes needs no window.
            guard room > overhead || most == 0 && overhead == 0 else {
                try await owner.makeRoom(for: stream, beyond: overhead)
                continue
            }
            try sendPart(of: &content, upTo: min(most, room - overhead), endsStream: endsStream)
            if pacer != nil { owner.flush() }
            if content.isAtEnd { return }
        }
    }

    /// Sends bytes that there is room for.
    private mutating func sendPart(
        of content: inout ContentCursor, upTo most: Int, endsStream: Bool
    ) throws(ConnectionEnd) {
        // Nothing of it is held while the reply waits.
        var buffer: [UInt8] = []
        let before = owner.output.byteCount
        if isFrameByFrame {
            let longest = Int(owner.state.peers.maxFrameSize) - shape.overhead
            let bytes = try content.takeBytes(upTo: min(most, longest), in: &buffer)
            owner.sendFrame(bytes, endsStream: endsStream && content.isAtEnd, padding: shape.padding, on: stream)
            frameCount += 1
            pacer?.didSend(bytes.count)
        } else {
            let bytes = try content.takeBytes(upTo: most, in: &buffer)
            owner.sendContent(bytes, endsStream: endsStream && content.isAtEnd, on: stream)
            pacer?.didSend(bytes.count)
        }
        sentByteCount += owner.output.byteCount - before
    }

    /// Waits for the pace; returns the bytes before the next stop.
    private mutating func allowance() async throws(ConnectionEnd) -> Int {
        // A copy, because `pacer` must not be accessed exclusively during the wait.
        guard var pacer else { return .max }
        let count = try await pacer.awaitTurn(on: stream)
        self.pacer = pacer
        return count
    }

    /// Sends bytes behind the reply as DATA.
    mutating func sendContent(_ source: ContentSource) async throws(ConnectionEnd) {
        guard source.byteCount > 0 else { return }
        try await send(source, 0..<source.byteCount, endsStream: false)
        owner.flush()
    }
}

extension StreamPlayer: EffectPlaying {
    mutating func perform(_ action: Effect.Action) async throws(ConnectionEnd) {
        if let end = stream.end { throw end }
        switch action {
        case .wait(let duration): try await sleep(duration)
        // A plan has a time of the range in its place.
        case .waitBetween(let range, _): try await sleep(range.lowerBound)
        case .await(let point):
            owner.flush()
            if let reports { try await reports.pass(point, on: stream, owner.bounds) }
        case .stall:
            owner.flush()
            try await stream.waitForChange(toEndWithin: owner.bounds.stall)
        case .send(let source):
            // Bytes that stand between frames.
            let bytes = ContentSource(source)
            guard case .bytes(let all) = bytes else {
                throw .unanswerable("its effect sends more bytes at once than a connection of HTTP/2 keeps waiting")
            }
            owner.send(raw: all)
            sentByteCount += all.count
        case .alert, .truncateRecord, .badMAC, .close, .reset, .halfClose:
            try await performOnConnection(action)
        case .frames(.pad(let byteCount)): shape.padding = byteCount
        case .frames(.continuation(let byteCount)): shape.blockByteCount = byteCount
        case .frames(let frames):
            let before = owner.output.byteCount
            defer { owner.flush() }
            try owner.perform(frames, on: stream)
            sentByteCount += owner.output.byteCount - before
        }
    }

    private func sleep(_ duration: Duration) async throws(ConnectionEnd) {
        owner.flush()
        try await stream.pause(for: duration)
    }

    /// Plays an effect of the connection behind all frames so far.
    private func performOnConnection(_ action: Effect.Action) async throws(ConnectionEnd) {
        try await owner.drain()
        var player = owner.connection.output.player()
        try await player.perform(action)
        owner.connection.output.isTruncating = player.isTruncating
        if player.isHalfClosed {
            try await stream.waitForChange(toEndWithin: owner.bounds.stall)
            throw .serverEnded(.closed)
        }
    }
}

extension HTTP2Stream {
    /// Waits until the stream or its connection is over.
    fileprivate func waitForChange(toEndWithin limit: UInt64) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit)
        while true {
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await waitForPeer(within: deadline - now)
        }
    }
}
