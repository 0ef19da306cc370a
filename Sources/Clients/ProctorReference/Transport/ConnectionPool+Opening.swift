internal import ProctorBase
internal import ProctorDialling
internal import ProctorHTTP
internal import ProctorLoop

extension ConnectionPool {
    /// Returns a kept connection, a stream of a shared one, or a new one; waits in the queue when the origin has its
    /// maximum.
    ///
    /// `limit` is in nanoseconds and applies to each wait: in the queue, and for each address to answer. It is read
    /// again during a wait; `.max`: no limit.
    func carrier(
        for request: PoolRequest, within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) -> Carrier {
        let place = try request.destination.place
        guard mayWait(to: request.destination) else {
            throw LoadError(
                .resourceUnavailable,
                "\(limits.waitingLimit) requests wait for a connection to \(request.origin) already; "
                    + "let some of them end first")
        }
        self.place(for: request)
        switch await grant(to: request, within: limit) {
        case .connection(let connection): return .connection(connection)
        case .stream(let stream): return .stream(stream)
        case .place: return try await open(request, at: place, within: limit)
        case .timedOut(let limit):
            throw LoadError(
                .timedOut,
                "no connection to \(request.origin) came free for \(Self.seconds(limit)); \(reasonToWait(for: request))"
            )
        case .cancelled: throw LoadError(.cancelled, "cancelled in line for a connection to \(request.origin)")
        case .poolClosed: throw Self.closed
        }
    }

    private func reasonToWait(for request: PoolRequest) -> String {
        request.destination.speaksHTTP2
            ? "the server permits no more streams, or another request waits for its first connection"
            : "all \(limits.connectionsPerOrigin) that one origin may have are in use"
    }

    static let closed = LoadError(.cancelled, "the client was shut down")

    /// A time in a sentence: `5 s`, `0.25 s`.
    static func seconds(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }

    // MARK: Waiting

    private func grant(
        to request: PoolRequest, within limit: @escaping @Sendable () -> UInt64
    ) async -> PoolRequest.Grant {
        guard !request.isGranted else { return await request.answered() }
        async let _: Void = giveUp(request, within: limit)
        return await request.answered()
    }

    private func giveUp(_ request: PoolRequest, within limit: @escaping @Sendable () -> UInt64) async {
        let wait = Wait(within: limit)
        while let time = wait.timeLeft(in: self) {
            guard await loop.sleep(for: .nanoseconds(Int64(clamping: time))) else { return }
        }
        if !request.isGranted { withdraw(request, as: .timedOut(after: wait.lastLimit)) }
    }

    // MARK: Connecting

    private func open(
        _ request: PoolRequest, at place: HostPlace, within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) -> Carrier {
        let failures: [LoadError]
        do throws(ConnectFailures) {
            if isClosed || request.isCancelled { throw ConnectFailures() }
            return try await request.destination.speaksHTTP3
                ? openHTTP3(request, at: place, within: limit) : openOverTCP(request, at: place, within: limit)
        } catch {
            failures = error.list
        }
        giveBack(placeOf: request)
        if isClosed { throw Self.closed }
        guard !request.isCancelled, let first = failures.first else {
            throw LoadError(.cancelled, "cancelled while connecting to \(request.origin)")
        }
        guard failures.count > 1 else { throw first }
        throw LoadError(first.kind, failures.map(\.sentence).joined(separator: "; "))
    }

    /// Connects, goes through proxies and makes handshakes.
    private func openOverTCP(
        _ request: PoolRequest, at place: HostPlace, within limit: @escaping @Sendable () -> UInt64
    ) async throws(ConnectFailures) -> Carrier {
        let begin = MonotonicClock.nanoseconds
        let connectLimit = limits.connectTime?.wholeNanoseconds ?? .max
        let wait = Wait { min(limit(), connectLimit) }
        let socket = try await request.connect(to: place, on: loop) { wait.timeLeft(in: self) }
            .mapError { Self.failures($0, of: request, wait) }.get()
        let way: Way
        do throws(LoadError) {
            let passed = MonotonicClock.nanoseconds &- begin
            let left = connectLimit == .max ? connectLimit : max(1, connectLimit - min(passed, connectLimit))
            way = try await wayThrough(socket, for: request) { min(limit(), left) }
        } catch {
            socket.close()
            // A server accepted the connection, and another address would be another server.
            throw ConnectFailures(error)
        }
        guard !isClosed, !request.isCancelled else {
            way.socket.close()
            socket.close()
            throw ConnectFailures()
        }
        let carrier = fill(placeOf: request, with: way.socket, within: socket, way.secured)
        if case .connection(let connection) = carrier { connection.state.securedBelow = way.securedBelow }
        return carrier
    }

    /// Why no address was reached, in the order in which the attempts ended; empty for a request that was cancelled.
    struct ConnectFailures: Error {
        var list: [LoadError] = []

        init(_ list: LoadError...) { self.list = list }
    }

    /// What a transfer reads and writes.
    private struct Way {
        let socket: Socket
        var secured: SecuredConnection?
        /// The TLS with a proxy, around all bytes of ``socket``.
        var securedBelow: SecuredConnection?
    }

    /// Goes through a proxy of SOCKS, where there is one, and makes the handshake; with a proxy's tunnel, that with the origin
    /// is made later, inside the tunnel.
    private func wayThrough(
        _ socket: Socket, for request: PoolRequest, within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) -> Way {
        let destination = request.destination
        if let socks = destination.socks { try await ask(socks, on: socket, for: request, within: limit) }
        guard destination.tunnelProxy != nil else {
            return Way(socket: socket, secured: try await secure(socket, for: request, within: limit))
        }
        guard let proxy = destination.securedProxy else { return Way(socket: socket) }
        let secured = try await secure(socket, with: proxy, for: request, within: limit)
        // One socket speaks TLS with one end, so that another one carries the bytes of the tunnel.
        let (near, far) = try await makePair(for: "a tunnel of \(proxy.origin)")
        let relay = SocketRelay(far, socket, SocketRelay.Limits(closing: Self.closingTime))
        // It ends when either end of the connection ends.
        Task(executorPreference: loop) { await relay.run() }
        return Way(socket: near, securedBelow: secured)
    }

    /// Two connected sockets of this process: one for the transfer, and one for what carries the tunnel.
    func makePair(for tunnel: String) async throws(LoadError) -> (near: Socket, far: Socket) {
        do throws(SocketError) {
            return try await Socket.pair(on: loop, bufferByteCount: 64 << 10)
        } catch {
            throw LoadError(.cannotConnect, "no sockets for \(tunnel) can be made: \(error)")
        }
    }

    /// Nanoseconds within which a proxy must end its half of a tunnel after this client has ended its own.
    static let closingTime: UInt64 = 5_000_000_000

    static func failures(_ failure: Dialler.Failure, of request: PoolRequest, _ wait: Wait) -> ConnectFailures {
        let lookups = failure.lookups.joined(separator: "; ")
        guard !failure.attempts.isEmpty else {
            return ConnectFailures(
                LoadError(.cannotFindHost, "no address of \(request.destination.dialled) was found: \(lookups)"))
        }
        var failures = ConnectFailures()
        failures.list = failure.attempts.map { error($0.error, at: $0.address, wait) }
        return failures
    }

    private static func error(_ error: SocketError, at address: SocketAddress, _ wait: Wait) -> LoadError {
        switch error {
        case .timedOut:
            LoadError(.timedOut, "\(address) did not answer for \(seconds(wait.lastLimit)) when connected to")
        // A reset shows that a listener has accepted the connection.
        case .failed(let failure) where failure.isReset:
            LoadError(.connectionLost, "\(address) took the connection and reset it")
        case .failed(let failure):
            LoadError(
                .cannotConnect, "\(address) can't be connected to: \(failure.text); is a server listening there?")
        case .layerFailed(let sentence): LoadError(.cannotConnect, "\(address): \(sentence)")
        case .cancelled: LoadError(.cancelled, "cancelled while connecting to \(address)")
        }
    }

    /// A wait whose limit is read again during the wait; times are in nanoseconds.
    final class Wait: Sendable {
        private let limit: @Sendable () -> UInt64
        private let state = Locked((start: MonotonicClock.nanoseconds, lastLimit: UInt64.max, isOver: false))

        init(within limit: @escaping @Sendable () -> UInt64) { self.limit = limit }

        /// The limit at its last reading.
        var lastLimit: UInt64 { state.withLock { $0.lastLimit } }

        var isOver: Bool { state.withLock { $0.isOver } }

        func startOver() { state.withLock { $0.start = MonotonicClock.nanoseconds } }

        func timeLeft(in pool: ConnectionPool) -> UInt64? {
            let limit = limit()
            return state.withLock { state in
                state.lastLimit = limit
                let time = pool.waitTime(since: &state.start, within: limit)
                state.isOver = time == nil
                return time
            }
        }
    }
}

/// A transfer's request for a connection, from its place in the queue to the open connection; loop thread only.
@safe final class PoolRequest: Sendable {
    let destination: Destination
    /// Whether a kept connection is not acceptable, because this is the transfer's second attempt.
    let wantsNew: Bool
    let fault: TransportFault?
    private let loopState: LoopBound<State>

    @safe private final class State {
        var grant: Grant?
        var waiter: UnsafeContinuation<Grant, Never>?
        weak var asker: (any HandshakeHost)?
        /// Ends the handshake that is under way.
        var cancelHandshake: (() -> Void)?
        /// Ends the attempts to connect.
        var cancelAttempt: (() -> Void)?
    }

    enum Grant: Sendable {
        case connection(PooledConnection)
        case stream(SharedStream)
        /// A connection may be opened; the transfer then has a connection or reports a failure.
        case place
        /// In nanoseconds.
        case timedOut(after: UInt64)
        case cancelled, poolClosed
    }

    init(to destination: Destination, wantsNew: Bool, fault: TransportFault? = nil, on loop: EventLoop) {
        (self.destination, self.wantsNew, self.fault) = (destination, wantsNew, fault)
        loopState = LoopBound(State(), on: loop)
    }

    private var state: State { loopState.value }

    var asker: (any HandshakeHost)? {
        get { state.asker }
        set { state.asker = newValue }
    }

    var origin: Origin { destination.origin }
    var isGranted: Bool { state.grant != nil }
    var isCancelled: Bool { if case .cancelled = state.grant { true } else { false } }

    /// Answers the request; the first answer counts, except that an end may follow a place.
    func resolve(_ grant: Grant) {
        let state = state
        switch (state.grant, grant) {
        case (nil, _), (.place, .cancelled), (.place, .poolClosed): state.grant = grant
        default: return
        }
        state.cancelAttempt?()
        state.cancelHandshake?()
        guard let waiter = unsafe state.waiter else { return }
        unsafe state.waiter = nil
        unsafe waiter.resume(returning: grant)
    }

    /// Waits for the answer; only one task may wait.
    func answered() async -> Grant {
        if let grant = state.grant { return grant }
        return unsafe await withUnsafeContinuation { unsafe state.waiter = $0 }
    }

    /// Runs the handshake in `body`; an end of the request calls `cancel`.
    func secure<Result>(orCancel cancel: @escaping () -> Void, _ body: () async -> Result) async -> Result {
        state.cancelHandshake = cancel
        defer { state.cancelHandshake = nil }
        return await body()
    }

    /// Connects; an end of the request ends all attempts, and so does `nap`, as in `Socket.connect`.
    func connect(
        to place: HostPlace, on loop: EventLoop, nap: @escaping @Sendable () -> UInt64?
    ) async -> Result<Socket, Dialler.Failure> {
        let dialler = dialler(on: loop)
        return await attempt(on: loop) { await dialler.dial(place, nap: nap) }
    }

    /// Finds and tries addresses of the destination.
    func dialler(on loop: EventLoop) -> Dialler {
        let fault: DiallingFault? = if case .dialling(let fault)? = fault { fault } else { nil }
        let protocols: Set<String> =
            destination.speaksHTTP3 ? ["h3"] : destination.speaksHTTP2 ? ["http/1.1", "h2"] : ["http/1.1"]
        return Dialler(on: loop, protocols: protocols, fault: fault)
    }

    /// Runs `body` in a task that an end of the request cancels.
    func attempt<Success: Sendable>(
        on loop: EventLoop, _ body: @escaping @Sendable () async -> Success
    ) async -> Success {
        let attempt = Task(executorPreference: loop) { await body() }
        state.cancelAttempt = { attempt.cancel() }
        let result = await attempt.value
        state.cancelAttempt = nil
        return result
    }
}
