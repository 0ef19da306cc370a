internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// How the reply to a request is played on its wire.
extension StageRequest {
    /// Sends a short reply that is ready, with one entry of the journal less than the player; any other, and what the
    /// system does not take at once, is left to the player.
    func playReply(
        _ part: PlayedPart, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        guard wire.sendsAtOnce else {
            log.append(events)
            return { () async throws(ConnectionEnd) in try await playInTask(part, for: view) }
        }
        if let script = stage.script(of: part) {
            log.append(events)
            if Carrier.layout == .bytes { return try runScript(script, part, for: view) }
            // On a stream, scripts run behind the frames that were read.
            return { () async throws(ConnectionEnd) in try await playInTask(part, for: view) }
        }
        // A plan that can't be made is tried again by the player, which notes why.
        let reply =
            stage.keptReply(of: part, for: view.head, as: Carrier.layout)
            ?? (try? planned(part, for: view))
        return try playAtOnce(part, for: view, reply, noting: events)
    }

    /// Runs the script of a reply, whose request is complete; events of the request are in the journal.
    private func runScript(
        _ script: ReplyScript, _ part: PlayedPart, for view: RequestView
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        let scripted = run(script, part, for: view)
        switch scripted {
        case .short(let short):
            let persistence = persistence(of: part)
            return try sendShort(
                part, for: view, short, staysOpen: short.staysOpen(answering: view.head, persistence),
                noting: EventList()
            ) {
                LaidOutReply(short, persistence: persistence)
            }
        case .reply(let reply):
            var part = part
            part.scripted = reply
            let reply = try? planned(part, for: view)
            return try playAtOnce(part, for: view, reply, noting: EventList())
        case .nothing, .step, .failure:
            return { () async throws(ConnectionEnd) in try await playInTask(part, for: view, scripted: scripted) }
        }
    }

    private func playAtOnce(
        _ part: PlayedPart, for view: RequestView, _ reply: LaidOutReply?, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        guard let reply, let short = reply.short, wire.hasRoom(for: short) else {
            log.append(events)
            if let reply, try wire.playWithoutTask(reply, log, isInTask: false) { return nil }
            return { () async throws(ConnectionEnd) in try await playInTask(part, for: view, by: reply) }
        }
        return try sendShort(
            part, for: view, short, reply.head, staysOpen: reply.staysOpen(answering: view.head), noting: events
        ) {
            reply
        }
    }

    /// `reply` is asked for where the system does not take all bytes at once.
    private func sendShort(
        _ part: PlayedPart, for view: RequestView, _ short: ShortReply, _ head: StreamSection? = nil, staysOpen: Bool,
        noting events: consuming EventList, reply: () -> LaidOutReply
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        events.append(.replyBegun(short.reply))
        log.append(events)
        let sent = try wire.sendAtOnce(short, head)
        guard sent.isAll else {
            let reply = reply()
            return { () async throws(ConnectionEnd) in
                try await playInTask(part, for: view, by: reply, after: sent.byteCount)
            }
        }
        log.append(.replySent(status: short.status, byteCount: sent.byteCount))
        guard wire.goesOn(staysOpen) else { throw .serverCloses }
        return nil
    }

    /// `known` is the reply, where it was planned; if its beginning is in the journal, `wentAtOnce` bytes of it were
    /// sent.
    private func playInTask(
        _ part: PlayedPart, for view: RequestView, by known: LaidOutReply? = nil, after wentAtOnce: Int? = nil,
        scripted: ScriptedReply? = nil
    ) async throws(ConnectionEnd) {
        let exchange = stage.compiled.exchanges[part.exchange].exchange
        let view = try await self.view(view, with: exchange, readFor: part)
        var reply = known
        var lead: WebSocketLead?
        var player = Player(wire, wentAtOnce: wentAtOnce)
        let log = log
        player.reports = ReportAwaiter(reports: stage.reports) { log.append($0) }
        player.pusher = wire.pusher(for: self, view.head, origin: exchange.origin)
        do throws(ConnectionEnd) {
            let present: LaidOutReply
            if let reply { present = reply } else { present = try await self.reply(part, view, scripted, &player) }
            reply = present
            if present.traits.setCookies != nil {
                player.milestone = cookiesSet(by: present, answering: view.head, origin: exchange.origin)
            }
            for violation in present.traits.handshakeViolations { log.append(.webSocket(WebSocketNote(violation))) }
            wire.prepare(for: present, log)
            if player.milestone == nil, player.sentByteCount == 0, !input.request.hasUnreadContent,
                try wire.playWithoutTask(present, log, isInTask: true)
            {
                return
            }
            lead = try present.traits.webSocket.map { script throws(ConnectionEnd) in
                try WebSocketLead(script, keeping: wire.bounds.keptBodyByteCount, Carrier.layout, present.traits)
            }
            try await player.sendPlan(present.followed(by: lead?.written.bytes ?? []), log)
        } catch {
            return try await fail(by: error, reply, answering: view, player)
        }
        guard let reply else { return }
        if let slices = player.slices { log.append(slices) }
        let byteCount = player.sentByteCount - (lead?.written.bytes.count ?? 0)
        log.append(.replySent(status: reply.traits.status, byteCount: byteCount))
        try await goOn(behind: reply, to: view.head, exchange, player, lead)
    }

    /// Does the steps of a script that the reply has, and plans the reply.
    private func reply(
        _ part: PlayedPart, _ view: RequestView, _ scripted: ScriptedReply?, _ player: inout Player<Carrier>
    ) async throws(ConnectionEnd) -> LaidOutReply {
        var part = part
        if let script = stage.script(of: part) {
            switch try await finish(script, scripted, part, for: view, &player) {
            case .short(let made): return LaidOutReply(made, persistence: persistence(of: part))
            case .nothing: return LaidOutReply([.end], .init(persistence: persistence(of: part)))
            case .reply(let made): part.scripted = made
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

    /// Behind a reply: leads to an origin, plays the script of another protocol, or reads the rest of the request.
    private func goOn(
        behind reply: LaidOutReply, to head: RequestHead, _ exchange: Exchange, _ player: Player<Carrier>,
        _ lead: WebSocketLead?
    ) async throws(ConnectionEnd) {
        try await wire.endReply(content)
        if let tunnel = reply.traits.tunnel {
            try wire.requireOpen()
            return try await wire.open(tunnel, of: stage, log: log)
        }
        if let script = wire.script(behind: reply) {
            try wire.requireOpen()
            // The protocol changes after the complete request.
            if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
            wire.leaveHTTP(log)
            if let webSocket = reply.traits.webSocket, let lead {
                return try await wire.converse(
                    WebSocketConversation(webSocket, on: wire, log, by: player, behind: lead))
            }
            let conversation = OpaqueConversation(behind: self)
            do throws(ConnectionEnd) {
                try await conversation.playScript(script, by: player)
            } catch {
                return try wire.endConversation(error)
            }
            return try await wire.rest(in: conversation)
        }
        let staysOpen = wire.goesOn(reply.staysOpen(answering: head))
        if staysOpen {
            if !input.request.hasUnreadContent, input.request.refusal == nil { return }
            if input.mayBeWithheld, exchange.expectation == .final {
                return try await wire.leaveContent(content)
            }
        }
        try await wire.settle(content, staysOpen: staysOpen, closes: false)
    }
}
