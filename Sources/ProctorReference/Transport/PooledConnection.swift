internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A connection to an origin; loop thread only.
///
/// The pool has it while it idles, one exchange while it does not. Only the pool closes it.
final class PooledConnection: @unchecked Sendable {
    let socket: Socket
    let destination: Destination
    /// nil where bytes go as they are.
    private(set) var secured: SecuredConnection?
    /// What is written goes to the origin and no more to the proxy that was connected to.
    private(set) var isTunnel = false
    /// From 1, in the order in which the pool opened them.
    let number: Int
    var reader: ReplyReader
    /// Exchanges that were made on this connection, or are; one that was over before it sent anything is none.
    private(set) var exchangeCount = 0
    /// MonotonicClock nanoseconds; nil while an exchange has it.
    private(set) var idleSince: UInt64?
    /// The peer's FIN or reset was seen.
    var hasPeerLeft = false

    init(socket: Socket, destination: Destination, secured: SecuredConnection? = nil, number: Int) {
        self.socket = socket
        self.destination = destination
        self.secured = secured
        self.number = number
        reader = ReplyReader(undoesCodings: true)
    }

    /// Whether a proxy has to be asked before anything can be said to the origin.
    var needsTunnel: Bool { destination.tunnelProxy != nil && !isTunnel }

    /// The proxy has made a tunnel, and TLS is played in it: from here on it is a new connection, to the origin.
    func becomeTunnel(_ secured: SecuredConnection?) {
        self.secured = secured
        isTunnel = true
        exchangeCount = 1
        reader = ReplyReader(undoesCodings: true)
    }

    /// Whether it served another exchange before this one, so that the server may be about to close it.
    var isReused: Bool { exchangeCount > 1 }

    var isIdle: Bool { idleSince != nil }

    /// Whether nothing is known that would make a request on it fail: neither end closed it, and no byte came unasked.
    var isAlive: Bool { !hasPeerLeft && socket.isQuiet }

    /// Keeps what the server gave to go on with over another connection.
    func keepTicket() { secured?.keepTicket(of: destination) }

    /// Takes leave first where TLS wants that (RFC 8446 §6.1): OpenSSL lets nobody go on with a session that was torn off.
    func close() {
        keepTicket()
        if secured != nil { socket.halfClose() }
        socket.close()
    }

    /// Somebody has it now.
    func leaveRest() {
        idleSince = nil
    }

    /// A request is about to be sent on it.
    func beginExchange() {
        exchangeCount += 1
    }

    func rest() {
        idleSince = MonotonicClock.nanoseconds
    }
}
