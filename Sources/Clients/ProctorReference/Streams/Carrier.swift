internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// The connection or the stream that carries one request and its reply; loop thread only.
enum Carrier: Sendable {
    /// A connection of HTTP/1.1, or to a proxy, which only this transfer uses.
    case connection(PooledConnection)
    /// A stream of a shared connection of HTTP/2 or HTTP/3.
    case stream(SharedStream)

    /// The connection's number in the pool.
    var number: Int {
        switch self {
        case .connection(let connection): connection.number
        case .stream(let stream): stream.connection.number
        }
    }

    /// The address of the server or the proxy.
    var peer: SocketAddress {
        switch self {
        case .connection(let connection): connection.outerSocket.peer
        case .stream(let stream): stream.connection.peer
        }
    }

    /// nil over a Unix socket.
    var localPort: UInt16? {
        switch self {
        case .connection(let connection): connection.outerSocket.local.port
        case .stream(let stream): stream.connection.localPort
        }
    }

    /// The protocol's ALPN name.
    var protocolName: String {
        switch self {
        case .connection: "http/1.1"
        case .stream(let stream): stream.connection.rules.protocolName
        }
    }

    /// nil without TLS.
    var secured: SecuredConnection? {
        switch self {
        case .connection(let connection): connection.secured
        case .stream(let stream): stream.connection.secured
        }
    }

    /// Whether the connection carried an earlier request, so that the server may be about to close it.
    var isReused: Bool {
        switch self {
        case .connection(let connection): connection.isReused
        case .stream(let stream): stream.isReused
        }
    }
}

/// A transfer on a stream.
extension Transfer {
    /// Waits for an event of the stream; false when the time is over.
    func read(_ stream: SharedStream, within limit: UInt64) async throws(TransferEnd) -> Bool {
        guard await stream.waitForArrival(within: limit) else { return false }
        try requireWanted()
        if state.sending.failure != nil { throw ended() }
        if let failure = stream.move(into: &state.arrival) { throw transferEnd(of: stream, by: failure) }
        state.lastActivity = MonotonicClock.nanoseconds
        return true
    }

    /// Records that the server has answered: it accepts the identity, or says that the request is for another
    /// connection.
    func didAccept(_ head: ReplyHead) {
        state.carrier?.secured?.wasAccepted(by: connectionRequest.destination)
        if head.status == ReplyHead.misdirectedRequest { state.stream?.connection.misdirect(connectionRequest.origin) }
    }
}

extension ReplyHead {
    /// The status of RFC 9110 §15.5.20.
    static let misdirectedRequest = 421

    /// Whether the response is a 421, so that the request may be sent again on another connection.
    var isMisdirection: Bool { status == Self.misdirectedRequest && version.major >= 2 }
}
