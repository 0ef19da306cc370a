internal import ProctorHTTP
internal import ProctorScenario

/// What a listening address serves.
enum Endpoint: Sendable {
    /// The catalogue and every scenario that needs no root of its own.
    case shared(SharedPort)
    /// One origin of one run.
    case origin(Stage, Int)

    /// `scheme` is that of the connection.
    func route(_ head: RequestHead, _ scheme: Scheme) -> Route {
        switch self {
        case .shared(let port): port.route(head, scheme)
        case .origin(let stage, let origin): .stage(stage, origin: origin, target: head.target)
        }
    }
}

/// Who answers a request.
enum Route {
    /// A scenario, with the request-target as it sees it.
    case stage(Stage, origin: Int, target: [UInt8])
    /// The server itself.
    case page(@Sendable () async -> BuiltInReply)
    /// The control API, which wants the content too.
    case control(ControlAPI)
}
