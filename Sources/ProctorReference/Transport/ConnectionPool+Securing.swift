internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

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
        do throws(TLSRefusal) {
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
        while let nap = wait.nap(of: self) {
            guard await loop.sleep(for: .nanoseconds(Int64(clamping: nap))) else { return }
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

    /// A reply came, so that whom the server was shown is somebody whom it lets in.
    func wasLetIn(by destination: Destination) {
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
