internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

/// What a listening address serves.
enum Endpoint: Sendable {
    /// The catalogue and every scenario that needs no root of its own.
    case shared(SharedPort)
    /// One origin of one run.
    case origin(Stage, Int)
    /// Every name of one run, by Host and as a proxy.
    case door(Stage, Naming)

    /// `scheme` is that of the connection, and `place` where it came to; `checksHost` is false where the fixture itself has
    /// led the client astray.
    func route(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress, checksHost: Bool) -> Route {
        switch self {
        case .shared(let shared): shared.route(head, scheme, at: place)
        case .origin(let stage, let origin):
            stage.naming?.route(head, at: origin, of: stage, checksHost: checksHost)
                ?? .stage(stage, origin: origin, target: head.target)
        case .door(let stage, let naming): naming.routeAtDoor(head, of: stage, port: place.port.map(Int.init))
        }
    }
}

/// Who answers a request.
enum Route {
    /// A scenario, with the request-target as it sees it.
    case stage(Stage, origin: Int, target: [UInt8])
    /// Whoever is called by the name that the request says.
    case named(NamedRoute)
    /// Known only when the ports of a scenario are open.
    case later(@Sendable () async -> Route)
    /// The server itself.
    case page(@Sendable () async -> BuiltInReply)
    /// The control API, which wants the content too.
    case control(ControlAPI)
}
