internal import ProctorBase
internal import ProctorDialling
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorLoop
package import ProctorQUICLink
internal import ProctorTLS

/// A connection over QUIC until its handshake is complete; loop thread only.
///
/// Then its events go to an ``HTTP3Connection``.
final class HTTP3Opening: QUICConnectionHandler, Sendable {
    let address: SocketAddress
    private let loop: EventLoop
    private let loopState: LoopBound<State>

    private final class State {
        var link: (any QUICLink)?
        var port: (any QUICPort)?
        /// Events that nobody has taken.
        var events: [QUICEvent] = []
        var connection: HTTP3Connection?
        /// Serves the port until the connection is over.
        var serving: Task<Void, Never>?
        let pause: LoopPause

        init(on loop: EventLoop) { pause = LoopPause(on: loop) }
    }

    init(to address: SocketAddress, on loop: EventLoop) {
        (self.address, self.loop) = (address, loop)
        loopState = LoopBound(State(on: loop), on: loop)
    }

    private var state: State { loopState.value }

    var link: (any QUICLink)? { state.link }

    var localPort: UInt16? { state.port?.address.port }

    /// Sends the first packet.
    func sendFirstPacket(by transport: any QUICTransport, host: String, _ context: QUICClientContext)
        throws(CallFailure)
    {
        var limits = QUICLimits()
        // One more than none, so that HTTP/3 finds what is wrong with it (RFC 9114 §6.1).
        limits.bidirectionalStreams = 1
        // With PING while a reply is outstanding, a path that died is found out soon.
        limits.idleTimeout = 8_000_000_000
        let (port, link) = try transport.dial(
            on: loop, to: address, host: host, context: context, limits: limits, handler: self)
        (state.port, state.link) = (port, link)
        state.serving = Task(executorPreference: loop) { await port.serve() }
    }

    func receive(_ event: QUICEvent, on link: any QUICLink) {
        if let connection = state.connection { return connection.receive(event) }
        state.events.append(event)
        state.pause.resume()
    }

    /// Whether an event comes before `nap` says that the time is over, as in `Socket.connect`; it stays for ``nextEvent(_:)``.
    func waitForEvent(_ nap: @Sendable () -> UInt64?) async -> Bool {
        while state.events.isEmpty {
            guard !Task.isCancelled, let time = nap() else { return false }
            await withTaskCancellationHandler {
                _ = await state.pause.wait(until: Socket.deadline(within: time))
            } onCancel: {
                loop.submit { self.state.pause.resume() }
            }
        }
        return true
    }

    /// The next event; nil once `nap` says that the time is over.
    func nextEvent(_ nap: @Sendable () -> UInt64?) async -> QUICEvent? {
        guard await waitForEvent(nap) else { return nil }
        return state.events.removeFirst()
    }

    /// Whether the server has not answered at all, so that another address may be tried.
    var isSilent: Bool {
        switch state.events.first {
        case .ended(.handshakeTimeout), .ended(.idle), .ended(.dropped), nil: true
        default: false
        }
    }

    /// Hands the connection over, with the events that have come.
    func adopt(_ connection: HTTP3Connection) {
        state.connection = connection
        let events = state.events
        state.events = []
        for event in events { connection.receive(event) }
    }

    /// Ends a connection that nobody needs.
    func drop() {
        state.link?.close(.application(HTTP3Code.noError.rawValue))
        stopServing()
    }

    /// Closes the port; what the server sends is not answered any more.
    func stopServing() {
        state.serving?.cancel()
        state.serving = nil
    }
}

extension ConnectionPool {
    /// Opens a connection over QUIC with its handshake (RFC 9114 §3.1, §3.2).
    func openHTTP3(
        _ request: PoolRequest, at place: HostPlace, within limit: @escaping @Sendable () -> UInt64
    ) async throws(ConnectFailures) -> Carrier {
        let origin = request.origin
        guard let transport = QUICLibrary.transport else {
            throw ConnectFailures(
                LoadError(
                    .unsupportedURL,
                    "\(origin): this client was built without QUIC, over which HTTP/3 is spoken; build it with PROCTOR_QUIC"
                ))
        }
        guard let security = request.destination.security else {
            throw ConnectFailures(
                LoadError(.secureConnectionFailed, "\(origin): this load was given no security to speak TLS by"))
        }
        let context: QUICClientContext
        do throws(TLSSetupError) {
            context = try security.quicContext()
        } catch {
            throw ConnectFailures(LoadError(.secureConnectionFailed, "\(origin): \(error)"))
        }
        let wait = Wait(within: limit)
        let nap: @Sendable () -> UInt64? = { wait.timeLeft(in: self) }
        let dialler = request.dialler(on: loop)
        let loop = loop
        let dialled = await request.attempt(on: loop) {
            await dialler.dial(place) { address in
                await Self.attempt(
                    HTTP3Opening(to: address, on: loop), by: transport, host: origin.undottedHost, context, nap)
            } close: { opening in
                opening.drop()
            }
        }
        let opening = try dialled.mapError { Self.failures($0, of: request, wait) }.get()
        return try await finish(opening, for: request, security, wait)
    }

    /// Waits for the first answer of an address.
    private static func attempt(
        _ opening: HTTP3Opening, by transport: any QUICTransport, host: String, _ context: QUICClientContext,
        _ nap: @Sendable () -> UInt64?
    ) async -> Result<HTTP3Opening, SocketError> {
        do throws(CallFailure) {
            try opening.sendFirstPacket(by: transport, host: host, context)
        } catch {
            return .failure(.failed(error))
        }
        if await opening.waitForEvent(nap), !opening.isSilent { return .success(opening) }
        opening.drop()
        return .failure(Task.isCancelled ? .cancelled : .timedOut)
    }

    /// Completes the handshake, and makes a connection that others may share.
    private func finish(
        _ opening: HTTP3Opening, for request: PoolRequest, _ security: ConnectionSecurity, _ wait: Wait
    ) async throws(ConnectFailures) -> Carrier {
        let asker = HandshakeAsker(request, security, of: request.origin) { opening.drop() }
        let failure = await request.secure(orCancel: { opening.drop() }) { () -> LoadError? in
            await handshake(opening, asker, to: request.origin, wait)
        }
        let secured = SecuredConnection(overQUIC: asker)
        if let failure = failure ?? secured.refusal(of: request.destination) {
            opening.drop()
            throw ConnectFailures(failure)
        }
        guard !isClosed, !request.isCancelled else {
            opening.drop()
            throw ConnectFailures()
        }
        return share(for: request) { number in
            HTTP3Connection(
                over: opening, to: request.destination, number: number, secured: secured, fault: request.fault?.ofHTTP3,
                pool: self)
        }
    }

    private func handshake(
        _ opening: HTTP3Opening, _ asker: HandshakeAsker, to origin: Origin, _ wait: Wait
    ) async -> LoadError? {
        let place = "\(origin) (\(opening.address))"
        while let event = await opening.nextEvent({ wait.timeLeft(in: self) }) {
            switch event {
            case .asksForTrust(let verdict):
                let isTrusted = await asker.trust(verdict)
                wait.startOver()
                opening.link?.answerTrust(isTrusted)
                if !isTrusted { return .untrusted(verdict, at: place) }
            case .asksForIdentity(let authorities):
                let identity = await asker.identity(authorities: authorities)
                wait.startOver()
                opening.link?.answerIdentity(identity)
            case .handshakeCompleted: return nil
            case .ended(let end):
                return LoadError(
                    LoadError.kind(ofAlert: end.peersAlert, wasAsked: asker.wasAsked, isShown: asker.identity != nil),
                    "no connection over QUIC to \(origin): \(end.sentence(about: opening.address))")
            default: continue
            }
        }
        let time = Self.seconds(wait.lastLimit)
        return LoadError(.timedOut, "the handshake of QUIC with \(place) was not complete after \(time)")
    }
}

extension QUICEnd {
    /// What has happened, without a full stop.
    func sentence(about peer: SocketAddress) -> String {
        switch self {
        case .closedByPeer(let close): "\(peer) closed the connection (\(close.words))"
        case .closedByUs(let close): "this client closed the connection (\(close.words))"
        case .resetByPeer: "\(peer) knows nothing of the connection any more (stateless reset, RFC 9000 §10.3)"
        case .idle: "nothing came from \(peer) for the idle timeout (RFC 9000 §10.1)"
        case .handshakeTimeout: "\(peer) did not complete the handshake in time; does a server listen at that UDP port?"
        case .noCommonVersion: "\(peer) speaks no version of QUIC that this client speaks (RFC 9000 §6.2)"
        case .dropped: "the connection to \(peer) was given up"
        }
    }

    /// The alert of TLS by which the peer has ended the connection (RFC 9001 §4.8); nil: none.
    var peersAlert: UInt8? {
        guard case .closedByPeer(let close) = self, !close.isOfApplication, 0x100...0x1FF ~= close.code else {
            return nil
        }
        return UInt8(close.code & 0xFF)
    }
}

extension QUICClose {
    /// The code, and the reason if there is one.
    fileprivate var words: String {
        let code =
            isOfApplication ? "\(HTTP3Code(rawValue: code))" : "code 0x\(String(code, radix: 16)) of the transport"
        return reason.isEmpty ? code : "\(code) \"\(EscapedText.escape(reason, limit: 200))\""
    }
}

/// The library of QUIC that a program hands to this client from above; without it, the client speaks no HTTP/3.
package enum QUICLibrary {
    private static let registered = Locked<(any QUICTransport)?>(nil)

    /// Called once, before the first session; any thread.
    package static func register(_ transport: any QUICTransport) { registered.withLock { $0 = transport } }

    static var transport: (any QUICTransport)? { registered.withLock { $0 } }

    /// Whether a library was registered, so that the client speaks HTTP/3.
    package static var isRegistered: Bool { transport != nil }
}
