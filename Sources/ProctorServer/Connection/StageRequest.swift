internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

struct OriginRequest {
    let head: RequestHead
    let target: [UInt8]
    let origin: Int
    /// How the origin was found; nil on a port or tunnel of the origin itself.
    var routing: JournalEvent.Routing?

    /// The head as the origin sees it: after a proxy, without the fields for the proxy.
    var seenHead: RequestHead { routing == .absolute ? head.forwarded : head }

    /// The journal's event about the routing; nil where there is none.
    func routed(in stage: Stage) -> JournalEvent? {
        routing.map { .routed(origin: stage.scenario.origins[origin].name, by: $0) }
    }
}

struct StageRequest {
    let connection: Connection
    let stage: Stage
    let memory: ConnectionMemory?
    let log: RequestLog

    /// What the text and the waits of a reply depend on besides the request itself.
    var numbers: RequestNumbers {
        RequestNumbers(
            seed: stage.seed, connection: log.connection, request: log.request, source: connection)
    }

    var content: RequestContent { RequestContent(connection: connection, log: log) }
    private var input: RequestInput { connection.input }

    /// Answers a request as far as no step waits.
    static func answer(
        _ request: OriginRequest, of stage: Stage, on connection: Connection
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        let attachment = connection.attach(to: stage, origin: request.routing == nil ? request.origin : nil)
        let head = request.head
        if !head.hasFraming, head.violations.isEmpty {
            return try answerAtOnce(
                request, of: stage, on: connection, attachment, journaledTarget: request.target)
        }
        let numbered = StageRequest(
            connection: connection, stage: stage, memory: attachment.memory, log: RequestLog(stage, attachment))
        var events = EventList(.requestHead(head, target: request.target))
        events.append(request.routed(in: stage))
        numbered.log.append(events)
        for violation in head.violations { numbered.log.append(.violation(violation)) }
        return { () async throws(ConnectionEnd) in
            let (view, choice) = try await numbered.choose(request.seenHead, request.target, origin: request.origin)
            try await numbered.reply(to: view, with: choice)?()
        }
    }

    /// Answers a request without content and without violations in one step, since no event can come between head and
    /// answer; the journal has the target as received, before a proxy has changed it.
    static func answerAtOnce(
        _ request: OriginRequest, of stage: Stage, on connection: Connection,
        _ attachment: ConnectionJournals.Attachment, journaledTarget: [UInt8]
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        let view = connection.view(request.seenHead, request.target, of: stage, origin: request.origin)
        let (number, choice) = stage.admitAndChoose(
            view, origin: request.origin, epoch: attachment.epoch, on: attachment.memory, connection: attachment.number)
        let numbered = StageRequest(
            connection: connection, stage: stage, memory: attachment.memory,
            log: RequestLog(
                journal: stage.journal, epoch: attachment.epoch, connection: attachment.number, request: number))
        var events = EventList(.requestHead(request.head, target: journaledTarget))
        events.append(request.routed(in: stage))
        events.append(numbered.cookiesJudged(of: request.head, origin: request.origin))
        return try numbered.reply(to: view, with: choice, noting: events)
    }

    /// Chooses the answer of a journalled request, after reading as much of its content as the choice needs.
    func choose(
        _ head: RequestHead, _ target: [UInt8], origin: Int
    ) async throws(ConnectionEnd) -> (RequestView, Stage.Choice) {
        if let event = cookiesJudged(of: head, origin: origin) { log.append(event) }
        var unread = RequestView(head: head, target: target, body: nil)
        if stage.compiled.looksAtSecurity { unread.security = connection.securityFacts }
        if input.request.hasUnreadContent, stage.compiled.looksAtBody(of: unread, origin: origin) {
            if head.expectsContinue, stage.compiled.expectation(of: unread, origin: origin) == .continue {
                try await content.sendContinue()
            }
            try await content.receive(.end(reading: stage.compiled.reads(of: unread, origin: origin)))
        }
        let view = connection.view(head, target, of: stage, origin: origin)
        return (
            view, stage.choose(view, origin: origin, on: memory, connection: log.connection, number: log.request)
        )
    }

    /// Notes the choice, after `events` of the same time, and replies as far as no step waits.
    ///
    /// `carried` holds the fields that guards of an earlier proxy add to the reply.
    func reply(
        to view: RequestView, with choice: Stage.Choice, noting events: consuming EventList = EventList(),
        carrying carried: [ReplyInfo] = []
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        events.append(verdictsOf: choice.answers)
        if let reason = view.decoded?.scriptFailure {
            log.append(events)
            return { () async throws(ConnectionEnd) in try await send(failure: reason, to: view) }
        }
        switch choice {
        case .exchange(let exchange, let turn, let answers, let state):
            events.append(.exchangeChosen(exchange: exchange, turn: turn))
            for change in state?.changes ?? [] { events.append(.stateChanged(change)) }
            if let refusal = state?.refusal { return send(refusal, to: view, noting: events) }
            let infos = answers.map { carried + $0.infos } ?? carried
            return try play(
                PlayedPart(
                    exchange: exchange, reply: .turn(turn), infos: infos, state: state?.values,
                    precondition: state?.precondition), for: view, noting: events)
        case .refused(let exchange, let refusal, let answers):
            let part = PlayedPart(exchange: exchange, reply: .refusal(refusal), infos: carried + answers.infos)
            return try play(part, for: view, noting: events)
        case .missed(let miss, _):
            return send(miss, to: view, noting: events)
        case .handedOn(_, _, let origin):
            // The origin to which the proxy handed the request has no further origin.
            return send(stage.miss(view, origin: origin), to: view, noting: events)
        case .ended(let bound, _, let status):
            events.append(bound.map { .boundReached($0) })
            log.append(events)
            return { () async throws(ConnectionEnd) in
                try await content.send(.beyondBound(status: status), to: view.head, closes: true)
            }
        }
    }

    /// In place of a reply whose changes of the state are not possible.
    private func send(
        _ refusal: StateRefusal, to view: RequestView, noting events: consuming EventList
    ) -> RestOfAnswer {
        events.append(.stateRefused(refusal))
        log.append(events)
        let reply = BuiltInReply(status: 500, lines: ["proctor could not answer this request.", "", refusal.sentence])
        return { () async throws(ConnectionEnd) in try await content.send(reply, to: view.head) }
    }

    private func send(
        _ miss: Miss, to view: RequestView, noting events: consuming EventList
    ) -> RestOfAnswer {
        events.append(.missed(miss))
        log.append(events)
        let page = MissPage(
            request: view, miss: miss, scenario: stage.scenario,
            explanation: stage.addresses.mountPath.map { $0.isEmpty ? Array("/\(stage.scenario.id)".utf8) : $0 })
        // Ports of a run have no style sheet.
        let isRead = page.explanation != nil && view.head.readsPages && view.head.wantsHTML
        let reply = isRead ? PageFrame.page(of: page.reply) : page.reply
        return { () async throws(ConnectionEnd) in try await content.send(reply, to: view.head) }
    }

    // MARK: Playing

    /// Sends a ready reply that is one piece of bytes, with one entry of the journal less than the player; any other, and
    /// what the system does not take, is left to the player.
    private func play(
        _ part: PlayedPart, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        guard !input.request.hasUnreadContent, input.request.refusal == nil, !connection.late.leavesHTTP,
            !connection.output.isTruncating
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
        let scripted = run(script, part, for: view)
        switch scripted {
        case .whole(let whole):
            let persistence = persistence(of: part)
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
        var view = view
        if input.request.hasUnreadContent {
            if stage.needsContent(part) {
                view = try await viewOfAllContent(view, exchange)
            } else if !(part.refusal != nil && view.head.expectsContinue) {
                try await readContent(before: exchange, view.head)
                if stage.script(of: part) != nil {
                    view = connection.view(
                        view.head, view.absoluteTarget ?? view.target, of: stage, origin: exchange.origin)
                }
            }
        }
        let late = connection.late
        let bounds = connection.bounds
        var plan = found
        var player = connection.output.player(wentAtOnce: wentAtOnce)
        do throws(ConnectionEnd) {
            if plan == nil, let script = stage.script(of: part) {
                player.reports = ReportAwaiter(reports: stage.reports) { log.append($0) }
                switch try await finish(script, scripted, part, for: view, &player) {
                case .whole(let made): plan = ReplyPlan(made, persistence: persistence(of: part))
                case .nothing: plan = ReplyPlan(steps: [], opaque: nil, persistence: persistence(of: part))
                case .reply(let made): part.scripted = made
                case .failure(let reason): throw ConnectionEnd.unanswerable(reason)
                case .step: preconditionFailure("a script waits for a step that was done")
                }
            }
            // Usually the plan exists; otherwise the content is first coded on another thread.
            if plan == nil { plan = try stage.plan(of: part, for: view, numbers, bounds) }
            if plan == nil {
                plan = try await stage.awaitPlan(of: part, for: view, numbers, on: connection.socket, bounds)
            }
            if let plan {
                if plan.setCookies != nil {
                    let origin = stage.compiled.exchanges[part.exchange].exchange.origin
                    player.milestone = cookiesSet(by: plan, answering: view.head, origin: origin)
                }
                late.leavesHTTP = late.leavesHTTP || plan.leavesHTTP(answering: view.head)
                if late.leavesHTTP { late.opaqueLog = log }
                if plan.continuesRequest { input.request.wasContinued = true }
                player.reports = ReportAwaiter(reports: stage.reports) { log.append($0) }
                try await player.play(plan, log)
            }
        } catch {
            if case .unanswerable(let reason) = error {
                if player.sentByteCount == 0 { return try await send(failure: reason, to: view) }
                log.append(.replyFailed(FailedReply(reason)))
            }
            let failedReading = input.request.isEndNoted
            // The journal has the end of content that a script read, and no byte of the reply went out.
            if failedReading, player.sentByteCount == 0 { throw error }
            if let slices = player.slices { log.append(slices) }
            // An end that the fixture wants counts as a complete reply.
            if let reason = failedReading ? error.reasonOfReading : error.failureReason {
                log.append(.replyAborted(sentByteCount: player.sentByteCount, reason: reason))
            } else {
                log.append(.replySent(status: plan?.status, byteCount: player.sentByteCount))
            }
            content.noteUnfinished()
            throw error
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
        if let origin = plan.tunnel { try await connection.openTunnel(to: origin, of: stage, log: log) }
        if let script = plan.opaque ?? (late.leavesHTTP && !plan.endsConnection ? [] : nil) {
            // The protocol changes after the complete request.
            if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
            var conversation = OpaqueConversation(behind: self)
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
        try await content.settle(staysOpen: staysOpen)
    }

    /// In place of a reply that can't be made.
    private func send(failure reason: String, to view: RequestView) async throws(ConnectionEnd) {
        let failure = FailedReply(reason)
        log.append(.replyFailed(failure))
        let page = BuiltInReply(status: 500, lines: ["proctor could not answer this request.", "", failure.sentence])
        try await content.send(page, to: view.head)
    }

    /// Reads all content, whatever the exchange reads, since values of the reply need it.
    private func viewOfAllContent(
        _ view: RequestView, _ exchange: Exchange
    ) async throws(ConnectionEnd) -> RequestView {
        if view.head.expectsContinue, exchange.expectation == .continue { try await content.sendContinue() }
        try await content.receive(.end(reading: exchange.reads))
        return connection.view(
            view.head, view.absoluteTarget ?? view.target, of: stage, origin: exchange.origin)
    }

    /// Reads as much of the content as the exchange wants before its reply.
    private func readContent(before exchange: Exchange, _ head: RequestHead) async throws(ConnectionEnd) {
        if head.expectsContinue, exchange.expectation == .final { return }
        let goal: RequestInput.Goal
        switch exchange.reads {
        case .none, .bytes(0): return
        case .all, .paced: goal = .end(reading: exchange.reads)
        case .bytes(let count): goal = .portion(count)
        }
        if head.expectsContinue, exchange.expectation == .continue { try await content.sendContinue() }
        try await content.receive(goal)
    }
}

extension Connection {
    /// The current request, with its content where all of it was kept; without framing the content is empty.
    func view(_ head: RequestHead, _ target: [UInt8], of stage: Stage, origin: Int) -> RequestView {
        var body: [UInt8]? = []
        var gap: String?
        if head.hasFraming {
            let (count, kept) = (input.request.contentByteCount, input.request.keptContent.count)
            body = input.request.isComplete && kept == count ? input.request.keptContent : nil
            if input.request.isComplete, kept < count {
                gap = "\(count) bytes, of which only the first \(kept) are kept"
            }
        }
        let scheme = stage.router == nil ? scheme : stage.scenario.origins[origin].scheme
        guard stage.compiled.needsDecoding else {
            return RequestView(head: head, target: target, body: body, bodyGap: gap, scheme: scheme)
        }
        let decoding = DecodedBody(head, body: body, gap: gap) {
            stage.addresses.bound(for: head, scheme).context(origin: origin)
        }
        var view = RequestView(head: head, target: target, body: body, bodyGap: gap, decoding: decoding, scheme: scheme)
        if stage.compiled.looksAtSecurity { view.security = securityFacts }
        if stage.compiled.asksScripts { view.askScript = scriptAsker(view, of: stage) }
        return view
    }
}

struct RequestContent {
    let connection: Connection
    let log: RequestLog

    private var input: RequestInput { connection.input }

    /// Reads content and notes it in the journal when it is complete.
    ///
    /// Malformed content is refused, unless the origin accepts anything. After the reply the connection ends without a
    /// refusal, which the client would take for the next reply.
    func receive(_ goal: RequestInput.Goal, isAnswered: Bool = false) async throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            try await connection.receiver.receive(goal)
        } catch {
            var events = EventList(.requestBody(input.request.body))
            events.append(input.unfinished.event(.unfinished))
            log.append(events)
            input.request.isEndNoted = true
            throw error
        }
        for violation in input.request.takeViolations() { log.append(.violation(violation)) }
        if let refusal = input.request.refusal {
            input.takeRest()
            var events = EventList(.violation(refusal))
            events.append(.requestBody(input.request.body))
            events.append(input.unfinished.event(.refused))
            log.append(events)
            input.request.isEndNoted = true
            if isAnswered { throw .refused }
            if connection.endpoint.acceptsAnything { return }
            try await connection.send(refusalOf: refusal)
        }
        if input.request.isComplete { log.append(.requestBody(input.request.body)) }
    }

    func sendContinue() async throws(ConnectionEnd) {
        if try await connection.sendContinue() { log.append(.continueSent) }
    }

    func noteUnfinished() {
        guard input.request.hasUnreadContent, !input.request.isEndNoted else { return }
        // Content of no bytes ends without any that come.
        input.takeWaitingEvents(until: .end)
        input.request.isWithheld = !input.request.isComplete && input.mayBeWithheld
        log.append(.requestBody(input.request.body))
    }

    /// After a reply: reads the rest of the request, or ends the connection.
    func settle(staysOpen: Bool) async throws(ConnectionEnd) {
        guard staysOpen, !connection.isStopping, input.request.refusal == nil else {
            noteUnfinished()
            throw .serverCloses
        }
        guard input.request.hasUnreadContent else { return }
        if input.mayBeWithheld {
            let isWithheld = try await connection.receiver.isContentWithheld {
                input.request.isWithheld = true
                log.append(.requestBody(input.request.body))
            }
            if isWithheld { return }
        }
        try await receive(.end, isAnswered: true)
    }

    /// Sends a page of the server in place of a reply of the scenario.
    func send(
        _ page: BuiltInReply, to head: RequestHead, closes: Bool = false
    ) async throws(ConnectionEnd) {
        let bytes = page.bytes(for: head, closes: closes)
        log.append(.replyBegun(page.sent(to: head, closes: closes)))
        try await connection.output.write(bytes)
        log.append(.replySent(status: page.status, byteCount: bytes.count))
        try await settle(staysOpen: !closes && head.keepsConnection && head.version != .http10)
    }
}
