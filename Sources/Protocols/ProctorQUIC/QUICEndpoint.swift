internal import CNGTCP2
package import ProctorBase
package import ProctorLoop
package import ProctorQUICLink

/// A server or a client of QUIC at one UDP port; its connections stay on its loop.
package final class QUICEndpoint: QUICPort {
    /// The bound address, with the port that the system chose for port 0.
    package let address: SocketAddress
    private let port: DatagramPort
    let state: LoopBound<EndpointState>

    /// A server, bound at once; loop thread only.
    ///
    /// `accept` is called with each new connection, before its handshake, and gives the owner of its events.
    package convenience init(
        on loop: EventLoop, address: SocketAddress, limits: QUICLimits = QUICLimits(),
        accept: @escaping @Sendable (any QUICLink) -> any QUICConnectionHandler
    ) throws(CallFailure) {
        try self.init(on: loop, at: address, limits, accept)
    }

    /// A client, which ``dial(_:host:context:handler:)`` opens connections of; loop thread only.
    package convenience init(
        dialling server: SocketAddress, on loop: EventLoop, limits: QUICLimits = QUICLimits()
    ) throws(CallFailure) {
        // A path of QUIC is between two addresses; from a loopback address only those can be reached.
        let isIPv4 = server.hostBytes?.count == 4
        let host = server.isLoopback ? (isIPv4 ? "127.0.0.1" : "::1") : isIPv4 ? "0.0.0.0" : "::"
        try self.init(
            on: loop, at: isIPv4 ? .ipv4(host: host, port: 0) : .ipv6(host: host, port: 0), limits, nil)
    }

    private init(
        on loop: EventLoop, at address: SocketAddress, _ limits: QUICLimits,
        _ accept: (@Sendable (any QUICLink) -> any QUICConnectionHandler)?
    ) throws(CallFailure) {
        port = try DatagramPort(on: loop, address: address)
        self.address = port.address
        guard let local = SystemAddress(port.address) else {
            port.close()
            throw CallFailure(call: "QUIC at \(address)", code: 0, text: "expected an address of IPv4 or IPv6")
        }
        state = LoopBound(EndpointState(port, local, limits, accept), on: loop)
    }

    /// Sends the first packet of a connection to a server; loop thread only.
    package func dial(
        _ server: SocketAddress, host: String, context: QUICClientContext, handler: any QUICConnectionHandler
    ) throws(CallFailure) -> any QUICLink {
        guard let address = SystemAddress(server),
            let connection = state.value.dial(address, host: host, context, handler, MonotonicClock.nanoseconds)
        else { throw CallFailure(call: "QUIC to \(server)", code: 0, text: "no memory, or no address of IPv4 or IPv6") }
        return connection
    }

    /// Serves until ``stop()`` or the task is cancelled, and a client until its connections are over; then all connections are
    /// dropped.
    package func serve() async {
        while !port.isCancelled, !Task.isCancelled, !state.value.isDone {
            var next = await port.receive(until: state.value.nextExpiry)
            let now = MonotonicClock.nanoseconds
            var count = 0
            while let datagram = next {
                state.value.receive(datagram.bytes, from: datagram.sender, now)
                count += 1
                next = count < Self.mostBeforeYield ? port.receiveAtOnce() : nil
            }
            state.value.releaseAll()
            if now >= state.value.nextExpiry { state.value.expire(now) }
            if count == Self.mostBeforeYield { await port.loop.yieldToOthers() }
        }
        state.value.dropAll()
        port.close()
    }

    /// Datagrams that are read before other tasks of the loop have their turn.
    private static let mostBeforeYield = 32

    /// Closes each connection with this code, and ends ``serve()``; any thread may call it.
    package func stop(_ close: QUICClose) {
        port.loop.perform { [self] in
            state.value.closeAll(close)
            port.cancel()
        }
    }

    package func close() { port.close() }

    /// The connections whose ids are known, some of which may have closed a moment ago; loop thread only.
    package var connectionCount: Int { state.value.connectionCount }
}

/// QUIC by libngtcp2.
package struct NGTCP2Transport: QUICTransport {
    package init() {}

    package func open(
        on loop: EventLoop, at address: SocketAddress, limits: QUICLimits,
        accept: @escaping @Sendable (any QUICLink) -> any QUICConnectionHandler
    ) throws(CallFailure) -> any QUICPort {
        try QUICEndpoint(on: loop, address: address, limits: limits, accept: accept)
    }

    package func dial(
        on loop: EventLoop, to server: SocketAddress, host: String, context: QUICClientContext, limits: QUICLimits,
        handler: any QUICConnectionHandler
    ) throws(CallFailure) -> (port: any QUICPort, link: any QUICLink) {
        let endpoint = try QUICEndpoint(dialling: server, on: loop, limits: limits)
        do throws(CallFailure) {
            return (endpoint, try endpoint.dial(server, host: host, context: context, handler: handler))
        } catch {
            endpoint.close()
            throw error
        }
    }
}
