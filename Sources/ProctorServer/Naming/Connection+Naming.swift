internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

extension Connection {
    /// Answers a request by the host that it names.
    func answer(_ head: RequestHead, by route: NamedRoute) async throws(ConnectionEnd) {
        switch route {
        case .routed(let stage, let origin, let target, let routing):
            try await answer(head, target, on: stage, origin: origin, routed: routing)
        case .proxied(let stage, let proxy, let hasExchanges):
            try await answer(head, atProxy: proxy, of: stage, hasExchanges: hasExchanges)
        case .tunnel(let stage, let origin):
            if let stranger = obstacle(toTunnel: origin, of: stage, head) {
                return try await answer(head, by: .stranger(stranger, stage, at: nil))
            }
            if let violation = head.contentOfConnect {
                try await refuse(violation, noted(head, stage, attach(to: stage, origin: nil)))
            }
            // No request of the scenario: a client that knows where the name stands sends none.
            let attachment = attach(to: stage, origin: nil)
            for violation in head.violations {
                stage.journal.append(
                    epoch: attachment.epoch, connection: attachment.number, .violation(violation))
            }
            arrival.begin(at: MonotonicClock.nanoseconds)
            try await write(Self.established)
            try await openTunnel(to: origin, of: stage, nil)
        case .stranger(let stranger, let stage, let origin):
            try await refuse(stranger, head, stage, noted(head, stage, attach(to: stage, origin: origin)))
        }
    }

    /// Where a request is noted that came so, with its faults.
    private func noted(_ head: RequestHead, _ stage: Stage, _ attachment: Attachment) -> RequestLog {
        let log = RequestLog(stage, attachment)
        log.append(.requestHead(head, target: head.target))
        for violation in head.violations { log.append(.violation(violation)) }
        return log
    }

    /// CONNECT has no content (RFC 9110 §9.3.6): what stands behind its head would be taken for content here and for
    /// the tunnel's bytes elsewhere.
    private func refuse(_ violation: Violation, _ log: RequestLog) async throws(ConnectionEnd) -> Never {
        let refusal = BuiltInReply.refusal(violation)
        let reply = refusal.bytes(for: request.head, closes: true)
        log.append(.replyBegun(refusal.sent(to: request.head, closes: true)))
        try await write(reply)
        log.append(.replySent(status: violation.status, byteCount: reply.count))
        throw .refused
    }

    private func refuse(
        _ stranger: Stranger, _ head: RequestHead, _ stage: Stage, _ log: RequestLog, nearest: Miss? = nil
    ) async throws(ConnectionEnd) {
        var more: [String] = []
        if stranger.isMiss {
            let differences = stranger.miss.differences + (nearest?.differences ?? [])
            log.append(.missed(Miss(nearestExchange: nearest?.nearestExchange, differences: differences)))
        }
        if let nearest, let index = nearest.nearestExchange {
            let exchange = stage.scenario.exchanges[index]
            more = ["nearest: \(exchange.request.text)  (\(exchange.location))"]
            more += nearest.differences.map { "  \($0)" }
        }
        try await send(stranger.reply(among: stage.naming?.hosts.entries ?? [], more: more), to: head, log)
    }

    // MARK: Proxies

    /// Answers a request as a proxy that the scenario is about: by an exchange of its own, or by the origin that the
    /// target names.
    private func answer(
        _ head: RequestHead, atProxy proxy: Int, of stage: Stage, hasExchanges: Bool
    ) async throws(ConnectionEnd) {
        guard let naming = stage.naming else { return }
        let attachment = attach(to: stage, origin: proxy)
        let destination = naming.destination(of: head)
        if !hasExchanges, head.violations.isEmpty, head.framing == .none,
            case .request(let origin, let target) = destination
        {
            return try await answerAtOnce(
                head, target, on: stage, origin: origin, attachment, journaled: head.target, .absolute)
        }
        let log = noted(head, stage, attachment)
        if let violation = head.contentOfConnect { try await refuse(violation, log) }
        var infos: [ReplyInfo] = []
        var nearest: Miss?
        if hasExchanges {
            let (view, choice) = try await choose(head, head.target, on: stage, origin: proxy, attachment, log)
            guard case .handedOn(let taken, let guarding, _) = choice else {
                return try await answer(view, choice, nil, nil, stage, log)
            }
            log.append(nil, nil, guarding, taken.map { .exchangeChosen(exchange: $0.exchange, turn: $0.turn) })
            infos = guarding?.infos ?? []
            if taken == nil, case .nowhere = destination { nearest = stage.miss(view, origin: proxy) }
        }
        switch destination {
        case .request(let origin, let target):
            if let event = routing(.absolute, to: origin, of: stage) { log.append(event) }
            let (view, choice) = try await choose(
                head.forwarded, target, on: stage, origin: origin, attachment, log)
            try await answer(view, choice, nil, nil, stage, log, carrying: infos)
        case .tunnel(let origin):
            if let stranger = obstacle(toTunnel: origin, of: stage, head) {
                return try await refuse(stranger, head, stage, log)
            }
            if let event = routing(.tunnel, to: origin, of: stage) { log.append(event) }
            let reply = Self.established(infos)
            arrival.begin(at: MonotonicClock.nanoseconds)
            if let head = try? ReplyHead(parsing: reply, replyingTo: Array("CONNECT".utf8)) {
                log.append(.replyBegun(SentReply(head, .empty)))
            }
            try await write(reply)
            log.append(.replySent(status: 200, byteCount: reply.count))
            try await openTunnel(to: origin, of: stage, log)
        case .nowhere(let stranger): try await refuse(stranger, head, stage, log, nearest: nearest)
        }
    }

    // MARK: Tunnels

    /// The connection becomes one of the origin, to its end: behind the reply to a CONNECT (RFC 9110 §9.3.6).
    ///
    /// `log` is of the CONNECT; nil where that is no request of the scenario.
    func openTunnel(to origin: Int, of stage: Stage, _ log: RequestLog?) async throws(ConnectionEnd) -> Never {
        // Content of no bytes may be announced, and has its end.
        if request.hasUnreadContent {
            if let log { try await receiveContent(.end, log, isAnswered: true) } else { try await receive(.end) }
        }
        if request.refusal != nil { throw .refused }
        guard let head = request.head, obstacle(toTunnel: origin, of: stage, head) == nil else { throw .oursInOrder }
        let inner = Connection(
            socket: socket, endpoint: .origin(stage, origin), bounds: bounds,
            securing: stage.naming?.securing[origin], carrier: self)
        if case .tunnel(let named)? = stage.naming?.destination(of: head) {
            inner.checksHost = named == origin
        } else {
            inner.checksHost = false
        }
        inner.isStopping = isStopping
        // What came right behind the head is the tunnel's.
        inner.pending = Array(pending[pendingStart...])
        inner.arrival.didKeep(at: MonotonicClock.nanoseconds)
        pending = []
        pendingStart = 0
        tunnel = inner
        await inner.serve()
        tunnel = nil
        throw .tunnelEnded
    }

    /// Has the stage know this connection before the one that it carries, also behind a reset.
    @discardableResult
    func attachCarrier(to stage: Stage) -> Attachment {
        let origin: Int? = if case .origin(_, let origin) = endpoint { origin } else { nil }
        return attach(to: stage, origin: origin)
    }

    /// Notes in the stage's journal what the connection has become.
    func noteTunnel(to origin: Int, of stage: Stage, as number: Int) {
        let attachment = attachCarrier(to: stage)
        guard let head = request.head else { return }
        attachment.journal.append(
            epoch: attachment.epoch, connection: attachment.number,
            .tunnelOpened(
                authority: EscapedText.of(head.targetBytes, limit: 300), origin: stage.scenario.origins[origin].name,
                connection: number))
    }

    /// Notes the end of the connection, and of those that carried it.
    func noteEnd(_ event: JournalEvent) {
        note(event)
        carrier?.noteEnd(event)
    }

    /// Why the connection can't become one of the origin; nil where it can.
    private func obstacle(toTunnel origin: Int, of stage: Stage, _ head: RequestHead) -> Stranger? {
        if socket.layer != nil, stage.naming?.securing[origin] != nil { return .twiceSecured(head) }
        return depth < Self.deepestTunnel ? nil : .tooDeep(head, limit: Self.deepestTunnel)
    }

    /// Proxies can lead to one another, and to themselves; more of them in a row are of no use.
    private static let deepestTunnel = 8

    private var depth: Int { carrier.map { $0.depth + 1 } ?? 0 }

    private static let established = established([])

    private static func established(_ infos: [ReplyInfo]) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(status: 200, reason: Array("Connection established".utf8), into: &bytes)
        for info in infos {
            ReplyWriter.fieldLine(name: info.field.utf8, value: info.value(content: []), into: &bytes)
        }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }
}

extension RequestHead {
    /// What is wrong with a CONNECT that has content; nil for any other request.
    fileprivate var contentOfConnect: Violation? {
        guard form == .authority, framing != .none, framing != .length(0) else { return nil }
        return violations.first { $0.kind == .connectWithContent } ?? Violation(.connectWithContent, at: 0)
    }
}
