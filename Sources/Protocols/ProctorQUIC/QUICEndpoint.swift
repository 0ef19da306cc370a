internal import CNGTCP2
package import ProctorBase
package import ProctorLoop
package import ProctorTLS

/// A server of QUIC at one UDP port; its connections stay on its loop.
package final class QUICEndpoint: QUICPort {
    /// The bound address, with the port that the system chose for port 0.
    package let address: SocketAddress
    private let port: DatagramPort
    private let state: LoopBound<EndpointState>

    /// Binds at once; loop thread only.
    ///
    /// `accept` is called with each new connection, before its handshake, and gives the owner of its events.
    package init(
        on loop: EventLoop, address: SocketAddress, limits: QUICLimits = QUICLimits(),
        accept: @escaping @Sendable (any QUICLink) -> any QUICConnectionHandler
    ) throws(CallFailure) {
        port = try DatagramPort(on: loop, address: address)
        self.address = port.address
        guard let local = SystemAddress(port.address) else {
            port.close()
            throw CallFailure(call: "QUIC at \(address)", code: 0, text: "expected an address of IPv4 or IPv6")
        }
        state = LoopBound(EndpointState(port, local, limits, accept), on: loop)
    }

    /// Serves until ``stop()`` or the task is cancelled; then all connections are dropped.
    package func serve() async {
        while !port.isCancelled, !Task.isCancelled {
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
}
