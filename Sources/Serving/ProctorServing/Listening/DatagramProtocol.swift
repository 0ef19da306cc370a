package import ProctorBase
package import ProctorLoop

/// A protocol over datagrams that a module above serves at UDP ports: HTTP/3.
package protocol DatagramProtocol: Sendable {
    /// Binds a port at once; on the loop's thread.
    func open(
        on loop: EventLoop, at address: SocketAddress, endpoint: Endpoint, security: ListenerSecurity,
        bounds: ConnectionBounds
    ) throws(CallFailure) -> any ServedPort
}

/// A bound UDP port, which owns its connections until they end.
package protocol ServedPort: ServedAddress {
    /// Begins to serve; the caller owns the task, which ends with the last connection after ``stop(grace:)``.
    func start() -> AcceptLoop.Accepting

    /// Closes a port that was not started.
    func close()
}
