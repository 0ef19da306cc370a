internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Plays the reply to one request on a connection of HTTP/1.1.
struct ConnectionReply {
    let connection: Connection
    let request: StageRequest

    private var stage: Stage { request.stage }
    private var log: RequestLog { request.log }
    private var content: RequestContent { request.content }
    private var numbers: RequestNumbers { request.numbers }
    private var input: RequestInput { connection.input }

    /// Sends a ready reply that is one piece of bytes, with one entry of the journal less than the player; any other, and
    /// what the system does not take, is left to the player.
    func play(
        _ part: PlayedPart, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        guard !input.request.hasUnreadContent, input.request.refusal == nil, !connection.late.leavesHTTP,
            !connection.output.isTruncating, connection.output.peerEnd == nil
        else {
            log.append(events)
            return { () async throws(ConnectionEnd) in try await play(part, for: view) }
        }
        if let script = stage.script(of: part) {
            log.append(events)
            return try play(part, by: script, for: view)
        }
        // A plan that can't be made is tried again by the player, which notes why.
        let plan =
            stage.keptPlan(of: part, for: view.head)
            ?? (try? stage.plan(of: part, for: view, numbers, connection.bounds))
        return try play(part, for: view, at: plan, noting: events)
    }

    /// Runs the script of a reply, whose request is complete; events of the request are in the journal.
    private func play(
        _ part: PlayedPart, by script: ReplyScript, for view: RequestView
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        let scripted = request.run(script, part, for: view)
        switch scripted {
        case .whole(let whole):
            let persistence = request.persistence(of: part)
            return try play(
                part, for: view, whole, staysOpen: whole.staysOpen(answering: view.head, persistence),
                noting: EventList()
            ) {
                ReplyPlan(whole, persistence: persistence)
            }
        case .nothing:
            return { () async throws(ConnectionEnd) in try await play(part, for: view, scripted: scripted) }
        case .reply(let reply):
            var part = part
            part.scripted = reply
            let plan = try? stage.plan(of: part, for: view, numbers, connection.bounds)
            return try play(part, for: view, at: plan, noting: EventList())
        case .step, .failure:
            return { () async throws(ConnectionEnd) in try await play(part, for: view, scripted: scripted) }
        }
    }

    private func play(
        _ part: PlayedPart, for view: RequestView, at plan: ReplyPlan?, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        guard let plan, let whole = plan.whole, view.head.form != .authority else {
            log.append(events)
            return { () async throws(ConnectionEnd) in try await play(part, for: view, by: plan) }
        }
        return try play(
            part, for: view, whole, staysOpen: plan.staysOpen(answering: view.head), noting: events
        ) {
            plan
        }
    }

    /// `plan` is asked for where the system does not take all bytes at once.
    private func play(
        _ part: PlayedPart, for view: RequestView, _ whole: ReplyPlan.Whole, staysOpen: Bool,
        noting events: consuming EventList, plan: () -> ReplyPlan
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        events.append(.replyBegun(whole.reply))
        log.append(events)
        let count = connection.socket.writeAtOnce(whole.bytes)
        guard count == whole.bytes.count else {
            let plan = plan()
            return { () async throws(ConnectionEnd) in try await play(part, for: view, by: plan, after: count) }
        }
        log.append(.replySent(status: whole.status, byteCount: count))
        guard staysOpen, !connection.isStopping else { throw .serverCloses }
        return nil
    }

    /// `found` is the plan, where it is known; if its replies are in the journal, `wentAtOnce` bytes of it were sent.
    private func play(
        _ part: PlayedPart, for view: RequestView, by found: ReplyPlan? = nil, after wentAtOnce: Int? = nil,
        scripted: ScriptedReply? = nil
    ) async throws(ConnectionEnd) {
        var part = part
        let exchange = stage.compiled.exchanges[part.exchange].exchange
        let view = try await request.view(view, with: exchange, readFor: part)
        let late = connection.late
        let bounds = connection.bounds
        var plan = found
        var player = connection.output.player(wentAtOnce: wentAtOnce)
        do throws(ConnectionEnd) {
            if plan == nil, let script = stage.script(of: part) {
                player.reports = ReportAwaiter(reports: stage.reports) { log.append($0) }
                switch try await request.finish(script, scripted, part, for: view, &player) {
                case .whole(let made): plan = ReplyPlan(made, persistence: request.persistence(of: part))
                case .nothing: plan = ReplyPlan(steps: [], opaque: nil, persistence: request.persistence(of: part))
                case .reply(let made): part.scripted = made
                case .failure(let reason): throw ConnectionEnd.unanswerable(reason)
                case .step: preconditionFailure("a script waits for a step that was done")
                }
            }
            // Usually the plan exists; otherwise the content is first coded on another thread.
            if plan == nil { plan = try stage.plan(of: part, for: view, numbers, bounds) }
            if plan == nil {
                plan = try await stage.awaitPlan(of: part, for: view, numbers, on: connection.output, bounds)
            }
            if let plan {
                if plan.setCookies != nil {
                    let origin = stage.compiled.exchanges[part.exchange].exchange.origin
                    player.milestone = request.cookiesSet(by: plan, answering: view.head, origin: origin)
                }
                late.leavesHTTP = late.leavesHTTP || plan.leavesHTTP(answering: view.head)
                if late.leavesHTTP { late.opaqueLog = log }
                if plan.continuesRequest { input.request.wasContinued = true }
                player.reports = ReportAwaiter(reports: stage.reports) { log.append($0) }
                try await player.play(plan, log)
            }
        } catch {
            return try await request.end(
                by: error, plan, answering: view, sentByteCount: player.sentByteCount, isWhole: player.isWhole,
                slices: player.slices)
        }
        guard let plan else { return }
        if let slices = player.slices { log.append(slices) }
        log.append(.replySent(status: plan.status, byteCount: player.sentByteCount))
        if player.isTruncating {
            // No byte follows the cut record.
            content.noteUnfinished()
            throw .serverCloses
        }
        if player.isHalfClosed {
            content.noteUnfinished()
            try await late.awaitPeer()
            throw .serverEnded(.closed)
        }
        if let tunnel = plan.tunnel, view.head.form == .authority {
            try await connection.open(tunnel, of: stage, log: log)
        }
        if let script = plan.opaque ?? (late.leavesHTTP && !plan.endsConnection ? [] : nil) {
            // The protocol changes after the complete request.
            if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
            var conversation = OpaqueConversation(behind: request, on: connection)
            try await conversation.run(script)
        }
        let staysOpen = plan.staysOpen(answering: view.head)
        if staysOpen, !connection.isStopping {
            if !input.request.hasUnreadContent, input.request.refusal == nil { return }
            if input.mayBeWithheld, stage.compiled.exchanges[part.exchange].exchange.expectation == .final {
                content.noteUnfinished()
                return input.leaveContent()
            }
        }
        try await connection.settle(content, staysOpen: staysOpen)
    }
}

extension Connection {
    func play(
        _ part: PlayedPart, of request: StageRequest, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        try ConnectionReply(connection: self, request: request).play(part, for: view, noting: events)
    }

    /// After a reply: reads the rest of the request, or ends the connection.
    func settle(_ content: RequestContent, staysOpen: Bool) async throws(ConnectionEnd) {
        guard staysOpen, !isStopping, input.request.refusal == nil else {
            content.noteUnfinished()
            throw .serverCloses
        }
        guard input.request.hasUnreadContent else { return }
        if input.mayBeWithheld {
            let isWithheld = try await receiver.isContentWithheld {
                input.request.isWithheld = true
                content.log.append(.requestBody(input.request.body))
            }
            if isWithheld { return }
        }
        try await content.receive(.end, isAnswered: true)
    }

    func send(
        _ page: BuiltInReply, to head: RequestHead, closes: Bool, _ log: RequestLog
    ) async throws(ConnectionEnd) {
        log.append(.replyBegun(page.sent(to: head, closes: closes)))
        let byteCount = try await write(page, to: head, closes: closes)
        log.append(.replySent(status: page.status, byteCount: byteCount))
        try await settle(
            RequestContent(channel: self, log: log),
            staysOpen: !closes && head.keepsConnection && head.version != .http10)
    }

    func staysOpen(after head: RequestHead) -> Bool {
        head.keepsConnection && head.version != .http10 && !isStopping
    }

    func write(_ page: BuiltInReply, to head: RequestHead, closes: Bool) async throws(ConnectionEnd) -> Int {
        let bytes = page.bytes(for: head, closes: closes)
        try await output.write(bytes)
        return bytes.count
    }

    func write(part bytes: [UInt8]) async throws(ConnectionEnd) { try await output.write(bytes) }

    func endParts(areChunks: Bool) async throws(ConnectionEnd) {
        if areChunks { try await output.write(Array("0\r\n\r\n".utf8)) }
    }
}
