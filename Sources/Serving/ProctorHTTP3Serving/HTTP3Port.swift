package import ProctorBase
package import ProctorLoop
package import ProctorQUICLink
internal import ProctorQUICWire
internal import ProctorReplies
internal import ProctorScenario
package import ProctorServing

/// HTTP/3 (RFC 9114) over a library of QUIC: what a program hands to its server, which serves it at UDP ports.
package struct HTTP3Serving: DatagramProtocol {
    private let transport: any QUICTransport

    package init(over transport: any QUICTransport) { self.transport = transport }

    package func open(
        on loop: EventLoop, at address: SocketAddress, endpoint: Endpoint, security: ListenerSecurity,
        bounds: ConnectionBounds
    ) throws(CallFailure) -> any ServedPort {
        try HTTP3Port(transport, on: loop, at: address, endpoint: endpoint, security: security, bounds: bounds)
    }
}

/// Serves the connections of HTTP/3 at one UDP port, and owns them until they end.
///
/// Made on the loop's thread; ``stop(grace:)`` may be called from any.
final class HTTP3Port: ServedPort, HTTP3ConnectionOwner {
    package let address: SocketAddress
    private let port: any QUICPort
    package let loop: EventLoop
    private let bounds: ConnectionBounds
    private let state: LoopBound<State>

    /// Used on the loop's thread only.
    private final class State {
        var connections: [ObjectIdentifier: HTTP3Connection] = [:]
        var isStopping = false
        /// Ends the port at the end of the grace.
        var cutting: Task<Void, Never>?
    }

    /// Binds at once; on the loop's thread.
    init(
        _ transport: any QUICTransport, on loop: EventLoop, at address: SocketAddress, endpoint: Endpoint,
        security: ListenerSecurity, bounds: ConnectionBounds
    ) throws(CallFailure) {
        let state = LoopBound(State(), on: loop)
        (self.state, self.loop, self.bounds) = (state, loop, bounds)
        var limits = QUICLimits()
        limits.connections = bounds.connectionCount
        limits.idleTimeout = bounds.idle
        limits.handshakeTimeout = bounds.handshake
        limits.retry = endpoint.http3Behaviour.retry.map { QUICLimits.Retry($0) }
        limits.didDrop = { [usage = bounds.usage] in usage.countDroppedDatagram($0.rawValue) }
        let contexts = QUICContexts(security)
        let made = LoopBound<Made>(Made(), on: loop)
        port = try transport.open(on: loop, at: address, limits: limits) { link in
            guard let owner = made.value.port else { preconditionFailure("a port is served before it is made") }
            let connection = HTTP3Connection(
                link, at: owner.address, endpoint: endpoint, bounds: bounds, contexts: contexts, on: loop,
                owner: owner)
            state.value.connections[ObjectIdentifier(connection)] = connection
            owner.closeSilent()
            return connection
        }
        self.address = port.address
        made.value.port = self
    }

    /// The port, which its own connections need.
    private final class Made {
        weak var port: HTTP3Port?
    }

    /// Begins to serve; the caller owns the task, which ends with the last connection after ``stop(grace:)``.
    package func start() -> AcceptLoop.Accepting {
        AcceptLoop.Accepting(loop: self, task: Task(executorPreference: loop) { await self.port.serve() })
    }

    package func close() { port.close() }

    package func stop(grace: Duration) {
        loop.submit {
            let state = self.state.value
            guard !state.isStopping else { return }
            state.isStopping = true
            for connection in Array(state.connections.values) { connection.stop() }
            guard !state.connections.isEmpty else { return self.port.stop(.application(0x100)) }
            // Owned by the state until the last connection has ended.
            state.cutting = Task(executorPreference: self.loop) {
                guard await self.loop.sleep(for: grace) else { return }
                for connection in Array(self.state.value.connections.values) { connection.cut() }
            }
        }
    }

    /// Beyond the bound of connections, closes the one whose client has been silent longest.
    private func closeSilent() {
        let connections = state.value.connections
        guard connections.count > bounds.http3ConnectionCount else { return }
        let now = MonotonicClock.nanoseconds
        let silent = connections.values.lazy.filter { $0.isSilent(at: now) }
        silent.min { $0.link.heardAt < $1.link.heardAt }?.makePlace(of: bounds.http3ConnectionCount)
    }

    func connectionEnded(_ connection: HTTP3Connection) {
        MemoryReturn.noteFreedConnection(isSecured: true)
        let state = state.value
        state.connections[ObjectIdentifier(connection)] = nil
        guard state.isStopping, state.connections.isEmpty else { return }
        state.cutting?.cancel()
        state.cutting = nil
        port.stop(.application(0x100))
    }
}

extension QUICLimits.Retry {
    fileprivate init(_ wanted: HTTP3Behaviour.Retry) {
        self =
            switch wanted {
            case .once: .once
            case .twice: .twice
            case .unauthentic: .unauthentic
            }
    }
}
