internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS
import ProctorTLSWire

/// A connection to an origin, owned by the pool while it is idle, else by one transfer; loop thread only.
final class PooledConnection: Sendable {
    let socket: Socket
    /// The socket to the server or the proxy, over which the bytes of ``socket`` may be carried.
    let outerSocket: Socket
    let destination: Destination
    /// The number, from 1, in the order in which the pool opened connections.
    let number: Int
    private let loopState: LoopBound<State>

    final class State {
        fileprivate var secured: SecuredConnection?
        /// The TLS with a proxy, around all bytes; nil without one.
        var securedBelow: SecuredConnection?
        /// Whether bytes go to the origin, through the proxy's tunnel.
        fileprivate(set) var isTunnel = false
        var reader: ReplyReader
        fileprivate var exchangeCount = 0
        /// Since when the connection is idle, in MonotonicClock nanoseconds; nil while a transfer uses it.
        fileprivate var idleSince: UInt64?
        var hasPeerLeft = false
        /// The waiting requests that were sent before their turn, in the order of their replies.
        var ahead: [PoolRequest] = []
        /// Bytes that were read behind a reply, which belong to the next ones.
        var early: [UInt8] = []
        /// Whether the request of the present transfer went out before its turn.
        fileprivate(set) var isSentAhead = false
        /// Whether the connection takes no further requests: a load that was cancelled leaves a reply to come, or one of
        /// the requests sent ahead was sent in part.
        var isAheadBroken = false
        /// Whether further requests may be sent before the reply to the present one has come.
        var takesRequestsAhead = false
        /// Whether a reply has said that no other follows (RFC 9112 §9.6).
        var wasToldToClose = false

        fileprivate init(_ limits: ReplyLimits) { reader = ReplyReader(limits: limits, undoesCodings: true) }
    }

    init(
        socket: Socket, within outer: Socket? = nil, destination: Destination, number: Int, limits: ReplyLimits,
        secured: SecuredConnection? = nil, on loop: EventLoop
    ) {
        self.socket = socket
        outerSocket = outer ?? socket
        (self.destination, self.number) = (destination, number)
        loopState = LoopBound(State(limits), on: loop)
        state.secured = secured
    }

    var state: State { loopState.value }

    /// nil for a connection without TLS.
    var secured: SecuredConnection? { state.secured }

    var idleSince: UInt64? { state.idleSince }

    /// Whether the proxy still has to make the tunnel.
    var needsTunnel: Bool { destination.tunnelProxy != nil && !state.isTunnel }

    /// Records that the proxy has made a tunnel, with or without TLS inside; the connection now leads to the origin.
    func becomeTunnel(_ secured: SecuredConnection?) {
        let state = state
        state.secured = secured
        state.isTunnel = true
        state.exchangeCount = 1
        state.reader = ReplyReader(undoesCodings: true)
    }

    /// The number of transfers that it has carried, the present one included.
    var exchangeCount: Int { state.exchangeCount }

    /// Whether it carried an earlier transfer, so that the server may be about to close it.
    var isReused: Bool { state.exchangeCount > 1 }

    var isIdle: Bool { idleSince != nil }

    /// Whether neither end has closed the connection and no unexpected byte arrived.
    var isAlive: Bool { !state.hasPeerLeft && (!state.ahead.isEmpty || socket.isQuiet) }

    func keepTicket() {
        secured?.keepTicket(of: destination)
        if let proxy = destination.securedProxy { state.securedBelow?.keepTicket(of: proxy) }
    }

    /// Sends close_notify first over TLS (RFC 8446 §6.1): OpenSSL resumes no session that ended without it.
    func close() {
        keepTicket()
        if secured != nil { socket.halfClose() }
        socket.close()
    }

    func endIdling() { state.idleSince = nil }

    func beginTransfer(of request: PoolRequest? = nil) {
        state.exchangeCount += 1
        state.takesRequestsAhead = false
        state.isSentAhead = request != nil && state.ahead.first === request
        if state.isSentAhead { state.ahead.removeFirst() }
    }

    func becomeIdle() {
        state.idleSince = MonotonicClock.nanoseconds
        state.takesRequestsAhead = false
    }
}

extension ConnectionPool {
    /// Makes the handshake of a new https connection within `limit`, which does not run while a question has no answer.
    ///
    /// `end` is the other end of the TLS; nil: the destination of the request.
    func secure(
        _ socket: Socket, with end: Destination? = nil, for request: PoolRequest,
        within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) -> SecuredConnection? {
        let end = end ?? request.destination
        let origin = end.origin
        guard origin.scheme == .https else { return nil }
        guard let security = end.security else {
            throw LoadError(.secureConnectionFailed, "\(origin): this load was given no security to speak TLS by")
        }
        let context: TLSClientContext
        do throws(TLSSetupError) {
            context = try security.context(offeringHTTP2: end.speaksHTTP2)
        } catch {
            throw LoadError(.secureConnectionFailed, "\(origin): \(error)")
        }
        let ticket = security.takeTicket(for: origin)
        let session = TLSSession(client: context, on: socket, host: origin.undottedHost, resuming: ticket)
        let asker = HandshakeAsker(request, security, of: origin) { socket.cancel() }
        session.identityAfterHandshake = { _ in security.identity(for: origin)?.clientIdentity }
        let failure = await request.secure(orCancel: { socket.cancel() }) { () -> LoadError? in
            await self.handshake(session, asker, to: origin, within: limit)
        }
        if let failure {
            if request.fault == .wire(.tellsAlertsAlone),
                session.report.alerts.contains(where: { $0.isFatal && $0.isOurs })
            {
                await rest(of: request, within: limit)
            }
            throw failure
        }
        socket.layer = session
        let secured = SecuredConnection(session, by: asker, resuming: ticket)
        if let refusal = secured.refusal(of: end) { throw refusal }
        return secured
    }

    /// Waits as if nothing had ended, until the time of the load is over or it is cancelled: a deliberate fault.
    private func rest(of request: PoolRequest, within limit: @Sendable () -> UInt64) async {
        let time = Duration.nanoseconds(Int64(clamping: limit()))
        let loop = loop
        _ = await request.attempt(on: loop) { await loop.sleep(for: time) }
    }

    private func handshake(
        _ session: TLSSession, _ asker: HandshakeAsker, to origin: Origin,
        within limit: @escaping @Sendable () -> UInt64
    ) async -> LoadError? {
        let wait = Wait(within: limit)
        async let _: Void = watch(session.socket, for: wait, asking: asker)
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

    private func watch(_ socket: Socket, for wait: Wait, asking asker: HandshakeAsker) async {
        while let time = wait.timeLeft(in: self) {
            guard await loop.sleep(for: .nanoseconds(Int64(clamping: time))) else { return }
            if asker.isAsking { wait.startOver() }
        }
        socket.cancel()
    }
}

/// The TLS state of a connection; loop thread only.
final class SecuredConnection {
    /// nil over QUIC.
    let session: TLSSession?
    /// The identity that the client showed; nil: none, or the session was resumed.
    let identity: LoadIdentity?
    var isShown: Bool { identity != nil }
    /// Whether the anchors trust the server; only then may another handshake resume this session without a question.
    let isVouchedFor: Bool
    private var kept: TLSTicket?
    /// The alert with which a server of QUIC has ended the connection.
    var peersAlert: UInt8?
    private let asker: HandshakeAsker

    /// A handshake over QUIC, which resumes no session.
    init(overQUIC asker: HandshakeAsker) {
        session = nil
        self.asker = asker
        identity = asker.identity
        isVouchedFor = asker.verdict?.isTrusted ?? false
    }

    init(_ session: TLSSession, by asker: HandshakeAsker, resuming ticket: TLSTicket?) {
        (self.session, self.asker) = (session, asker)
        identity = asker.identity
        let isResumed = session.report.isResumed
        isVouchedFor = asker.verdict?.isTrusted ?? isResumed
        // A session of TLS 1.2 can be used for any number of connections, and its server may send no other ticket.
        if isResumed, let ticket, ticket.version ?? .tls13 < .tls13 { kept = ticket }
    }

    /// Why the connection is unusable although the handshake is complete.
    func refusal(of destination: Destination) -> LoadError? {
        if let wanted = destination.alternative?.protocolName, spoken != wanted || !isVouchedFor {
            return LoadError(
                .secureConnectionFailed,
                "an alternative service of \(destination.origin) does not speak \(wanted), or its certificate is not "
                    + "trusted by the anchors (RFC 7838 §2.1, §2.4)")
        }
        guard let name = session?.report.applicationProtocol else { return nil }
        let offer = ConnectionSecurity.offer(ofHTTP2: destination.speaksHTTP2)
        guard !offer.contains(where: { name == Array($0.utf8) }) else { return nil }
        return LoadError(
            .secureConnectionFailed,
            "\(destination.origin) chose the protocol "
                + "\"\(PrintableText.sanitize(String(decoding: name, as: UTF8.self), limit: 100))\" by ALPN; this client offered "
                + "\(offer.joined(separator: " and "))\(offer.count == 1 ? " alone" : "") (RFC 7301 §3.2)")
    }

    /// Whether the server chose HTTP/2 by ALPN (RFC 9113 §3.2).
    var speaksHTTP2: Bool { session?.report.applicationProtocol == Array("h2".utf8) }

    /// The protocol's ALPN name; no choice is HTTP/1.1.
    private var spoken: String { session == nil ? "h3" : speaksHTTP2 ? "h2" : "http/1.1" }

    /// The kind of a failure of TLS behind the handshake.
    var failureKind: LoadError.Kind {
        session.map { LoadError.kind(of: $0, isShown: isShown) }
            ?? LoadError.kind(ofAlert: peersAlert, wasAsked: asker.wasAsked, isShown: isShown)
    }

    /// Records that a reply arrived, so that the server accepts the identity.
    func wasAccepted(by destination: Destination) {
        if let identity { destination.security?.remember(identity, for: destination.origin) }
    }

    /// Stores the newest ticket for later connections to the same origin.
    func keepTicket(of destination: Destination) {
        guard isVouchedFor, let security = destination.security else { return }
        let newest = session?.ticket ?? kept
        guard let newest, newest !== handedOut else { return }
        handedOut = newest
        security.store(newest, of: destination.origin)
    }

    private var handedOut: TLSTicket?
}
