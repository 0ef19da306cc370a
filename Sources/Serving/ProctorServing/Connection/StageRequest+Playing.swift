internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// How the reply to a request is planned and played on its wire.
extension StageRequest {
    /// Plays the chosen reply as far as no step waits.
    func playReply(
        _ part: PlayedPart, for view: RequestView, noting events: inout JournalEvents
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        guard wire.sendsAtOnce else { return planLater(part, for: view, noting: &events) }
        var scripted: ScriptedReply?
        let plan: LaidOutReply?
        if let script = stage.script(of: part) {
            log.appendEvents(draining: &events)
            // On a stream, scripts run behind the frames that were read.
            guard Carrier.writesBytes else { return planLater(part, for: view, noting: &events) }
            let made = run(script, part, for: view)
            scripted = made
            switch made {
            case .short(let short): plan = LaidOutReply(short, persistence: persistence(of: part))
            case .reply(let reply): plan = try? planned(PlayedPart(part, scripted: reply), for: view)
            case .nothing, .step, .failure: plan = nil
            }
        } else {
            // A plan that can't be made is tried again by the task, which notes why.
            plan = stage.keptReply(of: part, for: view.head, as: Carrier.layout) ?? (try? planned(part, for: view))
        }
        guard let plan else { return planLater(part, for: view, scripted, noting: &events) }
        var cursor = ReplyCursor(plan, log)
        if stage.compiled.hasWebhooks { cursor.webhooks = webhooks(of: part, for: view) }
        return try playPlan(&cursor, of: part.exchange, for: view, noting: &events)
    }

    private func planLater(
        _ part: PlayedPart, for view: RequestView, _ scripted: ScriptedReply? = nil, noting events: inout JournalEvents
    ) -> WaitingAnswer<Carrier> {
        log.appendEvents(draining: &events)
        return .planning(self, part, view, scripted)
    }

    /// Reads the content that the reply needs, does the steps of its script, waits for content that is coded, and plays
    /// the reply as far as no further step waits.
    func plan(
        _ part: PlayedPart, for view: RequestView, _ scripted: ScriptedReply?
    ) async throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        let view = try await self.view(view, with: stage.compiled.exchanges[part.exchange].exchange, readFor: part)
        var cursor = ReplyCursor(.nothing, log)
        let plan: LaidOutReply
        do throws(ConnectionEnd) {
            plan = try await reply(part, view, scripted, &cursor)
        } catch {
            return try fail(by: error, answering: view, cursor)
        }
        cursor.beginPlan(plan)
        if stage.compiled.hasWebhooks { cursor.webhooks = webhooks(of: part, for: view) }
        var events = JournalEvents()
        return try playPlan(&cursor, of: part.exchange, for: view, noting: &events)
    }

    /// Does the steps of a script that the reply has, and plans the reply.
    private func reply(
        _ part: PlayedPart, _ view: RequestView, _ scripted: ScriptedReply?, _ cursor: inout ReplyCursor
    ) async throws(ConnectionEnd) -> LaidOutReply {
        var part = part
        if let script = stage.script(of: part) {
            cursor.reports = reports
            var sections: SteppedSections? =
                Carrier.writesBytes ? nil : SteppedSections(to: Array(view.head.methodBytes))
            switch try await finish(script, scripted, part, for: view, &cursor, &sections) {
            case .short(let made): return LaidOutReply(made, persistence: persistence(of: part))
            case .nothing:
                let traits = LaidOutReply.Traits(persistence: persistence(of: part))
                return try sections?.rest(traits) ?? LaidOutReply([.end], traits)
            case .reply(let made):
                guard sections?.status == nil else {
                    throw ConnectionEnd.unanswerable("the script returns a reply behind the one that it has sent")
                }
                part = PlayedPart(part, scripted: made)
            case .failure(let reason): throw ConnectionEnd.unanswerable(reason)
            case .step: preconditionFailure("a script waits for a step that was done")
            }
        }
        // Usually it is kept; otherwise the content is first coded on another thread.
        if let reply = try planned(part, for: view) { return reply }
        return try await stage.awaitReply(of: part, for: view, numbers, as: Carrier.layout, on: wire)
    }

    /// Nil while content has to be coded first.
    private func planned(_ part: PlayedPart, for view: RequestView) throws(ConnectionEnd) -> LaidOutReply? {
        try ConnectionEnd.rethrow { () throws(ReplyFailure) in
            try stage.reply(
                of: part, for: view, numbers, as: Carrier.layout, codedByteLimit: wire.bounds.codedByteCount)
        }
    }

    var reports: ReportAwaiter { ReportAwaiter(reports: stage.reports, clock: stage.clock) { log.append($0) } }

    // MARK: Playing

    /// Plays a reply from where `cursor` stands, and does what follows it, as far as no step waits.
    private func playPlan(
        _ cursor: inout ReplyCursor, of exchange: Int, for view: RequestView, noting events: inout JournalEvents
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        do throws(ConnectionEnd) {
            if !cursor.plan.isPlain { try prepare(&cursor, of: exchange, for: view, noting: &events) }
            if let pause = try cursor.advance(on: wire, noting: &events) {
                log.appendEvents(draining: &events)
                return PlayedReply(request: self, exchange: exchange, view: view, cursor: cursor)
                    .waiting(for: pause)
            }
        } catch {
            log.appendEvents(draining: &events)
            return try fail(by: error, answering: view, cursor)
        }
        return try finish(&cursor, of: exchange, for: view, noting: &events)
    }

    /// Prepares the wire and the journal for what the reply brings besides its steps.
    private func prepare(
        _ cursor: inout ReplyCursor, of exchange: Int, for view: RequestView, noting events: inout JournalEvents
    ) throws(ConnectionEnd) {
        let plan = cursor.plan
        let traits = plan.traits
        if traits.setCookies != nil {
            let origin = stage.compiled.exchanges[exchange].exchange.origin
            cursor.milestone = cookiesSet(by: plan, answering: view.head, origin: origin)
        }
        for violation in traits.handshakeViolations { events.append(.webSocket(violation)) }
        wire.prepare(for: plan, log)
        guard let program = traits.webSocket.flatMap({ $0 as? any ServedWebSocket }) else { return }
        // A pace and cuts count the bytes of the head alone.
        let lead = try program.makeLead(
            keeping: wire.bounds.keptBodyByteCount, sendsTurns: Carrier.writesBytes && traits.schedule == nil)
        cursor.beginPlan(plan.followed(by: lead.bytes))
        cursor.lead = lead
    }

    /// Notes that a reply was played, and does what follows it, as far as that does not wait.
    fileprivate func finish(
        _ cursor: inout ReplyCursor, of exchange: Int, for view: RequestView, noting events: inout JournalEvents
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        let plan = cursor.plan
        if let slices = cursor.slices(in: Carrier.layout) { events.append(slices) }
        let byteCount = cursor.sentByteCount - (plan.isPlain ? 0 : cursor.lead?.bytes.count ?? 0)
        let end = JournalEvent.replySent(status: plan.traits.status, byteCount: byteCount)
        let isKept = (wire as? MultiplexedStream).map { $0.owner.keepEnd(end, of: $0, log) }
        if isKept != true { events.append(end) }
        log.appendEvents(draining: &events)
        if stage.compiled.hasWebhooks, let webhooks = cursor.webhooks {
            beginWebhooks(webhooks, behind: exchange, for: view)
        }
        if plan.isPlain, wire.sendsAtOnce, !wire.isHalfClosed {
            guard wire.goesOn(plan.staysOpen(answering: view.head)) else { throw .serverCloses }
            return nil
        }
        return .following(PlayedReply(request: self, exchange: exchange, view: view, cursor: cursor))
    }

    /// Behind a reply: leads to an origin, plays the script of another protocol, or reads the rest of the request.
    fileprivate func follow(
        _ cursor: ReplyCursor, to view: RequestView, _ exchange: Exchange
    ) async throws(ConnectionEnd) {
        let reply = cursor.plan
        wire.flush()
        try await wire.endReply(content)
        if let tunnel = reply.traits.tunnel {
            try wire.requireOpen()
            return try await wire.open(tunnel, of: stage, log: log)
        }
        if let script = reply.script(as: Carrier.layout) {
            try wire.requireOpen()
            // The protocol changes after the complete request.
            if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
            wire.leaveHTTP(log)
            var cursor = cursor
            cursor.reports = reports
            if let program = reply.traits.webSocket, let lead = cursor.lead {
                // A WebSocket without scripts does not hold the request.
                let request = program.scripts.isEmpty ? nil : ConversationRequest(self, view, exchange.index)
                return try await wire.holdConversation(
                    .webSocket(lead.converse(on: wire, log, by: ReplyPlayer(cursor, of: program), for: request)))
            }
            let conversation = OpaqueConversation(behind: self)
            do throws(ConnectionEnd) {
                try await conversation.playScript(script, by: cursor)
            } catch {
                return try await wire.holdConversation(.ended(error))
            }
            return try await wire.holdConversation(.opaque(conversation))
        }
        guard wire.goesOn(reply.staysOpen(answering: view.head)) else {
            return try await wire.settle(content, .closes(page: false))
        }
        if !input.request.hasUnreadContent, input.request.refusal == nil { return }
        let mayLeave = input.mayBeWithheld && exchange.expectation == .final
        try await wire.settle(content, mayLeave ? .mayLeave : .reads)
    }
}

/// A reply that waits, kept by its wire or by a task; on the loop's thread only.
package struct PlayedReply<Carrier: Wire> {
    fileprivate let request: StageRequest<Carrier>
    fileprivate let exchange: Int
    fileprivate let view: RequestView
    fileprivate var cursor: ReplyCursor

    /// Nil where the wire keeps the reply until there is room.
    func waiting(for pause: ReplyCursor.Pause) -> WaitingAnswer<Carrier>? {
        if case .room = pause, request.wire.keepReply(self) { return nil }
        return .playing(self, pause)
    }

    /// Plays on; nil: the reply is over, and ``finish()`` follows.
    mutating func advance() throws(ConnectionEnd) -> ReplyCursor.Pause? {
        var events = JournalEvents()
        do throws(ConnectionEnd) {
            let pause = try cursor.advance(on: request.wire, noting: &events)
            request.log.appendEvents(draining: &events)
            return pause
        } catch {
            request.log.appendEvents(draining: &events)
            throw error
        }
    }

    mutating func finish() throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        var events = JournalEvents()
        return try request.finish(&cursor, of: exchange, for: view, noting: &events)
    }

    /// What is left where playing has failed; throws where that is nothing.
    func fail(by error: ConnectionEnd) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        try request.fail(by: error, answering: view, cursor)
    }

    /// Notes why the rest of it is not sent.
    func noteEnd(_ error: ConnectionEnd) { request.noteFailure(error, cursor) }

    /// Plays on behind the pause, as far as nothing but the wire can keep the reply.
    mutating func goOn(after first: ReplyCursor.Pause) async throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        cursor.reports = request.reports
        do throws(ConnectionEnd) {
            var pause: ReplyCursor.Pause? = first
            while let present = pause {
                if case .push(let pushed, let position) = present {
                    try push(pushed, at: position)
                } else {
                    try await cursor.wait(for: present, on: request.wire)
                }
                pause = try advance()
                if case .room? = pause, request.wire.keepReply(self) { return nil }
            }
        } catch {
            return try fail(by: error)
        }
        return try finish()
    }

    /// What follows the reply, which was played.
    func follow() async throws(ConnectionEnd) {
        try await request.follow(
            cursor, to: view, request.stage.compiled.exchanges[exchange].exchange)
    }

    /// Promises a request; the journal says so where the client does not permit that.
    private mutating func push(_ pushed: PushedRequest, at position: String) throws(ConnectionEnd) {
        let origin = request.stage.compiled.exchanges[exchange].exchange.origin
        var byteCount: Int?
        if let request = request as? StageRequest<MultiplexedStream> {
            byteCount = try request.wire.owner.push(pushed, beside: request, view.head, origin: origin)
        }
        cursor.didPush(byteCount ?? 0)
        let row = Effect.Action.frames(.push(pushed)).row
        request.log.append(
            .effectPlayed(row.played(at: position, remark: byteCount == nil ? ": left out, not permitted" : "")))
    }
}
