internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// One request and its reply on a connection of the pool; loop thread only.
///
/// ``run()`` is called once, as a task that prefers the pool's loop. What it tells its host, ``TransferHost`` says. The
/// connection is given back, or closed, before the host hears of the end, so that a next transfer finds it. While the
/// host is asked for a next step nothing is read: the server's window fills.
final class Transfer: HandshakeHost {
    let request: ClientRequest
    /// How it is said.
    private let form: RequestForm
    /// What is done wrong on the way; nil: nothing.
    let fault: TransportFault?
    let pool: ConnectionPool
    /// Asks the pool for a connection.
    let connectionRequest: ConnectionRequest
    private let loopState: LoopBound<State>

    final class State {
        /// nil once there is nothing more to tell.
        fileprivate(set) var host: (any TransferHost)?
        /// Sends what of the content was not sent at once; the end of the transfer cancels it.
        fileprivate var sender: Task<Void, Never>?
        fileprivate(set) var connection: PooledConnection?
        fileprivate var localPort: UInt16?
        fileprivate var connectionNumber: Int?
        var sending = Sending()
        /// What arrived of the reply; the head stays in it.
        var arrival = Arrival()
        /// Undoes the codings of the content that is being read; nil where it has none.
        var decoding: ContentDecoding?
        /// The request that is spoken of: the proxy is asked for a tunnel, and the request itself was not begun.
        var tunnelRequest: ClientRequest?
        /// What the proxy was shown; kept for clients alone that are broken on purpose.
        fileprivate var tunnelCredential: HTTPField?
        /// MonotonicClock nanoseconds: when a byte last went either way, or the host let it go on.
        var lastActivity: UInt64 = 0

        fileprivate init(_ host: any TransferHost) { self.host = host }
    }

    init(
        request: ClientRequest, proxy: Origin? = nil, names: HostTable = HostTable(),
        security: ConnectionSecurity? = nil, fault: TransportFault? = nil, pool: ConnectionPool,
        host: any TransferHost, onNewConnection: Bool
    ) {
        self.request = request
        self.fault = fault
        self.pool = pool
        loopState = LoopBound(State(host), on: pool.loop)
        let origin = request.url.origin
        connectionRequest = ConnectionRequest(
            to: Destination(server: origin, proxy: proxy, security: security, names: names), wantsNew: onNewConnection,
            on: pool.loop)
        form = proxy == nil ? .origin : origin.scheme == .http ? .absolute : .tunnelled
        connectionRequest.asker = self
    }

    var state: State { loopState.value }

    /// Of the connection in use, and after the end of the one that was; nil before there is one.
    var localPort: UInt16? { state.localPort }

    /// Of the pool, from 1; two transfers of the same number shared a connection.
    var connectionNumber: Int? { state.connectionNumber }

    var isOver: Bool { state.host == nil }

    /// Makes the transfer to its end; cancelling the task is the same as ``cancel()``.
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
        pool.withdraw(connectionRequest, as: .cancelled)
    }

    // MARK: The way of an transfer

    private func perform() async {
        do throws(TransferEnd) {
            try requireWanted()
            // A stream is opened once, so not before there is a tunnel to send it by.
            var prepared: Sending?
            if form != .tunnelled { prepared = try prepare() }
            try await connect()
            if try await openTunnel() {
                if let prepared { state.sending = prepared } else { state.sending = try prepare() }
                state.connection?.reader.expectReply(to: Array(request.method.utf8))
                sendAtOnce()
                try requireWanted()
                if state.sending.awaitsContinue { try await awaitContinue() }
            }
        } catch {
            return end(error)
        }
        if state.sending.isComplete || state.sending.isStopped {
            await end(receive())
        } else {
            // No child task: it would keep the transfer for as long as a body stream likes to be waited for.
            state.sender = Task(executorPreference: pool.loop) { await self.sendRest() }
            await end(receive())
        }
    }

    private func prepare() throws(TransferEnd) -> Sending {
        do throws(LoadError) {
            let body = try OutgoingBody(request.body)
            var request = request
            if fault == .sendsProxyCredentialInTunnel, let tunnelCredential = state.tunnelCredential {
                request.fields.append(tunnelCredential)
            }
            return Sending(try OutgoingHead(request, body, as: form, fault: fault), body)
        } catch {
            throw .failure(TransferFailure(error))
        }
    }

    private func connect() async throws(TransferEnd) {
        let connection: PooledConnection
        if !connectionRequest.wantsNew, let kept = takeIdle() {
            connection = kept
        } else {
            do throws(LoadError) {
                connection = try await pool.connection(for: connectionRequest) { self.state.host?.idleLimit ?? .max }
            } catch {
                throw isOver ? .silence : .failure(TransferFailure(error))
            }
        }
        guard !isOver else {
            // Nothing was sent on it.
            pool.keep(connection)
            throw .silence
        }
        state.connection = connection
        connection.beginTransfer()
        state.localPort = connection.socket.local.port
        state.connectionNumber = connection.number
        state.lastActivity = MonotonicClock.nanoseconds
    }

    private func takeIdle() -> PooledConnection? {
        if fault == .sharesTunnels, let proxy = connectionRequest.destination.tunnelProxy,
            let tunnel = pool.takeAnyTunnel(through: proxy)
        {
            return tunnel
        }
        return pool.takeIdle(to: connectionRequest.destination)
    }

    // MARK: The host

    func tell(_ event: LoadEvent) {
        state.host?.take(event)
    }

    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        await state.host?.answer(to: challenge)
    }

    /// What is to be done with what comes next; every step of the reply goes through here.
    func ask() async throws(TransferEnd) -> TransferStep {
        guard let host = state.host else { throw .silence }
        let step = await host.nextStep()
        try requireWanted()
        state.lastActivity = MonotonicClock.nanoseconds
        return step
    }

    /// What the proxy is to be asked for a tunnel by.
    func askForTunnelRequest() async throws(TransferEnd) -> ClientRequest {
        guard let asked = await state.host?.tunnelRequest() else { throw .silence }
        try requireWanted()
        state.lastActivity = MonotonicClock.nanoseconds
        return asked
    }

    /// To be looked at whenever others had a turn.
    func requireWanted() throws(TransferEnd) {
        if isOver { throw .silence }
    }

    // MARK: The end

    private func end(_ end: TransferEnd) {
        let host = state.host
        state.host = nil
        state.sender?.cancel()
        state.sender = nil
        if let connection = state.connection {
            let mayKeep = end.leavesOrder && mayKeepConnection
            state.connection = nil
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
    /// and neither side said close.
    private var mayKeepConnection: Bool {
        guard let head = state.arrival.head, let connection = state.connection else { return false }
        return state.arrival.isComplete && !state.arrival.hasSurplus && state.sending.isComplete
            && !state.sending.asksToClose
            && head.keepsConnection && !connection.hasPeerLeft
    }
}

/// How an transfer ends.
enum TransferEnd: Error {
    case complete
    case drained
    case failure(TransferFailure)
    /// Aborted or cancelled: the host is told nothing.
    case silence

    /// The reply was read as far as it was wanted.
    var leavesOrder: Bool {
        switch self {
        case .complete, .drained: true
        case .failure, .silence: false
        }
    }
}

/// Before the request itself: the proxy is asked for a tunnel to its origin (RFC 9110 §9.3.6), and TLS is played in it.
extension Transfer {
    /// Nothing to do where there is a tunnel or no need of one; false where a reply is there that is read on from.
    func openTunnel() async throws(TransferEnd) -> Bool {
        guard let connection = state.connection, connection.needsTunnel else { return true }
        let asked = try await askForTunnelRequest()
        state.tunnelRequest = asked
        state.tunnelCredential = asked.fields.first(named: "Proxy-Authorization")
        try await ask(asked, on: connection)
        let head = try await receiveTunnelHead()
        guard 200..<300 ~= head.status else {
            if fault == .takesRefusalForReply {
                state.tunnelRequest = nil
                return false
            }
            tell(.tunnelRefused(head))
            throw try await leaveRefusal(head)
        }
        try requireSilence(behind: head)
        tell(.tunnelOpened(head))
        try requireWanted()
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
        connection.reader.expectReply(to: Array(asked.method.utf8))
        sendAtOnce()
        guard !state.sending.isComplete else { return }
        do throws(SendingEnd) {
            try await sendStart(within: idleLimit)
            state.sending.isComplete = true
        } catch {
            // Reading tells what there is to tell.
            state.sending.isStopped = true
        }
    }

    /// The final head; interim ones are read over.
    private func receiveTunnelHead() async throws(TransferEnd) -> ReplyHead {
        while true {
            while state.arrival.takeInterim() != nil {}
            if let head = state.arrival.head { return head }
            try await readMore()
        }
    }

    /// The proxy has said its last word, and the origin can't say anything before this side does (RFC 8446 §2).
    private func requireSilence(behind head: ReplyHead) throws(TransferEnd) {
        guard state.arrival.contentByteCount > 0 else { return }
        throw failure(
            .secureConnectionFailed,
            "\(peer) sent \(state.arrival.contentByteCount) bytes behind its \(head.status) to \(subject); in a tunnel this "
                + "side speaks first (RFC 8446 §2), so they are nobody's")
    }

    private func leaveRefusal(_ head: ReplyHead) async throws(TransferEnd) -> TransferEnd {
        // The content is the proxy's, so it is not delivered (RFC 9110 §9.3.6).
        switch try await ask() {
        case .drain, .readOn: return await drain(head)
        case .abort: return .silence
        }
    }

    private func secure(_ connection: PooledConnection) async throws(TransferEnd) {
        switch await pool.secure(connection.socket, for: connectionRequest, within: { self.idleLimit }) {
        case .success(let secured):
            try requireWanted()
            connection.becomeTunnel(secured)
        case .failure(let error): throw isOver ? .silence : .failure(TransferFailure(error))
        }
    }

    private var idleLimit: UInt64 { state.host?.idleLimit ?? .max }
}

/// What has an transfer made: a load; loop thread only.
///
/// Where a tunnel has to be made an transfer asks for its request, and tells `tunnelOpened`; or `tunnelRefused`, after
/// which it asks what is wanted. Then it tells `bodySent`, `head`, `content` and at last exactly one of `replyEnded`, `drained` and `failed`;
/// after an abort it tells nothing more. After the final head and after each piece of content it asks what is wanted.
protocol TransferHost: AnyObject, Sendable {
    /// Takes the event at once; what it leads to has happened when this returns.
    func take(_ event: LoadEvent)

    /// Waits until it is known what to do with what comes next of the reply.
    func nextStep() async -> TransferStep

    /// Waits for the answer to a handshake's question; nil when the transfer is not wanted any more.
    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer?

    /// Waits for the request that asks the proxy for a tunnel; nil when the transfer is not wanted any more.
    func tunnelRequest() async -> ClientRequest?

    /// Nanoseconds without activity after which the transfer is to fail as timed out; `.max`: never.
    ///
    /// To be asked again when a wait was too long: a suspended load lets no time run out.
    var idleLimit: UInt64 { get }
}

/// What to do with the rest of a reply.
enum TransferStep: Sendable, Equatable {
    case readOn, drain, abort
}
