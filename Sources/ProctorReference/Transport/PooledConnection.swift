internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS
import ProctorTLSWire

/// A connection to an origin; loop thread only.
///
/// The pool has it while it idles, one transfer while it does not. Only the pool closes it.
final class PooledConnection: Sendable {
    let socket: Socket
    let destination: Destination
    /// From 1, in the order in which the pool opened them.
    let number: Int
    private let loopState: LoopBound<State>

    private final class State {
        var secured: SecuredConnection?
        var isTunnel = false
        var reader = ReplyReader(undoesCodings: true)
        var exchangeCount = 0
        var idleSince: UInt64?
        var hasPeerLeft = false
    }

    init(socket: Socket, destination: Destination, number: Int, on loop: EventLoop) {
        self.socket = socket
        self.destination = destination
        self.number = number
        loopState = LoopBound(State(), on: loop)
    }

    private var state: State { loopState.value }

    /// nil where bytes go as they are.
    var secured: SecuredConnection? {
        get { state.secured }
        set { state.secured = newValue }
    }

    /// What is written goes to the origin and no more to the proxy that was connected to.
    var isTunnel: Bool { state.isTunnel }

    var reader: ReplyReader {
        _read { yield state.reader }
        _modify { yield &state.reader }
    }

    /// MonotonicClock nanoseconds; nil while an transfer has it.
    var idleSince: UInt64? { state.idleSince }

    /// The peer's FIN or reset was seen.
    var hasPeerLeft: Bool {
        get { state.hasPeerLeft }
        set { state.hasPeerLeft = newValue }
    }

    /// Whether a proxy has to be asked before anything can be said to the origin.
    var needsTunnel: Bool { destination.tunnelProxy != nil && !isTunnel }

    /// The proxy has made a tunnel, and TLS is played in it: from here on it is a new connection, to the origin.
    func becomeTunnel(_ secured: SecuredConnection?) {
        let state = state
        state.secured = secured
        state.isTunnel = true
        state.exchangeCount = 1
        state.reader = ReplyReader(undoesCodings: true)
    }

    /// Whether it served another transfer before this one, so that the server may be about to close it.
    var isReused: Bool { state.exchangeCount > 1 }

    var isIdle: Bool { idleSince != nil }

    /// Whether nothing is known that would make a request on it fail: neither end closed it, and no byte came unasked.
    var isAlive: Bool { !hasPeerLeft && socket.isQuiet }

    /// Keeps what the server gave to go on with over another connection.
    func keepTicket() { secured?.keepTicket(of: destination) }

    /// Sends close_notify first over TLS (RFC 8446 §6.1): OpenSSL resumes no session that ended without it.
    func close() {
        keepTicket()
        if secured != nil { socket.halfClose() }
        socket.close()
    }

    /// An transfer has it now.
    func endIdling() { state.idleSince = nil }

    /// A request is about to be sent on it.
    func beginTransfer() { state.exchangeCount += 1 }

    func becomeIdle() { state.idleSince = MonotonicClock.nanoseconds }
}

extension ConnectionPool {
    /// Plays the handshake of a new connection where its origin wants one; nil where it does not.
    ///
    /// `limit` holds for the handshake as a whole; while a question is open no time runs.
    func secure(
        _ socket: Socket, for request: ConnectionRequest, within limit: @escaping @Sendable () -> UInt64
    ) async -> Result<SecuredConnection?, LoadError> {
        guard request.origin.scheme == .https else { return .success(nil) }
        guard let security = request.destination.security else {
            return .failure(
                LoadError(.secureConnectionFailed, "\(request.origin): this load was given no security to speak TLS by")
            )
        }
        let context: TLSClientContext
        do throws(TLSSetupError) {
            context = try security.context()
        } catch {
            return .failure(LoadError(.secureConnectionFailed, "\(request.origin): \(error)"))
        }
        let ticket = security.takeTicket(for: request.origin)
        let session = TLSSession(
            client: context, on: socket, host: request.origin.undottedHost, resuming: ticket)
        let asker = HandshakeAsker(request, security, on: socket)
        session.identityAfterHandshake = { [origin = request.origin] _ in
            security.identity(for: origin)?.clientIdentity
        }
        let failure = await request.secure(socket) { () -> LoadError? in
            await self.handshake(session, asker, to: request.origin, within: limit)
        }
        if let failure { return .failure(failure) }
        socket.layer = session
        let secured = SecuredConnection(session, by: asker, resuming: ticket)
        if let refusal = secured.refusal(of: request.origin) { return .failure(refusal) }
        return .success(secured)
    }

    private func handshake(
        _ session: TLSSession, _ asker: HandshakeAsker, to origin: Origin,
        within limit: @escaping @Sendable () -> UInt64
    ) async -> LoadError? {
        let wait = Wait(within: limit)
        async let _: Void = watch(session.socket, wait, asker)
        do throws(HandshakeFailure) {
            try await session.handshake(questions: asker)
            return nil
        } catch {
            guard !wait.isOver else {
                let time = Self.seconds(wait.lastLimit)
                return LoadError(.timedOut, "the TLS handshake with \(origin) was not complete after \(time)")
            }
            return LoadError(error, of: session, to: origin, isShown: asker.identity != nil)
        }
    }

    /// Ends a handshake that takes too long.
    private func watch(_ socket: Socket, _ wait: Wait, _ asker: HandshakeAsker) async {
        while let time = wait.timeLeft(in: self) {
            guard await loop.sleep(for: .nanoseconds(Int64(clamping: time))) else { return }
            if asker.isAsking { wait.startOver() }
        }
        socket.cancel()
    }
}

/// What is known of a connection that TLS secures; loop thread only.
final class SecuredConnection {
    let session: TLSSession
    /// What the server was shown; nil: nothing, or a session went on.
    let identity: LoadIdentity?
    var isShown: Bool { identity != nil }
    /// Whether the anchors vouch for the server: then another handshake may go on with this session, and asks nothing.
    private let isVouchedFor: Bool
    private var kept: TLSTicket?

    init(_ session: TLSSession, by asker: HandshakeAsker, resuming ticket: TLSTicket?) {
        self.session = session
        identity = asker.identity
        let isResumed = session.report.isResumed
        isVouchedFor = asker.verdict?.isTrusted ?? isResumed
        // A session of TLS 1.2 is good for any number of connections, and its server may give no other.
        if isResumed, let ticket, ticket.version ?? .tls13 < .tls13 { kept = ticket }
    }

    /// Why nothing can be said over it, though the handshake is complete.
    func refusal(of origin: Origin) -> LoadError? {
        guard let name = session.report.applicationProtocol, name != Array("http/1.1".utf8) else { return nil }
        return LoadError(
            .secureConnectionFailed,
            "\(origin) chose the protocol \"\(PrintableText.of(String(decoding: name, as: UTF8.self), limit: 100))\" by "
                + "ALPN; this client offered http/1.1 alone (RFC 7301 §3.2)")
    }

    /// A reply came, so the server accepts the identity that it was shown.
    func wasAccepted(by destination: Destination) {
        if let identity { destination.security?.remember(identity, for: destination.origin) }
    }

    /// Hands the newest ticket to those who may go on with it.
    func keepTicket(of destination: Destination) {
        guard isVouchedFor, let security = destination.security else { return }
        let newest = session.ticket ?? kept
        guard let newest, newest !== handedOut else { return }
        handedOut = newest
        security.keep(newest, of: destination.origin)
    }

    private var handedOut: TLSTicket?
}
