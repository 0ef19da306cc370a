package import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
internal import ProctorScenario

package enum Endpoint: Sendable {
    /// The catalogue and every scenario that needs no root.
    case shared(any SharedService)
    case origin(Stage, Int)
    /// Every name of one run, by Host and as a proxy.
    case namesProxy(Stage, HostRouter)

    /// Nil for the shared port, which has many.
    package var stage: Stage? {
        switch self {
        case .shared: nil
        case .origin(let stage, _), .namesProxy(let stage, _): stage
        }
    }

    /// The journal of what belongs to no scenario that a request names.
    package var journal: Journal {
        switch self {
        case .shared(let port): port.log.journal
        case .origin(let stage, _), .namesProxy(let stage, _): stage.journal
        }
    }

    package var acceptsAnything: Bool {
        guard case .origin(let stage, let origin) = self else { return false }
        return stage.scenario.origins[origin].acceptance == .anything
    }

    /// The most bytes of a head to take from the system at once: the smallest portion of all origins that may answer.
    var headPortionByteCount: Int {
        switch self {
        case .origin(let stage, let origin):
            // A proxy may forward the request to any of them.
            guard let router = stage.router, router.isProxy(origin) else {
                return stage.compiled.portionByteCount(ofOrigin: origin)
            }
            return router.portionByteCount
        case .namesProxy(_, let router): return router.portionByteCount
        case .shared: return .max
        }
    }

    /// `scheme` is that of the connection, `place` gives its local address; `checksHost` is false where the fixture itself
    /// leads the client to another name; `mount` is the connection's memory for the shared port.
    package func route(
        _ head: RequestHead, _ scheme: Scheme, at place: () -> SocketAddress, checksHost: Bool,
        remembering mount: inout KnownMount?
    ) -> Route {
        switch self {
        case .shared(let shared): shared.route(head, scheme, at: place, remembering: &mount)
        case .origin(let stage, let origin):
            stage.router?.route(head, at: origin, of: stage, checksHost: checksHost)
                ?? .stage(stage, origin: origin, target: head.target)
        case .namesProxy(let stage, let router):
            router.routeAtNamesProxy(head, of: stage, port: place().port.map(Int.init))
        }
    }
}

package enum Route {
    /// A scenario, with the request-target as it sees it.
    case stage(Stage, origin: Int, target: [UInt8])
    /// The owner of the name in the request.
    case named(NamedRoute)
    /// Known only when the ports of a scenario are open.
    case later(@Sendable () async -> Route)
    case page(@Sendable () async -> BuiltInReply)
    /// The control API, which also reads the content.
    case control
}

extension Endpoint {
    /// The reader of a connection's requests; `rules` have the server's own limits.
    ///
    /// A port for several origins reads with the largest limits of them, since only the head names the origin.
    package func reader(_ rules: RequestRules) -> RequestReader {
        switch self {
        case .shared: RequestReader(rules)
        case .origin(let stage, let origin): Self.reader([stage.scenario.origins[origin]], rules)
        case .namesProxy(let stage, _): Self.reader(stage.scenario.origins, rules)
        }
    }

    private static func reader(_ origins: [ProctorScenario.Origin], _ rules: RequestRules) -> RequestReader {
        let own = origins.compactMap(\.limits)
        let isOne = origins.count == 1
        return RequestReader(
            own.isEmpty ? rules : RequestRules(rules.limits.with(own, atLeast: isOne ? nil : rules.limits)),
            acceptsAnything: origins.contains { $0.acceptance == .anything })
    }

    /// The violation in a head that was accepted only because another origin of the port has larger limits.
    func objection(to head: RequestHead, _ route: Route) -> Violation? {
        guard case .namesProxy = self, let violation = head.violations.first(where: \.isReadOver) else { return nil }
        if case .named(.routed(let stage, let origin, _, _)) = route,
            stage.scenario.origins[origin].acceptance == .anything
        {
            return nil
        }
        return Violation(violation.kind, at: violation.offset, detail: violation.detail, bound: violation.bound)
    }
}

extension RequestLimits {
    /// The largest limits of `origins`, where any sets one; nothing less than `least`.
    fileprivate func with(_ origins: [OriginLimits], atLeast least: RequestLimits?) -> RequestLimits {
        var limits = self
        func most(_ values: [Int], usual: Int, least: Int?) -> Int {
            values.isEmpty ? usual : max(values.reduce(0, max), least ?? 0)
        }
        let lines = origins.compactMap(\.lineByteCount)
        limits.targetByteCount = most(lines, usual: targetByteCount, least: least?.targetByteCount)
        limits.fieldLineByteCount = most(lines, usual: fieldLineByteCount, least: least?.fieldLineByteCount)
        limits.fieldCount = most(
            origins.compactMap(\.fieldCount), usual: fieldCount, least: least?.fieldCount)
        // A permitted line must fit into a head without a limit of its own, together with other fields.
        let longest = (lines.max() ?? 0) + headByteCount
        limits.headByteCount = most(
            origins.compactMap(\.headByteCount), usual: lines.isEmpty ? headByteCount : longest,
            least: least?.headByteCount)
        limits.trailerByteCount = max(trailerByteCount, limits.fieldLineByteCount)
        return limits
    }
}
