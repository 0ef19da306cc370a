internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

struct HostAnswer<Carrier: Wire> {
    let wire: Carrier
    let head: RequestHead

    /// Answers the request as far as no step waits.
    func reply(by route: NamedRoute) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        switch route {
        case .routed(let stage, let origin, let target, let routing):
            let request = OriginRequest(head: head, target: target, origin: origin, routing: routing)
            return try StageRequest.handle(request, of: stage, on: wire)
        case .proxied(let stage, let proxy, let hasExchanges):
            return try replyAtProxy(proxy, of: stage, hasExchanges: hasExchanges)
        case .tunnel, .failed:
            return .dialogue { () async throws(ConnectionEnd) in try await refuseOrTunnel(by: route) }
        }
    }

    private func refuseOrTunnel(by route: NamedRoute) async throws(ConnectionEnd) {
        switch route {
        case .routed, .proxied: break
        case .tunnel(let stage, let origin):
            if let failure = wire.obstacle(toTunnelOf: head) {
                return try await refuseOrTunnel(by: .failed(failure, stage, at: nil))
            }
            // The CONNECT is no request of the scenario: a client that knows the address of the name sends none.
            let attachment = wire.attach(to: stage, origin: nil)
            if let violation = head.contentOfConnect {
                try await wire.refuseConnect(violation, head, RequestLog(stage, attachment, noting: head))
            }
            for violation in head.violations {
                stage.journal.append(
                    epoch: attachment.epoch, connection: attachment.number, .violation(violation))
            }
            wire.input.arrival.start(at: MonotonicClock.nanoseconds)
            try await wire.sendEstablished([], nil)
            try await wire.open(Tunnel(to: origin), of: stage, log: nil)
        case .failed(let failure, let stage, let origin):
            let attachment = wire.attach(to: stage, origin: origin)
            try await refuse(by: failure, of: stage, RequestLog(stage, attachment, noting: head))
        }
    }

    /// `nearest` describes the nearest exchange of a proxy.
    private func refuse(
        by failure: RoutingFailure, of stage: Stage, nearest: Miss? = nil, _ log: RequestLog
    ) async throws(ConnectionEnd) {
        var more: [String] = []
        if failure.isMiss {
            let differences = failure.miss.differences + (nearest?.differences ?? [])
            log.append(.missed(Miss(nearestExchange: nearest?.nearestExchange, differences: differences)))
        }
        if let nearest, let index = nearest.nearestExchange {
            let exchange = stage.scenario.exchanges[index]
            more = ["nearest: \(exchange.request.text)  (\(exchange.location))"]
            more += nearest.differences.map { "  \($0)" }
        }
        let page = failure.reply(among: stage.router?.hosts.entries ?? [], more: more)
        try await wire.sendPage(page, to: head, log)
    }

    /// Answers a request at a proxy of the scenario: by the proxy's own exchange, or by the origin of the target.
    private func replyAtProxy(
        _ proxy: Int, of stage: Stage, hasExchanges: Bool
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        guard let router = stage.router else { return nil }
        let destination = router.destination(of: head)
        if !hasExchanges, case .request(let origin, let target) = destination {
            let request = OriginRequest(
                head: head, target: target, origin: origin, routing: .absolute, proxy: proxy)
            return try StageRequest.handle(request, of: stage, on: wire)
        }
        let attachment = wire.attach(to: stage, origin: proxy)
        let numbered = StageRequest(
            wire: wire, stage: stage, memory: attachment.memory,
            log: RequestLog(stage, attachment, noting: head))
        return .dialogue { () async throws(ConnectionEnd) in
            try await replyLate(numbered, atProxy: proxy, hasExchanges: hasExchanges, destination)
        }
    }

    private func replyLate(
        _ numbered: StageRequest<Carrier>, atProxy proxy: Int, hasExchanges: Bool, _ destination: HostRouter.Destination
    ) async throws(ConnectionEnd) {
        let (stage, log) = (numbered.stage, numbered.log)
        if let violation = head.contentOfConnect { try await wire.refuseConnect(violation, head, log) }
        var infos: [ReplyInfo] = []
        var nearest: Miss?
        if hasExchanges {
            let view = try await numbered.view(of: head, head.target, origin: proxy)
            let choice = numbered.choose(view, origin: proxy)
            guard case .handedOn(let taken, let answers, _) = choice else {
                try await numbered.reply(to: view, with: choice)?.finish()
                return
            }
            var events = JournalEvents()
            if let answers { events.append(verdictsOf: answers) }
            if let taken { events.append(.exchangeChosen(exchange: taken.exchange, turn: taken.turn)) }
            log.append(events)
            infos = answers?.infos ?? []
            if taken == nil, case .nowhere = destination {
                nearest = try await numbered.nearest(to: stage.unanswered(view, origin: proxy))
            }
        }
        switch destination {
        case .request(let origin, let target):
            let request = OriginRequest(head: head, target: target, origin: origin, routing: .absolute)
            log.append(JournalEvents(request.routed(in: stage)))
            try await numbered.choose(request, carrying: infos)?.finish()
        case .tunnel(let origin):
            if let failure = wire.obstacle(toTunnelOf: head) {
                return try await refuse(by: failure, of: stage, log)
            }
            log.append(.routed(origin: stage.scenario.origins[origin].name, by: .tunnel))
            wire.input.arrival.start(at: MonotonicClock.nanoseconds)
            try await wire.sendEstablished(infos, log)
            try await wire.open(Tunnel(to: origin), of: stage, log: log)
        case .nowhere(let failure): try await refuse(by: failure, of: stage, nearest: nearest, log)
        }
    }
}

extension RequestHead {
    /// The fault of a CONNECT with content; nil for any other request, and on a stream, whose DATA is that of the tunnel
    /// (RFC 9113 §8.5).
    fileprivate var contentOfConnect: Violation? {
        guard !isMultiplexed, form == .authority, framing != .none, framing != .length(0) else { return nil }
        return violations.first { $0.kind == .connectWithContent } ?? Violation(.connectWithContent, at: 0)
    }
}
