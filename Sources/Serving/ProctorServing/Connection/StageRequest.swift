internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
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

/// One request of a stage, from its head to the choice of its reply; how that goes out, its wire knows.
struct StageRequest<Carrier: Wire> {
    let wire: Carrier
    let stage: Stage
    let memory: ConnectionMemory?
    let log: RequestLog

    /// What the text and the waits of a reply depend on besides the request itself.
    var numbers: RequestNumbers {
        RequestNumbers(
            seed: stage.seed, connection: log.connection, request: log.request, source: wire)
    }

    var content: RequestContent<Carrier> { RequestContent(wire: wire, log: log) }
    var input: RequestInput { wire.input }

    /// The journal's event about a request that came before its turn; nil for all others, and where no case asks for it.
    private var pipelined: JournalEvent? {
        stage.compiled.looksAtPipelining && input.arrival.behind > 0 ? .pipelined(behind: input.arrival.behind) : nil
    }

    /// Lets the watch of the loop know for which request the thread works; anew behind each wait.
    func noteWork(_ head: RequestHead) {
        wire.noteWork(head, log.journal, connection: log.connection, request: log.request)
    }

    /// Answers a request as far as no step waits.
    static func handle(
        _ request: OriginRequest, of stage: Stage, on wire: Carrier
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        let attachment = wire.attach(to: stage, origin: request.routing == nil ? request.origin : nil)
        let head = request.head
        wire.noteWork(head, stage.journal, connection: attachment.number, request: nil)
        wire.input.looksForNext = stage.compiled.looksAtPipelining
        let comparison = stage.compiled.comparison(for: request.seenHead)
        if !head.hasFraming, head.violations.isEmpty,
            let view = viewAtOnce(of: request, of: stage, on: wire, comparison)
        {
            return try answerRequest(
                request, seenAs: view, of: stage, on: wire, attachment, journaledTarget: request.target)
        }
        let numbered = StageRequest(
            wire: wire, stage: stage, memory: attachment.memory, log: RequestLog(stage, attachment))
        var events = EventList(.requestHead(head, target: request.target))
        events.append(numbered.pipelined)
        events.append(request.routed(in: stage))
        numbered.log.append(events)
        for violation in head.violations { numbered.log.append(.violation(violation)) }
        return { () async throws(ConnectionEnd) in
            let (view, choice) = try await numbered.choose(
                request.seenHead, request.target, origin: request.origin, comparison)
            try await numbered.reply(to: view, with: choice)?()
        }
    }

    /// A request without content as it is compared; nil where comparing it takes longer than the loop's share.
    static func viewAtOnce(
        of request: OriginRequest, of stage: Stage, on wire: Carrier, _ comparison: Comparison?
    ) -> RequestView? {
        let view = wire.view(
            request.seenHead, request.target, of: stage, origin: request.origin, comparison: comparison)
        return stage.compiled.compareWithinShare(view, origin: request.origin, headsAlone: false) ? view : nil
    }

    /// Answers a request without content and without violations in one step, since no event can come between head and
    /// answer; the journal has the target as received, before a proxy has changed it.
    static func answerRequest(
        _ request: OriginRequest, seenAs view: RequestView, of stage: Stage, on wire: Carrier,
        _ attachment: ConnectionJournals.Attachment, journaledTarget: [UInt8]
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        var number = 0
        let choice = stage.admitAndChoose(
            view, origin: request.origin, epoch: attachment.epoch, on: attachment.memory,
            connection: attachment.number, numbering: &number)
        let numbered = StageRequest(
            wire: wire, stage: stage, memory: attachment.memory,
            log: RequestLog(
                journal: stage.journal, epoch: attachment.epoch, connection: attachment.number,
                request: number))
        var events = EventList(.requestHead(request.head, target: journaledTarget))
        events.append(numbered.pipelined)
        events.append(request.routed(in: stage))
        events.append(numbered.cookiesJudged(of: request.head, origin: request.origin))
        return try numbered.reply(to: view, with: choice, noting: events)
    }

    /// Chooses the answer of a journalled request, after reading as much of its content as the choice needs.
    func choose(
        _ head: RequestHead, _ target: [UInt8], origin: Int, _ comparison: Comparison? = nil
    ) async throws(ConnectionEnd) -> (RequestView, Stage.Choice) {
        noteWork(head)
        if let event = cookiesJudged(of: head, origin: origin) { log.append(event) }
        let unread = RequestView(
            head: head, target: target, body: nil,
            security: stage.compiled.looksAtSecurity ? wire.securityFacts : nil,
            comparison: comparison ?? stage.compiled.comparison(for: head))
        if input.request.hasUnreadContent { await compare(unread, origin: origin, headsAlone: true) }
        if input.request.hasUnreadContent, stage.compiled.looksAtBody(of: unread, origin: origin) {
            if head.expectsContinue, stage.compiled.expectation(of: unread, origin: origin) == .continue {
                try await content.sendContinue()
            }
            try await content.receive(.contentEnd(reading: stage.compiled.reads(of: unread, origin: origin)))
            noteWork(head)
        }
        let view = wire.view(head, target, of: stage, origin: origin, comparison: unread.comparison)
        await compare(view, origin: origin, headsAlone: false)
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
        var events = events
        events.append(verdictsOf: choice.answers)
        if let reason = view.decoded?.scriptFailure {
            log.append(events)
            return { () async throws(ConnectionEnd) in try await sendFailure(reason, to: view) }
        }
        switch choice {
        case .exchange(let exchange, let turn, let answers, let state):
            events.append(.exchangeChosen(exchange: exchange, turn: turn))
            for change in state?.changes ?? [] { events.append(.stateChanged(change)) }
            if let refusal = state?.refusal { return send(refusal, to: view, noting: events) }
            let infos = answers.map { carried + $0.infos } ?? carried
            return try playReply(
                PlayedPart(
                    exchange: exchange, reply: .turn(turn), infos: infos, state: state?.values,
                    precondition: state?.precondition), for: view, noting: &events)
        case .refused(let exchange, let refusal, let answers):
            let part = PlayedPart(exchange: exchange, reply: .refusal(refusal), infos: carried + answers.infos)
            return try playReply(part, for: view, noting: &events)
        case .missed(let miss, _):
            return send(miss, to: view, noting: events)
        case .unanswered(let unanswered, _):
            return explain(unanswered, to: view, noting: events)
        case .handedOn(_, _, let origin):
            // The origin to which the proxy handed the request has no further origin.
            return explain(stage.unanswered(view, origin: origin), to: view, noting: events)
        case .ended(let bound, _, let status):
            events.append(bound.map { .boundReached($0) })
            log.append(events)
            return { () async throws(ConnectionEnd) in
                try await wire.sendPage(.beyondBound(status: status), to: view.head, closes: true, log)
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
        return { () async throws(ConnectionEnd) in try await wire.sendPage(reply, to: view.head, log) }
    }

    /// Finds the nearest exchange, and says that the request was not expected.
    private func explain(
        _ unanswered: Stage.Unanswered, to view: RequestView, noting events: consuming EventList
    ) -> RestOfAnswer {
        guard view.comparison != nil else { return send(unanswered.miss(), to: view, noting: events) }
        log.append(events)
        return { () async throws(ConnectionEnd) in
            try await send(await nearest(to: unanswered), to: view, noting: EventList())()
        }
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
        var reply = page.reply
        if page.explanation != nil, view.head.readsPages, view.head.wantsHTML,
            case .shared(let port) = wire.endpoint
        {
            reply = port.page(of: reply)
        }
        return { [reply] () async throws(ConnectionEnd) in try await wire.sendPage(reply, to: view.head, log) }
    }

    /// In place of a reply that can't be made.
    func sendFailure(_ reason: String, to view: RequestView) async throws(ConnectionEnd) {
        let failure = FailedReply(reason)
        log.append(.replyFailed(failure))
        let page = BuiltInReply(status: 500, lines: ["proctor could not answer this request.", "", failure.sentence])
        try await wire.sendPage(page, to: view.head, log)
    }

    /// Reads all content, whatever the exchange reads, since values of the reply need it.
    func viewOfAllContent(
        _ view: RequestView, _ exchange: Exchange
    ) async throws(ConnectionEnd) -> RequestView {
        if view.head.expectsContinue, exchange.expectation == .continue { try await content.sendContinue() }
        try await content.receive(.contentEnd(reading: exchange.reads))
        return wire.view(
            view.head, view.absoluteTarget ?? view.target, of: stage, origin: exchange.origin,
            comparison: view.comparison)
    }

    /// Reads as much of the content as the exchange wants before its reply.
    func readContent(before exchange: Exchange, _ head: RequestHead) async throws(ConnectionEnd) {
        if head.expectsContinue, exchange.expectation == .final { return }
        let goal: RequestInput.Goal
        switch exchange.reads {
        case .none, .bytes(0): return
        case .all, .paced: goal = .contentEnd(reading: exchange.reads)
        case .bytes(let count): goal = .portion(count)
        }
        if head.expectsContinue, exchange.expectation == .continue { try await content.sendContinue() }
        try await content.receive(goal)
    }
}
