internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// What carries a connection in a tunnel: the connection that its CONNECT came on, or a stream of HTTP/2; on the loop's
/// thread only.
protocol TunnelCarrier: AnyObject {
    /// The endpoint that the CONNECT came to.
    var endpoint: Endpoint { get }
    /// The socket of the client's own connection.
    var clientSocket: Socket { get }
    /// The CONNECT; nil before it has come.
    var connectHead: RequestHead? { get }
    /// When the CONNECT began, in MonotonicClock nanoseconds.
    var requestBeginning: UInt64 { get }
    /// How many tunnels lead to here.
    var depth: Int { get }
    /// Whether TLS is spoken around the bytes of the tunnel, on the same socket.
    var isSecuredBelow: Bool { get }

    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment

    /// The carried connection has ended.
    func noteEndOfTunnel(_ event: JournalEvent)
}

extension TunnelCarrier {
    /// Registers the carrier with the stage before the carried connection, also after a reset.
    @discardableResult
    func attachAsCarrier(to stage: Stage) -> ConnectionJournals.Attachment {
        let origin: Int? = if case .origin(_, let origin) = endpoint { origin } else { nil }
        return attach(to: stage, origin: origin)
    }

    /// `number` is that of the carried connection.
    func noteTunnel(to origin: Int, of stage: Stage, as number: Int) {
        let attachment = attachAsCarrier(to: stage)
        guard let head = connectHead else { return }
        attachment.journal.append(
            epoch: attachment.epoch, connection: attachment.number,
            .tunnelOpened(
                authority: EscapedText.of(head.targetBytes, limit: 300), origin: stage.scenario.origins[origin].name,
                connection: number))
    }

    /// Why no tunnel can lead from here to there; nil where it can.
    func obstacle(to tunnel: Tunnel, of stage: Stage, _ head: RequestHead) -> RoutingFailure? {
        if isSecuredBelow, stage.router?.security[tunnel.tlsOrigin] != nil { return .twiceSecured(head) }
        return depth < deepestTunnel ? nil : .tooDeep(head, limit: deepestTunnel)
    }
}

/// The most nested tunnels: proxies can lead to one another and to themselves.
private let deepestTunnel = 8

/// A channel on which requests to a proxy come.
protocol ProxyChannel: RequestChannel, TunnelCarrier {
    /// Sends 200 to a CONNECT, with these fields; returns how many bytes went out.
    ///
    /// `log` is that of the CONNECT; nil where the CONNECT is no request of the scenario.
    func sendEstablished(_ infos: [ReplyInfo], _ log: RequestLog?) async throws(ConnectionEnd)

    /// Carries a connection to the origin, to its end, after a 2xx reply to CONNECT (RFC 9110 §9.3.6).
    func open(_ tunnel: Tunnel, of stage: Stage, log: RequestLog?) async throws(ConnectionEnd)

    /// Refuses a CONNECT with content (RFC 9110 §9.3.6): another reader could take that content for bytes of the
    /// tunnel.
    func refuseConnect(
        _ violation: Violation, _ head: RequestHead, _ log: RequestLog
    ) async throws(ConnectionEnd) -> Never
}
