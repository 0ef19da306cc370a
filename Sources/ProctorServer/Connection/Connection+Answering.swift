internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

extension Connection {
    /// Answers a request of a scenario: takes its turn and plays the reply.
    ///
    /// `routed` says how the origin was found, where the connection is not its own.
    func answer(
        _ head: RequestHead, _ target: [UInt8], on stage: Stage, origin: Int,
        routed: JournalEvent.Routing? = nil
    ) async throws(ConnectionEnd) {
        let attachment = attach(to: stage, origin: routed == nil ? origin : nil)
        if head.violations.isEmpty, head.framing == .none {
            return try await answerAtOnce(
                head, target, on: stage, origin: origin, attachment, journaled: target, routed)
        }
        let log = RequestLog(stage, attachment)
        log.append(.requestHead(head, target: target), routing(routed, to: origin, of: stage))
        for violation in head.violations { log.append(.violation(violation)) }
        let (view, choice) = try await choose(
            seen(head, routed), target, on: stage, origin: origin, attachment, log)
        try await answer(view, choice, nil, nil, stage, log)
    }

    /// The head as the origin sees it: behind a proxy without what was for the proxy alone.
    private func seen(_ head: RequestHead, _ routed: JournalEvent.Routing?) -> RequestHead {
        routed == .absolute ? head.forwarded : head
    }

    /// For a request without content and without faults: nothing can come between the head and its answer, so they are
    /// one step.
    ///
    /// The journal has the target as it came, where a proxy has changed it.
    func answerAtOnce(
        _ head: RequestHead, _ target: [UInt8], on stage: Stage, origin: Int, _ attachment: Attachment,
        journaled: [UInt8], _ routed: JournalEvent.Routing?
    ) async throws(ConnectionEnd) {
        let view = requestView(seen(head, routed), target, stage, origin: origin)
        let (number, choice) = stage.admitAndChoose(
            view, origin: origin, epoch: attachment.epoch, on: attachment.memory)
        let log = RequestLog(
            journal: stage.journal, epoch: attachment.epoch, connection: attachment.number, request: number)
        var event: JournalEvent? = .requestHead(head, target: journaled)
        var route = routing(routed, to: origin, of: stage)
        judgeCookies(of: head, stage, origin: origin, behind: &event, &route, log)
        try await answer(view, choice, event, route, stage, log)
    }

    func routing(_ routed: JournalEvent.Routing?, to origin: Int, of stage: Stage) -> JournalEvent? {
        routed.map { .routed(origin: stage.scenario.origins[origin].name, by: $0) }
    }

    /// Chooses who answers a request that is in the journal, once as much of its content is there as that needs.
    func choose(
        _ head: RequestHead, _ target: [UInt8], on stage: Stage, origin: Int, _ attachment: Attachment,
        _ log: RequestLog
    ) async throws(ConnectionEnd) -> (RequestView, Stage.Choice) {
        judgeCookies(of: head, stage, origin: origin, log)
        let unread = RequestView(head: head, target: target, body: nil)
        if request.hasUnreadContent, stage.compiled.looksAtBody(of: unread, origin: origin) {
            if head.expectsContinue, stage.compiled.expectation(of: unread, origin: origin) == .continue {
                try await sendContinue(log)
            }
            try await receiveContent(Goal.end(reading: stage.compiled.reads(of: unread, origin: origin)), log)
        }
        let view = requestView(head, target, stage, origin: origin)
        return (view, stage.choose(view, origin: origin, on: attachment.memory))
    }

    /// Journals what was chosen, behind events of the same moment if there are any, and replies.
    ///
    /// `carried` is what guards of a proxy before it have the reply say.
    func answer(
        _ view: RequestView, _ choice: Stage.Choice, _ event: JournalEvent?, _ routed: JournalEvent?, _ stage: Stage,
        _ log: RequestLog, carrying carried: [ReplyInfo] = []
    ) async throws(ConnectionEnd) {
        switch choice {
        case .exchange(let exchange, let turn, let guarding):
            log.append(event, routed, guarding, .exchangeChosen(exchange: exchange, turn: turn))
            try await play(.exchange(exchange, turn: turn, carried + (guarding?.infos ?? [])), view, stage, log)
        case .refused(let exchange, let refusal, let guarding):
            log.append(event, routed, guarding, nil)
            try await play(.refusal(exchange, refusal, carried + guarding.infos), view, stage, log)
        case .missed(let miss, let guarding):
            log.append(event, routed, guarding, .missed(miss))
            let page = MissPage(
                request: view, miss: miss, scenario: stage.scenario, explanation: stage.addresses.mountPath)
            try await send(page.reply, to: view.head, log)
        case .ended(let bound, let guarding, let status):
            log.append(event, routed, guarding, bound.map { .boundReached($0) })
            try await send(.beyondBound(status: status), to: view.head, log, closes: true)
        case .handedOn(_, let guarding, let origin):
            // Nobody stands behind the one that it was handed to.
            try await answer(
                view, .missed(stage.miss(view, origin: origin), guarding), event, routed, stage, log)
        }
    }

    /// The request with its content, where that is whole and was kept whole; without framing it has an empty one.
    func requestView(_ head: RequestHead, _ target: [UInt8], _ stage: Stage, origin: Int) -> RequestView {
        var body: [UInt8]? = []
        var gap: String?
        if head.framing != .none {
            let (count, kept) = (request.contentByteCount, request.keptContent.count)
            body = request.isComplete && kept == count ? request.keptContent : nil
            if request.isComplete, kept < count { gap = "\(count) bytes, of which only the first \(kept) are kept" }
        }
        let scheme = stage.naming == nil ? scheme : stage.scenario.origins[origin].scheme
        guard stage.compiled.looksAtBodies else {
            return RequestView(head: head, target: target, body: body, bodyGap: gap, scheme: scheme)
        }
        let decoding = DecodedBody(head, body: body, gap: gap) {
            stage.addresses.bound(for: head, scheme).context(origin: origin)
        }
        return RequestView(head: head, target: target, body: body, bodyGap: gap, decoding: decoding, scheme: scheme)
    }

    private func play(
        _ part: PlayedPart, _ view: RequestView, _ stage: Stage, _ log: RequestLog
    ) async throws(ConnectionEnd) {
        if request.hasUnreadContent, !(part.isRefusal && view.head.expectsContinue) {
            try await read(as: stage.compiled.exchanges[part.exchange].exchange, view.head, log)
        }
        var plan: ReplyPlan?
        var player = Player(socket: socket, bounds: bounds)
        player.isTruncating = isTruncating
        do throws(ConnectionEnd) {
            // Nearly always there is one; else content is coded first, on a thread of its own.
            plan = try stage.plan(of: part, for: view, bounds)
            if plan == nil { plan = try await stage.awaitPlan(of: part, for: view, on: socket, bounds) }
            if let plan, plan.setCookies != nil {
                let origin = stage.compiled.exchanges[part.exchange].exchange.origin
                player.milestone = setCookies(of: plan, to: view.head, stage, origin: origin, log)
            }
            if let plan {
                leavesHTTP = leavesHTTP || plan.leavesHTTP(answering: view.head)
                if leavesHTTP { opaqueLog = log }
                if plan.continuesRequest { request.wasContinued = true }
            }
            if let plan, !player.playAtOnce(plan, log) {
                player.sync = SyncDesk(board: stage.board) { log.append($0) }
                try await player.play(plan, log)
            }
        } catch {
            if let slices = player.slices { log.append(slices) }
            // An end that the fixture wanted is a reply sent.
            if let reason = error.failureReason {
                log.append(.replyAborted(sentByteCount: player.sentByteCount, reason: reason))
            } else {
                log.append(.replySent(status: plan?.status, byteCount: player.sentByteCount))
            }
            noteUnfinishedContent(log)
            throw error
        }
        guard let plan else { return }
        if let slices = player.slices { log.append(slices) }
        log.append(.replySent(status: plan.status, byteCount: player.sentByteCount))
        if player.isTruncating {
            // No byte followed: the record that is cut is the farewell.
            noteUnfinishedContent(log)
            throw .oursInOrder
        }
        if player.isHalfClosed {
            noteUnfinishedContent(log)
            try await awaitPeer()
            throw .oursDone(.closed)
        }
        if let origin = plan.tunnel { try await openTunnel(to: origin, of: stage, log) }
        if let script = plan.opaque ?? (leavesHTTP && !plan.endsConnection ? [] : nil) {
            try await serveOpaque(script, on: stage, log)
        }
        let staysOpen = plan.staysOpen(answering: view.head)
        if staysOpen, !isStopping, !request.hasUnreadContent, request.refusal == nil { return }
        if staysOpen, !isStopping, mayBeWithheld,
            stage.compiled.exchanges[part.exchange].exchange.expectation == .final
        {
            request.isWithheld = true
            noteUnfinishedContent(log)
            return reader.leaveContent()
        }
        try await settle(log, staysOpen: staysOpen)
    }

    /// Reads as much of the content as the exchange asks for before its reply.
    private func read(
        as exchange: Exchange, _ head: RequestHead, _ log: RequestLog
    ) async throws(ConnectionEnd) {
        if head.expectsContinue, exchange.expectation == .final { return }
        let goal: Goal
        switch exchange.reads {
        case .none, .bytes(0): return
        case .all, .paced: goal = .end(reading: exchange.reads)
        case .bytes(let count): goal = .portion(count)
        }
        if head.expectsContinue, exchange.expectation == .continue { try await sendContinue(log) }
        try await receiveContent(goal, log)
    }

    /// After a reply: what is left of the request is read, or the connection ends.
    private func settle(_ log: RequestLog, staysOpen: Bool) async throws(ConnectionEnd) {
        guard staysOpen, !isStopping, request.refusal == nil else {
            noteUnfinishedContent(log)
            throw .oursInOrder
        }
        guard request.hasUnreadContent else { return }
        if mayBeWithheld, try await isWithheld(log) { return }
        try await receiveContent(.end, log, isAnswered: true)
    }

    /// Reads content and journals it once it is complete.
    ///
    /// A body that can't be read is refused, but where the origin accepts anything; after the reply that ends the
    /// connection without a word, for a second reply would be taken for the next request's.
    func receiveContent(
        _ goal: Goal, _ log: RequestLog, isAnswered: Bool = false
    ) async throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            try await receive(goal)
        } catch {
            log.append(.requestBody(request.body), unfinished.event(.unfinished))
            throw error
        }
        for violation in request.takeViolations() { log.append(.violation(violation)) }
        if let refusal = request.refusal {
            takeRest()
            log.append(.violation(refusal), .requestBody(request.body), unfinished.event(.refused))
            if isAnswered { throw .refused }
            if acceptsAnything { return }
            try await refuseContent(refusal)
        }
        if request.isComplete { log.append(.requestBody(request.body)) }
    }

    private func noteUnfinishedContent(_ log: RequestLog) {
        guard request.hasUnreadContent else { return }
        request.isWithheld = mayBeWithheld
        log.append(.requestBody(request.body))
    }

    private func sendContinue(_ log: RequestLog?) async throws(ConnectionEnd) {
        // The peer has started to send without waiting: RFC 9110 §10.1.1 lets us leave the 100 out.
        guard request.contentByteCount == 0, pendingStart == pending.count else { return }
        request.wasContinued = true
        try await write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        log?.append(.continueSent)
    }

    func write(_ bytes: [UInt8]) async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.write(bytes, within: bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
        if isTruncating {
            socket.saysGoodbye = false
            throw .oursInOrder
        }
    }

    // MARK: Our own replies

    /// Reads a control call's content and answers it.
    func answer(_ head: RequestHead, by api: ControlAPI, _ log: RequestLog?) async throws(ConnectionEnd) {
        let limit = ControlRequest.bodyLimit(of: head)
        request.keptLimit = limit
        var heldByteCount = 0
        defer { api.bodies.give(heldByteCount) }
        if head.expectsContinue { try await sendContinue(log) }
        while request.hasUnreadContent, request.contentByteCount <= limit {
            // A body that begins and never ends holds what has come of it, and no more.
            let step = max(1, min(BodyBudget.step, head.contentByteCount ?? .max))
            let goal = min(limit + 1, request.contentByteCount + step)
            guard api.bodies.take(max(0, goal - heldByteCount)) else { return try await refuseBody(of: head, log) }
            heldByteCount = max(goal, heldByteCount)
            try await receive(.content(goal))
            if let refusal = request.refusal { try await refuse(refusal) }
        }
        let reply =
            request.contentByteCount > limit
            ? ControlError.bodyTooLong(limit: limit).reply
            : await api.answer(head, body: request.keptContent, scheme, at: socket.local, on: socket.loop)
        try await answer(head, with: reply, log)
    }

    /// Answers with a page of the server; one that refuses stands in the journal as a request that nothing expects.
    func answer(_ head: RequestHead, withPage reply: BuiltInReply, _ log: RequestLog?) async throws(ConnectionEnd) {
        if reply.status >= 400 {
            let line = String(decoding: reply.body.prefix { $0 != 0x0A }, as: UTF8.self)
            log?.append(.missed(Miss(nearestExchange: nil, differences: [line])))
        }
        try await answer(head, with: reply, log)
    }

    /// The bodies of other calls hold all the memory that there is for them.
    private func refuseBody(of head: RequestHead, _ log: RequestLog?) async throws(ConnectionEnd) {
        let held = "the bodies of calls that are under way hold \(BodyBudget.limit) bytes, which is the limit"
        let bytes = ControlError.busy(held).reply.bytes(for: head, closes: true)
        try await write(bytes)
        log?.append(.replySent(status: 503, byteCount: bytes.count))
        throw .oursInOrder
    }

    /// Answers with a page of the server.
    func answer(_ head: RequestHead, with reply: BuiltInReply, _ log: RequestLog?) async throws(ConnectionEnd) {
        let bytes = reply.bytes(for: head)
        try await write(bytes)
        log?.append(.replySent(status: reply.status, byteCount: bytes.count))
        guard head.keepsAlive, head.version != .http10, !isStopping else { throw .oursInOrder }
        try await receive(.end)
        for violation in request.takeViolations() { log?.append(.violation(violation)) }
        if let refusal = request.refusal {
            log?.append(.violation(refusal))
            takeRest()
            if let event = unfinished.event(.refused) { note(event) }
            throw .refused
        }
    }

    func send(
        _ reply: BuiltInReply, to head: RequestHead, _ log: RequestLog, closes: Bool = false
    ) async throws(ConnectionEnd) {
        let bytes = reply.bytes(for: head, closes: closes)
        log.append(.replyBegun(reply.sent(to: head, closes: closes)))
        try await write(bytes)
        log.append(.replySent(status: reply.status, byteCount: bytes.count))
        try await settle(log, staysOpen: !closes && head.keepsAlive && head.version != .http10)
    }

    /// A head that can't be read is answered with the reason, and the connection ends.
    func refuse(_ violation: Violation) async throws(ConnectionEnd) {
        takeRest()
        if let event = unfinished.event(.refused) { note(event) }
        for earlier in request.takeViolations() { note(.violation(earlier)) }
        note(.violation(violation))
        try await refuseContent(violation)
    }

    private func refuseContent(_ violation: Violation) async throws(ConnectionEnd) {
        try await write(BuiltInReply.refusal(violation).bytes(for: request.head, closes: true))
        throw .refused
    }
}

/// A journal with the connection and request that entries are about.
struct RequestLog {
    let journal: Journal
    let epoch: Int
    let connection: Int
    let request: Int

    /// One entry, or up to three of the same moment.
    func append(_ event: JournalEvent, _ next: JournalEvent? = nil, _ last: JournalEvent? = nil) {
        journal.append(epoch: epoch, connection: connection, request: request, event, next, last)
    }

    /// What came, whom it was for, what the guards said of it, and what follows; each where there is one.
    func append(_ event: JournalEvent?, _ routed: JournalEvent?, _ guarding: Guarding?, _ last: JournalEvent?) {
        guard let routed else { return append(event, guarding, last) }
        guard guarding == nil else {
            if let event { append(event, routed) } else { append(routed) }
            return append(nil, guarding, last)
        }
        if let event { append(event, routed, last) } else { append(routed, last) }
    }

    private func append(_ event: JournalEvent?, _ guarding: Guarding?, _ last: JournalEvent?) {
        guard let guarding else {
            if let event { append(event, last) } else if let last { append(last) }
            return
        }
        var first = event
        let verdicts = guarding.verdicts
        for verdict in verdicts.dropLast() {
            let asked = JournalEvent.guarded(verdict)
            if let event = first { append(event, asked) } else { append(asked) }
            first = nil
        }
        guard let verdict = verdicts.last else { return }
        let asked = JournalEvent.guarded(verdict)
        if let event = first { append(event, asked, last) } else { append(asked, last) }
    }
}

extension RequestLog {
    /// A request that is new to the stage.
    init(_ stage: Stage, _ attachment: Connection.Attachment) {
        self.init(
            journal: stage.journal, epoch: attachment.epoch, connection: attachment.number,
            request: stage.admitRequest(epoch: attachment.epoch))
    }
}

extension RequestHead {
    /// nil where the framing does not say it before.
    fileprivate var contentByteCount: Int? {
        if case .length(let count) = framing { count } else { nil }
    }
}

extension ConnectionEnd {
    /// Half a sentence for the journal; nil for an end that was meant.
    fileprivate var failureReason: String? {
        switch self {
        case .peerClosed: "the client closed the connection"
        case .peerReset: "the client reset the connection"
        case .timedOut: "the client took nothing for too long"
        case .stopped: "the server was stopped"
        case .sourceFailed(let reason), .insecure(let reason): reason
        case .refused, .oursInOrder, .oursDone, .tunnelEnded: nil
        }
    }
}
