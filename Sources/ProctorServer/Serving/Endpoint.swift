internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

/// Of the URLs by which a connection is reached; ProctorHTTP has an origin of its own.
typealias Scheme = ProctorScenario.Origin.Scheme

/// What a listening address serves.
enum Endpoint: Sendable {
    /// The catalogue and every scenario that needs no root of its own.
    case shared(SharedPort)
    /// One origin of one run.
    case origin(Stage, Int)
    /// Every name of one run, by Host and as a proxy.
    case namesProxy(Stage, HostRouter)

    /// Nil for the shared port, which leads to many.
    var stage: Stage? {
        switch self {
        case .shared: nil
        case .origin(let stage, _), .namesProxy(let stage, _): stage
        }
    }

    /// Whether the origin answers whatever can be answered.
    var acceptsAnything: Bool {
        guard case .origin(let stage, let origin) = self else { return false }
        return stage.scenario.origins[origin].acceptance == .anything
    }

    /// How many bytes of a head may be taken from the system at once.
    ///
    /// While it is not known which origin answers, no more than the smallest portion of those that may.
    var headPortionByteCount: Int {
        switch self {
        case .origin(let stage, let origin):
            // A proxy may hand the request on to any of them.
            guard let router = stage.router, router.isProxy(origin) else {
                return stage.compiled.portionByteCount(ofOrigin: origin)
            }
            return router.portionByteCount
        case .namesProxy(_, let router): return router.portionByteCount
        case .shared: return .max
        }
    }

    /// `scheme` is that of the connection, and `place` where it came to; `checksHost` is false where the fixture itself
    /// has led the client to another name.
    func route(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress, checksHost: Bool) -> Route {
        switch self {
        case .shared(let shared): shared.route(head, scheme, at: place)
        case .origin(let stage, let origin):
            stage.router?.route(head, at: origin, of: stage, checksHost: checksHost)
                ?? .stage(stage, origin: origin, target: head.target)
        case .namesProxy(let stage, let router):
            router.routeAtNamesProxy(head, of: stage, port: place.port.map(Int.init))
        }
    }
}

/// What answers a request.
enum Route {
    /// A scenario, with the request-target as it sees it.
    case stage(Stage, origin: Int, target: [UInt8])
    /// What has the name that the request says.
    case named(NamedRoute)
    /// Known only when the ports of a scenario are open.
    case later(@Sendable () async -> Route)
    /// The server itself.
    case page(@Sendable () async -> BuiltInReply)
    /// The control API, which wants the content too.
    case control(ControlAPI)
}

extension Endpoint {
    /// What reads the requests of a connection; `limits` are the server's own.
    ///
    /// A port that leads to several origins reads what the most patient of them reads, for a head must be read to tell
    /// which origin it is for.
    func reader(_ limits: RequestLimits) -> RequestReader {
        switch self {
        case .shared: RequestReader(limits: limits)
        case .origin(let stage, let origin): Self.reader([stage.scenario.origins[origin]], limits)
        case .namesProxy(let stage, _): Self.reader(stage.scenario.origins, limits)
        }
    }

    private static func reader(_ origins: [ProctorScenario.Origin], _ limits: RequestLimits) -> RequestReader {
        let own = origins.compactMap(\.limits)
        let isOne = origins.count == 1
        return RequestReader(
            limits: own.isEmpty ? limits : limits.with(own, atLeast: isOne ? nil : limits),
            acceptsAnything: origins.contains { $0.acceptance == .anything })
    }

    /// The departure of a head that such a port has read over for another origin than the one that it is for.
    func objection(to head: RequestHead, _ route: Route) -> Violation? {
        guard case .namesProxy = self, let found = head.violations.first(where: \.isReadOver) else { return nil }
        if case .named(.routed(let stage, let origin, _, _)) = route,
            stage.scenario.origins[origin].acceptance == .anything
        {
            return nil
        }
        return Violation(found.kind, at: found.offset, detail: found.detail, bound: found.bound)
    }
}

extension RequestLimits {
    /// The largest of what `origins` say, where any says something; nothing less than `least`.
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
        // A line that is permitted goes into a head that says nothing of itself, with room for others.
        let longest = (lines.max() ?? 0) + headByteCount
        limits.headByteCount = most(
            origins.compactMap(\.headByteCount), usual: lines.isEmpty ? headByteCount : longest,
            least: least?.headByteCount)
        limits.trailerByteCount = max(trailerByteCount, limits.fieldLineByteCount)
        return limits
    }
}
