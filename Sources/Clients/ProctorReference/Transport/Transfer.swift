internal import ProctorBase
internal import ProctorCoding
internal import ProctorDialling
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorSOCKS

/// One request and its reply on a connection of the pool, or on a stream of one; loop thread only.
///
/// ``run()`` is called once, as a task that prefers the pool's loop. The connection is returned or closed before the last
/// call to the ``TransferHost``, for the next transfer. While the host is asked for a step, nothing is read.
final class Transfer: HandshakeHost {
    let request: ClientRequest
    private let form: RequestForm
    let fault: TransportFault?
    /// What the request asks for besides HTTP; nil: nothing.
    let upgrade: OpeningHandshake?
    let pool: ConnectionPool
    let connectionRequest: PoolRequest
    /// The request for the stream on which a proxy makes the tunnel; nil: no tunnel is made on a stream.
    private let proxyRequest: PoolRequest?
    private let loopState: LoopBound<State>

    final class State {
        /// nil after the last call to the host.
        fileprivate(set) var host: (any TransferHost)?
        /// Sends the rest of the request; the end of the transfer cancels it.
        fileprivate var sender: Task<Void, Never>?
        fileprivate(set) var carrier: Carrier?
        fileprivate var localPort: UInt16?
        fileprivate var connectionNumber: Int?
        var protocolName: String?
        var sending = Sending()
        /// The received part of the reply, whose head is kept.
        var arrival = Arrival()
        /// Decodes the current content; nil when it has no coding.
        var decoding: ContentDecoding?
        /// The bytes that were decoded of the current content.
        var decodedByteCount = 0
        /// What a client without bounds keeps; empty without that deliberate fault.
        var excess = Excess()
        /// The CONNECT request while a tunnel is made, before the request itself.
        var tunnelRequest: ClientRequest?
        /// The stream on which the proxy is asked for a tunnel; nil: none.
        fileprivate(set) var tunnelStream: SharedStream?
        /// Whether the alternative service could not be asked, so that nothing was sent and the host knows nothing of it.
        fileprivate(set) var isUnreached = false
        /// The credential that the proxy received; kept only for a deliberate fault.
        fileprivate var tunnelCredential: HTTPField?
        /// The time of the last byte in either direction, or of the last step of the host, in MonotonicClock
        /// nanoseconds.
        var lastActivity: UInt64 = 0

        fileprivate init(_ host: any TransferHost) { self.host = host }

        /// The connection; nil when a stream carries the transfer.
        var connection: PooledConnection? { if case .connection(let connection) = carrier { connection } else { nil } }

        /// The stream; nil when a connection of its own carries the transfer.
        var stream: SharedStream? { if case .stream(let stream) = carrier { stream } else { nil } }
    }

    init(
        request: ClientRequest, proxy: Origin? = nil, names: HostTable = HostTable(),
        security: ConnectionSecurity? = nil, speaksHTTP2: Bool = false, speaksHTTP3: Bool = false,
        proxySpeaksHTTP2: Bool = false, socks: SOCKSProxy? = nil, alternative: Alternative? = nil,
        fault: TransportFault? = nil,
        upgrade: OpeningHandshake? = nil, pool: ConnectionPool,
        host: any TransferHost, onNewConnection: Bool
    ) {
        (self.request, self.fault, self.upgrade, self.pool) = (request, fault, upgrade, pool)
        loopState = LoopBound(State(host), on: pool.loop)
        let origin = request.url.origin
        let speaksHTTP2 = speaksHTTP2 && !pool.requiresHTTP1(origin, forWebSocket: upgrade != nil)
        let way = fault == .socks(.goesStraight) ? nil : socks
        // A WebSocket is opened over TCP, since RFC 9220 is not spoken.
        let asksOverQUIC =
            speaksHTTP3 && origin.scheme == .https && proxy == nil && way == nil && upgrade == nil
            && !pool.requiresHTTP1(origin, forWebSocket: false)
        let ofAlternative = alternative.map { Destination(origin, by: $0, security, names: names) }
        let destination =
            ofAlternative
            ?? (asksOverQUIC ? Destination(origin, overHTTP3By: security, names: names) : nil)
            ?? way.map {
                Destination(origin, through: $0, security, names: names, speaksHTTP2: speaksHTTP2)
            }
            ?? Destination(
                server: origin, proxy: proxy, security: security, names: names,
                speaksHTTP2: speaksHTTP2, proxySpeaksHTTP2: proxySpeaksHTTP2,
                tunnelsEverything: upgrade != nil)
        connectionRequest = PoolRequest(to: destination, wantsNew: onNewConnection, fault: fault, on: pool.loop)
        proxyRequest = destination.ofProxy(names).map {
            PoolRequest(to: $0, wantsNew: onNewConnection, fault: fault, on: pool.loop)
        }
        form = proxy == nil ? .origin : origin.scheme == .http && upgrade == nil ? .absolute : .tunnelled
        connectionRequest.asker = self
        proxyRequest?.asker = self
    }

    var state: State { loopState.value }

    /// The local port of the connection, also after the end; nil before there is one.
    var localPort: UInt16? { state.localPort }

    /// The connection's number in the pool, from 1; transfers with the same number shared a connection.
    var connectionNumber: Int? { state.connectionNumber }

    /// The ALPN name of the protocol; nil before there is a connection.
    var protocolName: String? { state.protocolName }

    var isOver: Bool { state.host == nil }

    /// The service that is asked in place of the origin; nil: none.
    var alternative: Alternative? { connectionRequest.destination.alternative }

    /// Whether the alternative service could not be asked: nothing was sent, and no event told of it.
    var isUnreached: Bool { state.isUnreached }

    /// Whether the server of the connection has shown a certificate that the anchors trust.
    var isVouchedFor: Bool { state.carrier?.secured?.isVouchedFor ?? false }

    /// Runs the transfer to its end; cancelling the task is ``cancel()``, though a body stream may continue.
    func run() async {
        await withTaskCancellationHandler {
            await perform()
        } onCancel: {
            pool.loop.submit { self.cancel() }
        }
    }

    /// Closes the connection and makes no further call to the host; an unanswered question must still be ended by the
    /// host.
    func cancel() {
        pool.loop.preconditionOnLoop()
        guard !isOver else { return }
        finish(.silence)
        pool.withdraw(connectionRequest, as: .cancelled)
        if let proxyRequest { pool.withdraw(proxyRequest, as: .cancelled) }
    }

    // MARK: The steps of a transfer

    private func perform() async {
        do throws(TransferEnd) {
            try requireWanted()
            // A body stream is opened once, so only when the tunnel exists.
            var prepared: Prepared?
            if form != .tunnelled { prepared = try prepare() }
            try await connect()
            if try await openTunnel() {
                try await requireExtendedConnect()
                if let prepared { startSending(prepared) } else { startSending(try prepare()) }
                sendAtOnce()
                try requireWanted()
                if state.sending.awaitsContinue { try await awaitContinue() }
            }
        } catch {
            return finish(error)
        }
        if fault == .wire(.readsBehindContent) { await sendRest() }
        if state.sending.isComplete || state.sending.isStopped {
            await finish(receive())
        } else {
            // A child task would keep the transfer alive while it waits for a body stream.
            state.sender = Task(executorPreference: pool.loop) { await self.sendRest() }
            await finish(receive())
        }
    }

    /// A request that can be sent, with its open body.
    struct Prepared {
        let head: OutgoingHead
        let body: OutgoingBody
    }

    func prepare() throws(TransferEnd) -> Prepared {
        do throws(LoadError) {
            let body = try OutgoingBody(of: request)
            var request = request
            if fault == .wire(.sendsProxyCredentialInTunnel), let tunnelCredential = state.tunnelCredential {
                request.fields.append(tunnelCredential)
            }
            let head = try OutgoingHead(request, body, as: form, upgrade: upgrade?.makeFields(), fault: fault)
            return Prepared(head: head, body: body)
        } catch {
            throw .failure(TransferFailure(error))
        }
    }

    private func startSending(_ prepared: Prepared) {
        let method = Array(request.method.utf8)
        if let stream = state.stream {
            state.sending = Sending(prepared.head, prepared.body, onStream: true)
            let fields = StreamRequestFields(
                request, prepared.body, as: form, opening: upgrade?.makeFields(onStream: true), fault: fault?.ofStreams)
            if upgrade == nil {
                stream.sendHeaders(
                    fields.list, method: method, isEmpty: prepared.body.isEmpty,
                    contentByteCount: prepared.body.byteCount)
            } else {
                // Frames follow, as DATA.
                stream.sendHeaders(fields.list, method: Array("CONNECT".utf8), isEmpty: false, contentByteCount: nil)
            }
        } else {
            state.sending = Sending(prepared.head, prepared.body)
            state.connection?.state.reader.expectReply(to: method)
        }
    }

    /// Waits for the SETTINGS of a server that is to open a WebSocket on a stream (RFC 8441 §3).
    private func requireExtendedConnect() async throws(TransferEnd) {
        guard let upgrade, let stream = state.stream, upgrade.fault != .connectsUnasked else { return }
        let limit = state.host?.idleLimit ?? .max
        let isPermitted = await stream.permitsExtendedConnect(within: limit)
        try requireWanted()
        if let failure = stream.failure { throw transferEnd(of: stream, by: failure) }
        guard let isPermitted else { throw timedOut(after: limit) }
        if !isPermitted { throw withoutExtendedConnect() }
    }

    private func connect() async throws(TransferEnd) {
        let carrier: Carrier
        if fault == .storm(.givesUpOrigins), pool.failureCount(of: connectionRequest.destination) >= 3 {
            throw .failure(TransferFailure(LoadError(.cannotConnect, "three loads of the origin have failed")))
        }
        if !connectionRequest.wantsNew, let held = state.host?.takeHeldConnection() {
            carrier = .connection(held)
        } else if let stream = pool.takeStream(for: connectionRequest) {
            carrier = .stream(stream)
        } else if !connectionRequest.wantsNew, let kept = takeIdle() {
            carrier = .connection(kept)
        } else if let proxyRequest, let stream = pool.takeStream(for: proxyRequest) {
            carrier = .stream(stream)
            state.tunnelStream = stream
        } else {
            do throws(LoadError) {
                carrier = try await pool.carrier(for: proxyRequest ?? connectionRequest) {
                    self.state.host?.idleLimit ?? .max
                }
                if proxyRequest != nil, case .stream(let stream) = carrier { state.tunnelStream = stream }
            } catch {
                state.isUnreached = alternative != nil && !isOver
                throw isOver || state.isUnreached ? .silence : .failure(TransferFailure(error))
            }
        }
        guard !isOver else {
            // No byte was sent on it.
            switch carrier {
            case .connection(let connection): pool.store(connection)
            case .stream(let stream): stream.release()
            }
            throw .silence
        }
        state.carrier = carrier
        state.connection?.beginTransfer(of: connectionRequest)
        state.localPort = carrier.localPort
        state.connectionNumber = carrier.number
        state.protocolName = carrier.protocolName
        state.lastActivity = MonotonicClock.nanoseconds
    }

    private func takeIdle() -> PooledConnection? {
        if fault == .wire(.sharesTunnels), let proxy = connectionRequest.destination.tunnelProxy,
            let tunnel = pool.takeAnyTunnel(through: proxy)
        {
            return tunnel
        }
        return pool.takeIdle(to: connectionRequest.destination)
    }

    // MARK: The host

    func report(_ event: LoadEvent) {
        state.host?.handle(event)
    }

    func handshakeAnswer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        await state.host?.handshakeAnswer(to: challenge)
    }

    /// Asks the host what to do with the rest; called for every step of the reply.
    func nextStep() async throws(TransferEnd) -> TransferStep {
        guard let host = state.host else { throw .silence }
        let step = await host.nextStep()
        try requireWanted()
        state.lastActivity = MonotonicClock.nanoseconds
        return step
    }

    func askForTunnelRequest() async throws(TransferEnd) -> ClientRequest {
        guard let asked = await state.host?.tunnelRequest() else { throw .silence }
        try requireWanted()
        state.lastActivity = MonotonicClock.nanoseconds
        return asked
    }

    /// Throws when the transfer is no longer needed; must be called after every wait.
    func requireWanted() throws(TransferEnd) {
        if isOver { throw .silence }
    }

    // MARK: The end

    private func finish(_ end: TransferEnd) {
        let host = state.host
        state.host = nil
        state.sender?.cancel()
        state.sender = nil
        let mayKeep = end.leavesOrder && mayKeepConnection
        var held = HeldConnection.notWanted
        if case .drained = end, let host { held = host.holdConnection(mayKeep ? state.connection : nil) }
        let carrier = state.carrier
        state.carrier = nil
        switch carrier {
        case .connection where held == .held: break
        case .connection(let connection) where fault?.ofStorms?.keepsConnection(of: end) == true:
            pool.store(connection)
        case .connection(let connection) where fault == .storm(.forgetsCancelled) && end.isSilence:
            pool.forget(connection)
        case .connection(let connection) where mayKeep: pool.store(connection, reading: state.arrival.takeSurplus())
        case .connection(let connection): if fault != .wire(.holdsDeadConnections) { pool.discard(connection) }
        case .stream(let stream):
            // The server may have closed the connection without notice, so no further request is sent to it.
            if case .failure(let failure) = end, failure.error.kind == .timedOut { stream.connection.retire() }
            // The end of a WebSocket is END_STREAM (RFC 8441 §5).
            if case .complete = end, upgrade != nil { stream.finish() }
            stream.release()
        case nil: break
        }
        guard let host else { return }
        switch end {
        case .complete: host.handle(.replyEnded)
        case .drained where held == .missing:
            let reason = "the connection ended behind a message that belongs to it"
            host.handle(.failed(TransferFailure(LoadError(.connectionLost, reason))))
        case .drained: host.handle(.drained)
        case .failure(let failure):
            pool.noteFailure(of: connectionRequest.destination)
            host.handle(.failed(fault?.ofStorms?.failure(failure) ?? failure))
        case .silence: break
        }
    }

    /// Whether another request can follow (RFC 9112 §9.3): both messages are complete, no byte arrived after the reply,
    /// and neither side sent `close`.
    private var mayKeepConnection: Bool {
        guard let head = state.arrival.head, let connection = state.connection else { return false }
        return head.framing != .tunnel && state.arrival.isComplete && !hasUnaskedBytes(on: connection)
            && state.sending.isComplete
            && !state.sending.asksToClose
            && head.keepsConnection && !connection.state.hasPeerLeft
    }
}

enum TransferEnd: Error {
    case complete
    case drained
    case failure(TransferFailure)
    /// Aborted or cancelled: no call to the host follows.
    case silence

    var isSilence: Bool { if case .silence = self { true } else { false } }

    var leavesOrder: Bool {
        switch self {
        case .complete, .drained: true
        case .failure, .silence: false
        }
    }
}

/// Opens the tunnel of the proxy to the origin (RFC 9110 §9.3.6) before the request, with TLS inside it.
extension Transfer {
    /// Opens the tunnel; returns at once when none is needed.
    ///
    /// Returns false when the proxy sent a reply, with which the transfer continues.
    func openTunnel() async throws(TransferEnd) -> Bool {
        let stream = state.tunnelStream
        guard stream != nil || state.connection?.needsTunnel == true else { return true }
        let asked = try await askForTunnelRequest()
        state.tunnelRequest = asked
        state.tunnelCredential = asked.fields.first(named: "Proxy-Authorization")
        if let stream {
            try ask(asked, on: stream)
        } else if let connection = state.connection {
            try await ask(asked, on: connection)
        }
        let head = try await receiveTunnelHead()
        guard 200..<300 ~= head.status else {
            if fault == .wire(.takesRefusalForReply) {
                state.tunnelRequest = nil
                return false
            }
            report(.tunnelRefused(head))
            throw try await leaveRefusal(head)
        }
        try requireSilence(behind: head)
        report(.tunnelOpened(head))
        try requireWanted()
        if let stream {
            state.tunnelStream = nil
            try await carry(over: stream)
        }
        guard let connection = state.connection else { throw .silence }
        try await secure(connection)
        state.arrival = Arrival()
        state.tunnelRequest = nil
        state.lastActivity = MonotonicClock.nanoseconds
        return true
    }

    private func ask(_ asked: ClientRequest, on connection: PooledConnection) async throws(TransferEnd) {
        do throws(LoadError) {
            let nothing = try OutgoingBody(.none)
            state.sending = Sending(try OutgoingHead(asked, nothing, as: .authority, fault: fault), nothing)
        } catch {
            throw .failure(TransferFailure(error))
        }
        connection.state.reader.expectReply(to: Array(asked.method.utf8))
        sendAtOnce()
        guard !state.sending.isComplete else { return }
        do throws(SendingEnd) {
            try await sendStart(within: idleLimit)
            state.sending.isComplete = true
        } catch {
            // The reading side reports the reason.
            state.sending.isStopped = true
        }
    }

    private func ask(_ asked: ClientRequest, on stream: SharedStream) throws(TransferEnd) {
        do throws(LoadError) {
            let nothing = try OutgoingBody(.none)
            // Throws when the request can't be sent.
            _ = try OutgoingHead(asked, nothing, as: .authority, fault: fault)
            stream.sendHeaders(
                StreamRequestFields(connect: asked, nothing).list, method: Array(asked.method.utf8), isEmpty: false,
                contentByteCount: nil)
            stream.connection.flush()
        } catch {
            throw .failure(TransferFailure(error))
        }
    }

    /// Connects the stream, which now leads to the origin, to a socket of this process.
    private func carry(over stream: SharedStream) async throws(TransferEnd) {
        do throws(LoadError) {
            let connection = try await pool.carry(over: stream, for: connectionRequest)
            guard !isOver else {
                pool.discard(connection)
                throw LoadError(.cancelled, "cancelled while the tunnel was made")
            }
            state.carrier = .connection(connection)
            connection.beginTransfer()
        } catch {
            throw isOver ? .silence : .failure(TransferFailure(error))
        }
    }

    private func receiveTunnelHead() async throws(TransferEnd) -> ReplyHead {
        while true {
            while state.arrival.takeInterim() != nil {}
            if let head = state.arrival.head { return head }
            try await readMore()
        }
    }

    /// Throws when a byte follows the proxy's reply: in a tunnel, this side sends first (RFC 8446 §2).
    private func requireSilence(behind head: ReplyHead) throws(TransferEnd) {
        guard state.arrival.contentByteCount > 0 else { return }
        throw makeFailure(
            .secureConnectionFailed,
            "\(peer) sent \(state.arrival.contentByteCount) bytes behind its \(head.status) to \(subject); in a tunnel this "
                + "side speaks first (RFC 8446 §2), so they belong to no message")
    }

    private func leaveRefusal(_ head: ReplyHead) async throws(TransferEnd) -> TransferEnd {
        // The content is the proxy's, so it is not delivered (RFC 9110 §9.3.6).
        switch try await nextStep() {
        case .drain, .readOn: return await drain(head)
        case .abort: return .silence
        }
    }

    private func secure(_ connection: PooledConnection) async throws(TransferEnd) {
        let secured: SecuredConnection?
        do throws(LoadError) {
            secured = try await pool.secure(connection.socket, for: connectionRequest) { self.idleLimit }
        } catch {
            throw isOver ? .silence : .failure(TransferFailure(error))
        }
        try requireWanted()
        connection.becomeTunnel(secured)
        guard let stream = pool.settle(connection, for: connectionRequest) else { return }
        state.carrier = .stream(stream)
        state.protocolName = Carrier.stream(stream).protocolName
    }

    private var idleLimit: UInt64 { state.host?.idleLimit ?? .max }
}
