internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// One request and its reply on a connection of the pool; loop thread only.
///
/// ``run()`` is called once, as a task that prefers the pool's loop. What it tells its host, ``ExchangeHost`` says. The
/// connection is given back, or closed, before the host hears of the end, so that a next exchange finds it. While the
/// host is asked for a next step nothing is read: the server's window fills.
final class Exchange: HandshakeHost, @unchecked Sendable {
    let request: ClientRequest
    /// How it is said.
    private let form: RequestForm
    /// What is done wrong on the way; nil: nothing.
    let fault: TransportFault?
    let pool: ConnectionPool
    /// Nil once there is nothing more to tell.
    private(set) var host: (any ExchangeHost)?
    let wish: ConnectionRequest
    /// Sends what of the content was not sent at once; the end of the exchange cancels it.
    private var sender: Task<Void, Never>?
    private(set) var connection: PooledConnection?
    /// Of the connection in use, and after the end of the one that was; nil before there is one.
    private(set) var localPort: UInt16?
    /// Of the pool, from 1; two exchanges of the same number shared a connection.
    private(set) var connectionNumber: Int?

    var sending = Sending()
    /// What arrived of the reply; the head stays in it.
    var arrival = Arrival()
    /// Undoes the codings of the content that is being read; nil where it has none.
    var decoding: ContentDecoding?
    /// The request that is spoken of: the proxy is asked for a tunnel, and the request itself was not begun.
    var tunnelRequest: ClientRequest?
    /// What the proxy was shown; kept for clients alone that are broken on purpose.
    var tunnelCredential: HTTPField?
    /// MonotonicClock nanoseconds: when a byte last went either way, or the host let it go on.
    var lastActivity: UInt64 = 0

    init(
        request: ClientRequest, proxy: Origin? = nil, names: HostTable = HostTable(),
        security: ConnectionSecurity? = nil, fault: TransportFault? = nil, pool: ConnectionPool,
        host: any ExchangeHost, onNewConnection: Bool
    ) {
        self.request = request
        self.fault = fault
        self.pool = pool
        self.host = host
        let origin = request.url.origin
        wish = ConnectionRequest(
            to: Destination(server: origin, proxy: proxy, security: security, names: names), wantsNew: onNewConnection)
        form = proxy == nil ? .origin : origin.scheme == .http ? .absolute : .tunnelled
        wish.asker = self
    }

    var isOver: Bool { host == nil }

    /// Makes the exchange to its end; cancelling the task is the same as ``cancel()``.
    ///
    /// When it ends early a body stream that heeds no cancelling may still be waited for, by a task that does nothing
    /// more with what comes.
    func run() async {
        await withTaskCancellationHandler {
            await perform()
        } onCancel: {
            pool.loop.submit { self.cancel() }
        }
    }

    /// Closes the connection and tells the host nothing more; a question it is asked may stay unanswered no longer.
    func cancel() {
        pool.loop.preconditionOnLoop()
        guard !isOver else { return }
        end(.silence)
        pool.withdraw(wish, as: .cancelled)
    }

    // MARK: The way of an exchange

    private func perform() async {
        do throws(ExchangeEnd) {
            try requireWanted()
            // A stream is opened once, so not before there is a tunnel to send it by.
            var prepared: Sending?
            if form != .tunnelled { prepared = try prepare() }
            try await connect()
            if try await openTunnel() {
                if let prepared { sending = prepared } else { sending = try prepare() }
                connection?.reader.expectReply(to: Array(request.method.utf8))
                sendAtOnce()
                try requireWanted()
                if sending.awaitsContinue { try await awaitContinue() }
            }
        } catch {
            return end(error)
        }
        if sending.isComplete || sending.isStopped {
            await end(receive())
        } else {
            // No child task: it would keep the exchange for as long as a body stream likes to be waited for.
            sender = Task(executorPreference: pool.loop) { await self.sendRest() }
            await end(receive())
        }
    }

    private func prepare() throws(ExchangeEnd) -> Sending {
        do throws(LoadError) {
            let body = try OutgoingBody(request.body)
            var request = request
            if fault == .sendsProxyCredentialInTunnel, let tunnelCredential { request.fields.append(tunnelCredential) }
            return Sending(try OutgoingHead(request, body, as: form, fault: fault), body)
        } catch {
            throw .failure(ExchangeFailure(error))
        }
    }

    private func connect() async throws(ExchangeEnd) {
        let connection: PooledConnection
        if !wish.wantsNew, let kept = takeIdle() {
            connection = kept
        } else {
            do throws(LoadError) {
                connection = try await pool.connection(for: wish) { self.host?.idleLimit ?? .max }
            } catch {
                throw isOver ? .silence : .failure(ExchangeFailure(error))
            }
        }
        guard !isOver else {
            // Nothing was sent on it.
            pool.keep(connection)
            throw .silence
        }
        self.connection = connection
        connection.beginExchange()
        localPort = connection.socket.local.port
        connectionNumber = connection.number
        lastActivity = MonotonicClock.nanoseconds
    }

    private func takeIdle() -> PooledConnection? {
        if fault == .sharesTunnels, let proxy = wish.destination.tunnelProxy,
            let tunnel = pool.takeAnyTunnel(through: proxy)
        {
            return tunnel
        }
        return pool.takeIdle(to: wish.destination)
    }

    // MARK: The host

    func tell(_ event: LoadEvent) {
        host?.take(event)
    }

    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        await host?.answer(to: challenge)
    }

    /// What is to be done with what comes next; every step of the reply goes through here.
    func ask() async throws(ExchangeEnd) -> ExchangeStep {
        guard let host else { throw .silence }
        let step = await host.nextStep()
        try requireWanted()
        lastActivity = MonotonicClock.nanoseconds
        return step
    }

    /// What the proxy is to be asked for a tunnel by.
    func askForTunnelRequest() async throws(ExchangeEnd) -> ClientRequest {
        guard let asked = await host?.tunnelRequest() else { throw .silence }
        try requireWanted()
        lastActivity = MonotonicClock.nanoseconds
        return asked
    }

    /// To be looked at whenever others had a turn.
    func requireWanted() throws(ExchangeEnd) {
        if isOver { throw .silence }
    }

    // MARK: The end

    private func end(_ end: ExchangeEnd) {
        let host = self.host
        self.host = nil
        sender?.cancel()
        sender = nil
        if let connection {
            let mayKeep = end.leavesOrder && mayKeepConnection
            self.connection = nil
            if mayKeep {
                pool.keep(connection)
            } else {
                pool.discard(connection)
            }
        }
        guard let host else { return }
        switch end {
        case .complete: host.take(.replyEnded)
        case .drained: host.take(.drained)
        case .failure(let failure): host.take(.failed(failure))
        case .silence: break
        }
    }

    /// Whether another request can follow (RFC 9112 §9.3): both messages are complete, nothing came behind the reply,
    /// and nobody said close.
    private var mayKeepConnection: Bool {
        guard let head = arrival.head, let connection else { return false }
        return arrival.isComplete && !arrival.hasSurplus && sending.isComplete && !sending.asksToClose
            && head.keepsConnection && !connection.hasPeerLeft
    }
}

/// How an exchange ends.
enum ExchangeEnd: Error {
    case complete
    case drained
    case failure(ExchangeFailure)
    /// Aborted or cancelled: nobody wants to hear of it.
    case silence

    /// The reply was read as far as anybody wanted.
    var leavesOrder: Bool {
        switch self {
        case .complete, .drained: true
        case .failure, .silence: false
        }
    }
}
