internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
package import ProctorReplies
internal import ProctorScenario

package struct OriginRequest {
    /// As received.
    let head: RequestHead
    /// As the origin sees it.
    let target: [UInt8]
    let origin: Int
    /// How the origin was found; nil on a port or tunnel of the origin itself.
    var routing: JournalEvent.Routing?
    /// The origin that hands the request on; nil: none.
    var proxy: Int?

    /// The head as the origin sees it: after a proxy, without the fields for the proxy.
    var seenHead: RequestHead { routing == .absolute ? head.forwarded : head }

    /// The target as the journal has it, before a proxy has changed it.
    fileprivate var receivedTarget: [UInt8] { proxy == nil ? target : head.target }

    /// The origin to which its connection belongs; nil: to every name.
    fileprivate var carrier: Int? { routing == nil ? origin : proxy }

    /// The journal's event about the routing; nil where there is none.
    func routed(in stage: Stage) -> JournalEvent? {
        routing.map { .routed(origin: stage.scenario.origins[origin].name, by: $0) }
    }
}

/// One request of a stage, from its head to the choice of its reply; how that goes out, its wire knows.
package struct StageRequest<Carrier: Wire> {
    package let wire: Carrier
    package let stage: Stage
    let memory: ConnectionMemory?
    let log: RequestLog

    /// What the text and the waits of a reply depend on besides the request itself.
    package var numbers: RequestNumbers {
        RequestNumbers(
            seed: stage.seed, clock: stage.clock, connection: log.connection, request: log.request, source: wire)
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
    ///
    /// One without content and without violations is numbered and chosen for in one step, since no event can come between
    /// its head and its answer.
    static func handle(
        _ request: OriginRequest, of stage: Stage, on wire: Carrier
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        let attachment = wire.attach(to: stage, origin: request.carrier)
        let head = request.head
        wire.noteWork(head, stage.journal, connection: attachment.number, request: nil)
        wire.input.looksForNext = stage.compiled.looksAtPipelining
        let comparison = stage.compiled.comparison(for: request.seenHead)
        if !head.hasFraming, !head.hasViolations {
            let view = wire.view(
                request.seenHead, request.target, of: stage, origin: request.origin, comparison: comparison)
            if stage.compiled.compareWithinShare(view, origin: request.origin, headsAlone: false) {
                var number: Int?
                let choice = stage.choose(
                    view, origin: request.origin, on: attachment.memory, connection: attachment.number,
                    epoch: attachment.epoch, numbering: &number)
                let numbered = StageRequest(
                    wire: wire, stage: stage, memory: attachment.memory,
                    log: RequestLog(
                        journal: stage.journal, epoch: attachment.epoch, connection: attachment.number,
                        request: number ?? 0))
                var events = numbered.events(of: request)
                if let event = numbered.cookiesJudged(of: head, origin: request.origin) { events.append(event) }
                return try numbered.reply(to: view, with: choice, noting: events)
            }
        }
        let numbered = StageRequest(
            wire: wire, stage: stage, memory: attachment.memory, log: RequestLog(stage, attachment))
        numbered.log.append(numbered.events(of: request))
        return .choosing(numbered, request, comparison)
    }

    /// What the journal has first of a request.
    private func events(of request: OriginRequest) -> JournalEvents {
        var events = JournalEvents(.requestHead(request.head, target: request.receivedTarget))
        if let event = pipelined { events.append(event) }
        if request.head.hasViolations {
            for violation in request.head.violations { events.append(.violation(violation)) }
        }
        if let event = request.routed(in: stage) { events.append(event) }
        return events
    }

    /// Chooses the answer of a journalled request, and answers as far as no further step waits.
    func choose(
        _ request: OriginRequest, _ comparison: Comparison? = nil, carrying infos: [ReplyInfo] = []
    ) async throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        let view = try await view(of: request.seenHead, request.target, origin: request.origin, comparison)
        return try reply(to: view, with: choose(view, origin: request.origin), carrying: infos)
    }

    /// Chooses the answer of a request that was journalled and compared.
    func choose(_ view: RequestView, origin: Int) -> Stage.Choice {
        var number: Int? = log.request
        return stage.choose(view, origin: origin, on: memory, connection: log.connection, numbering: &number)
    }

    /// A journalled request, after reading as much of its content as the choice needs and comparing it.
    func view(
        of head: RequestHead, _ target: [UInt8], origin: Int, _ comparison: Comparison? = nil
    ) async throws(ConnectionEnd) -> RequestView {
        noteWork(head)
        if let event = cookiesJudged(of: head, origin: origin) { log.append(event) }
        let unread = RequestView(
            head: head, target: target, body: nil,
            security: stage.compiled.looksAtSecurity ? wire.securityFacts : nil,
            comparison: comparison ?? stage.compiled.comparison(for: head))
        if input.request.hasUnreadContent { try await compare(unread, origin: origin, headsAlone: true) }
        if input.request.hasUnreadContent, stage.compiled.looksAtBody(of: unread, origin: origin) {
            if head.expectsContinue, stage.compiled.expectation(of: unread, origin: origin) == .continue {
                try await content.sendContinue()
            }
            try await content.receive(.contentEnd(reading: stage.compiled.reads(of: unread, origin: origin)))
            noteWork(head)
        }
        let view = wire.view(head, target, of: stage, origin: origin, comparison: unread.comparison)
        try await compare(view, origin: origin, headsAlone: false)
        return view
    }

    /// Notes the choice, after `events` of the same time, and replies as far as no step waits.
    ///
    /// `carried` holds the fields that guards of an earlier proxy add to the reply.
    func reply(
        to view: RequestView, with choice: Stage.Choice, noting events: consuming JournalEvents = JournalEvents(),
        carrying carried: [ReplyInfo] = []
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        var events = events
        if let answers = choice.answers { events.append(verdictsOf: answers) }
        if let reason = view.decoded?.scriptFailure {
            log.append(events)
            return page(ofFailure: reason, to: view)
        }
        switch choice {
        case .exchange(let exchange, let turn, let answers, let state):
            events.append(.exchangeChosen(exchange: exchange, turn: turn))
            for change in state?.changes ?? [] { events.append(.stateChanged(change)) }
            if let refusal = state?.refusal {
                events.append(.stateRefused(refusal))
                log.append(events)
                return .page(self, .inability(refusal.sentence), view.head, closes: false)
            }
            let infos = answers.map { carried + $0.infos } ?? carried
            return try playReply(
                PlayedPart(
                    exchange: exchange, reply: .turn(turn), infos: infos, state: state?.values,
                    precondition: state?.precondition), for: view, noting: &events)
        case .refused(let exchange, let refusal, let answers):
            let part = PlayedPart(exchange: exchange, reply: .refusal(refusal), infos: carried + answers.infos)
            return try playReply(part, for: view, noting: &events)
        case .missed(let miss, _): return page(about: miss, to: view, noting: events)
        case .unanswered(let unanswered, _): return explain(unanswered, to: view, noting: events)
        case .handedOn(_, _, let origin):
            // The origin to which the proxy handed the request has no further origin.
            return explain(stage.unanswered(view, origin: origin), to: view, noting: events)
        case .ended(let bound, _, let status):
            if let bound { events.append(.boundReached(bound)) }
            log.append(events)
            return .page(self, .beyondBound(status: status), view.head, closes: true)
        }
    }

    /// Finds the nearest exchange, and says that the request was not expected.
    private func explain(
        _ unanswered: Stage.Unanswered, to view: RequestView, noting events: consuming JournalEvents
    ) -> WaitingAnswer<Carrier> {
        guard view.comparison != nil else { return page(about: unanswered.miss(), to: view, noting: events) }
        log.append(events)
        return .explaining(self, unanswered, view)
    }

    /// Says that the request was not expected.
    func page(
        about miss: Miss, to view: RequestView, noting events: consuming JournalEvents = JournalEvents()
    ) -> WaitingAnswer<Carrier> {
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
        return .page(self, reply, view.head, closes: false)
    }

    /// In place of a reply that can't be made.
    func page(ofFailure reason: String, to view: RequestView) -> WaitingAnswer<Carrier> {
        let failure = FailedReply(reason)
        log.append(.replyFailed(failure))
        return .page(self, .inability(failure.sentence), view.head, closes: false)
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

extension BuiltInReply {
    /// In place of a reply that can't be made, or whose changes of the state are not possible; `sentence` says why.
    fileprivate static func inability(_ sentence: String) -> BuiltInReply {
        BuiltInReply(status: 500, lines: ["proctor could not answer this request.", "", sentence])
    }
}
