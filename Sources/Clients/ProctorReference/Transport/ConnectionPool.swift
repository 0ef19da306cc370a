internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// The connections of a client, kept between transfers and limited for each origin; loop thread only.
///
/// ``tend()`` must run as long as the pool exists: it closes connections that are idle too long or were closed by the
/// peer. Without it, the pool notices them only when it would reuse them. The owner must call ``close()``.
final class ConnectionPool: Sendable {
    let loop: EventLoop
    let limits: TransportLimits
    /// Nanoseconds, converted once since every read needs it.
    private let recheckTime: UInt64
    private let loopState: LoopBound<State>

    private final class State {
        var groups: [Destination: ConnectionGroup] = [:]
        var idleCount = 0
        var openedCount = 0
        var isClosed = false
        var tending = Tending()
        /// Failed transfers by their destination; only with a deliberate fault that asks for them.
        var failures: [Destination: Int] = [:]
        /// Origins whose server permits no WebSocket on a stream (RFC 8441 §3).
        var originsOfHTTP1WebSockets: Set<Origin> = []
        /// Origins whose server requires HTTP/1.1 (HTTP_1_1_REQUIRED, RFC 9113 §7).
        var originsOfHTTP1: Set<Origin> = []
    }

    init(on loop: EventLoop, limits: TransportLimits = TransportLimits()) {
        (self.loop, self.limits) = (loop, limits)
        recheckTime = limits.recheckTime.wholeNanoseconds
        loopState = LoopBound(State(), on: loop)
    }

    private var state: State { loopState.value }

    var groups: [Destination: ConnectionGroup] { state.groups }

    var idleCount: Int { state.idleCount }

    var openedCount: Int { state.openedCount }

    var isClosed: Bool { state.isClosed }

    var connections: [PooledConnection] { state.groups.values.flatMap(\.connections) }

    // MARK: Asking

    /// Returns a kept connection that seems usable, without waiting; nil when there is none.
    func takeIdle(to destination: Destination) -> PooledConnection? {
        loop.preconditionOnLoop()
        // When requests wait, an idle connection is given to them at once.
        guard state.idleCount > 0, let group = state.groups[destination], group.waiting.isEmpty else { return nil }
        return takeIdle(of: group)
    }

    /// A kept tunnel of this proxy to any origin, for a deliberate fault.
    func takeAnyTunnel(through proxy: Origin) -> PooledConnection? {
        for group in state.groups.values where group.destination.tunnelProxy == proxy && group.waiting.isEmpty {
            if group.freshestIdle?.state.isTunnel == true, let connection = takeIdle(of: group) { return connection }
        }
        return nil
    }

    /// Queues a request until a connection is free or may be opened.
    func place(for request: PoolRequest) {
        guard !state.isClosed else { return request.resolve(.poolClosed) }
        let group = group(of: request.destination)
        group.waiting.append(request)
        serveWaiting(of: group)
        sendAhead(group)
    }

    func mayWait(to destination: Destination) -> Bool {
        (state.groups[destination]?.waiting.count ?? 0) < limits.waitingLimit
    }

    /// Removes a request from the queue; an answer that was given before stays valid.
    func withdraw(_ request: PoolRequest, as end: PoolRequest.Grant) {
        if let group = state.groups[request.destination] {
            group.waiting.removeAll { $0 === request }
            noteWithdrawn(request, in: group)
            forgetIfUnused(group)
        }
        request.resolve(end)
    }

    /// Nanoseconds until the limit is read again; nil: the time is over.
    ///
    /// Without a limit, `start` is reset.
    func waitTime(since start: inout UInt64, within limit: UInt64) -> UInt64? {
        let now = MonotonicClock.nanoseconds
        if limit == .max { start = now }
        let passed = now &- start
        return passed < limit ? min(limit - passed, recheckTime) : nil
    }

    // MARK: Giving back

    /// `outer` is the socket to the server or proxy; nil: `socket`.
    func fill(
        placeOf request: PoolRequest, with socket: Socket, within outer: Socket? = nil,
        _ secured: SecuredConnection?
    ) -> Carrier {
        let group = group(of: request.destination)
        group.opening.removeAll { $0 === request }
        let number = countOpened()
        if request.begins(.http2, with: secured),
            let stream = share(socket, numbered: number, secured, for: request, in: group)
        {
            serveWaiting(of: group)
            return .stream(stream)
        }
        let connection = PooledConnection(
            socket: socket, within: outer, destination: request.destination, number: number,
            limits: limits.replies, secured: secured, on: loop)
        group.connections.append(connection)
        state.tending.welcome(connection)
        if request.begins(.http1, with: secured) { becomeHTTP1(group) }
        return .connection(connection)
    }

    /// The number of a connection that was opened.
    func countOpened() -> Int {
        state.openedCount += 1
        return state.openedCount
    }

    /// Records that the server of the group has chosen HTTP/1.1, so that requests need connections of their own.
    func becomeHTTP1(_ group: ConnectionGroup) {
        guard !group.speaksHTTP1 else { return }
        group.speaksHTTP1 = true
        serveWaiting(of: group)
    }

    /// Handles a granted place for which no connection was opened.
    func giveBack(placeOf request: PoolRequest) {
        let group = group(of: request.destination)
        group.opening.removeAll { $0 === request }
        serveWaiting(of: group)
        forgetIfUnused(group)
    }

    /// Keeps a connection that can carry another request; `early` are bytes of the next replies.
    func store(_ connection: PooledConnection, reading early: [UInt8] = []) {
        connection.state.early = early
        guard !state.isClosed, !connection.state.isAheadBroken,
            limits.usesOfConnection.map({ connection.exchangeCount < $0 }) ?? true,
            let group = state.groups[connection.destination]
        else {
            return discard(connection)
        }
        connection.keepTicket()
        connection.becomeIdle()
        state.idleCount += 1
        if !group.waiting.isEmpty { serveWaiting(of: group) }
        while state.idleCount > limits.idleConnections, let stalest = stalestIdle { discard(stalest) }
    }

    /// Closes a connection; bytes in the send queue are sent, unread bytes are lost.
    func discard(_ connection: PooledConnection) {
        loop.preconditionOnLoop()
        guard !connection.socket.isClosed else { return }
        if connection.isIdle { state.idleCount -= 1 }
        connection.close()
        guard let group = state.groups[connection.destination] else { return }
        group.connections.removeAll { $0 === connection }
        noteEnd(of: connection, in: group)
        serveWaiting(of: group)
        forgetIfUnused(group)
    }

    /// Leaves a connection open that nothing uses any more, a deliberate fault.
    func forget(_ connection: PooledConnection) {
        StormMistake.left.withLock { $0.append(connection) }
        guard let group = state.groups[connection.destination] else { return }
        group.connections.removeAll { $0 === connection }
        serveWaiting(of: group)
    }

    /// Counts a failed transfer, for deliberate faults.
    func noteFailure(of destination: Destination) {
        guard limits.countsFailures else { return }
        state.failures[destination, default: 0] += 1
    }

    func failureCount(of destination: Destination) -> Int { state.failures[destination] ?? 0 }

    /// Requests that were sent ahead on a connection wait on, and are sent again.
    private func noteEnd(of connection: PooledConnection, in group: ConnectionGroup) {
        if !connection.state.ahead.isEmpty, !connection.state.wasToldToClose { group.hasLostPipeline = true }
        connection.state.ahead = []
    }

    /// Closes every connection and refuses every later request; running transfers fail.
    func close() {
        loop.preconditionOnLoop()
        state.isClosed = true
        for group in state.groups.values {
            let requests = group.waiting + group.opening
            group.waiting = []
            for request in requests { request.resolve(.poolClosed) }
        }
        for connection in connections { discard(connection) }
        for connection in sharedConnections { connection.lose(.shutDown) }
        state.tending.finish()
    }

    // MARK: The line

    func group(of destination: Destination) -> ConnectionGroup {
        if let group = state.groups[destination] { return group }
        let group = ConnectionGroup(destination: destination)
        state.groups[destination] = group
        return group
    }

    func forgetIfUnused(_ group: ConnectionGroup) {
        if group.isUnused, state.groups[group.destination] === group { state.groups[group.destination] = nil }
    }

    /// `request` is the one that gets the connection, where it has waited.
    private func takeIdle(of group: ConnectionGroup, for request: PoolRequest? = nil) -> PooledConnection? {
        while let connection = group.freshestIdle {
            // The next reply is that of the first request that was sent ahead.
            let isOwn = connection.state.ahead.isEmpty || connection.state.ahead[0] === request
            guard connection.isAlive, isOwn, timeLeft(to: connection) > 0 else {
                // `discard` would answer the waiting requests again, inside this function.
                drop(connection, of: group)
                continue
            }
            state.idleCount -= 1
            connection.endIdling()
            return connection
        }
        return nil
    }

    private func drop(_ connection: PooledConnection, of group: ConnectionGroup) {
        state.idleCount -= 1
        connection.close()
        group.connections.removeAll { $0 === connection }
        noteEnd(of: connection, in: group)
    }

    /// Answers the waiting requests in order, until the first one that must wait.
    func serveWaiting(of group: ConnectionGroup) {
        while let first = group.waiting.first {
            if first.isGranted {
                group.waiting.removeFirst()
                continue
            }
            if let shared = group.sharedConnection {
                guard shared.hasRoom else { return }
                group.waiting.removeFirst()
                first.resolve(.stream(shared.reserve()))
                continue
            }
            if !first.wantsNew, let connection = takeIdle(of: group, for: first) {
                group.waiting.removeFirst()
                first.resolve(.connection(connection))
                continue
            }
            if group.isSettling { return }
            if group.count >= limits.connectionsPerOrigin
                + (limits.permitsMoreAfterLoss ? failureCount(of: group.destination) : 0)
            {
                guard let stalest = group.stalestIdle else { return }
                drop(stalest, of: group)
            }
            group.waiting.removeFirst()
            group.opening.append(first)
            first.resolve(.place)
        }
    }

    /// Whether the server requires HTTP/1.1 for all requests, or for those that open WebSockets.
    func requiresHTTP1(_ origin: Origin, forWebSocket: Bool) -> Bool {
        state.originsOfHTTP1.contains(origin) || forWebSocket && state.originsOfHTTP1WebSockets.contains(origin)
    }

    func requireHTTP1(for origin: Origin, ofWebSockets: Bool = false) {
        let set = ofWebSockets ? \State.originsOfHTTP1WebSockets : \State.originsOfHTTP1
        // A server that is forgotten reports it again.
        if state[keyPath: set].count >= 1_000 { state[keyPath: set] = [] }
        state[keyPath: set].insert(origin)
    }

    private var stalestIdle: PooledConnection? {
        state.groups.values.compactMap(\.stalestIdle).min { ($0.idleSince ?? 0) < ($1.idleSince ?? 0) }
    }

    /// Closes connections that are idle too long or closed by their peer; call it once, cancelling it closes the pool.
    func tend() async {
        loop.preconditionOnLoop()
        guard !state.isClosed else { return }
        state.tending.start(with: connections)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                while let connection = await nextNewcomer() {
                    group.addTask { await self.watch(connection) }
                }
            }
        } onCancel: {
            loop.submit { self.close() }
        }
    }

    private func nextNewcomer() async -> PooledConnection? {
        while !state.isClosed {
            if let connection = state.tending.takeNewcomer() { return connection }
            unsafe await withUnsafeContinuation { unsafe state.tending.wait($0) }
        }
        return nil
    }

    /// Watches a connection in one child task for its whole life, so that a transfer needs no task for it.
    private func watch(_ connection: PooledConnection) async {
        let socket = connection.socket
        while !socket.isClosed {
            do throws(SocketError) {
                try await socket.waitUntilPeerLeaves(within: timeLeft(to: connection))
                connection.state.hasPeerLeft = true
                if connection.isIdle { discard(connection) }
                return
            } catch {
                guard error == .timedOut else { return }
                if connection.isIdle, timeLeft(to: connection) == 0 { discard(connection) }
            }
        }
    }

    /// Nanoseconds that the connection may stay idle; no limit while it is in use.
    private func timeLeft(to connection: PooledConnection) -> UInt64 {
        let idleTime = limits.idleTime.wholeNanoseconds
        guard let start = connection.idleSince else { return idleTime }
        let passed = MonotonicClock.nanoseconds &- start
        return passed < idleTime ? idleTime - passed : 0
    }

    /// Passes new connections to the task that watches them.
    @safe fileprivate struct Tending {
        private var isUnderWay = false
        private var newcomers: [PooledConnection] = []
        private var waiter: UnsafeContinuation<Void, Never>?

        mutating func start(with connections: [PooledConnection]) {
            precondition(!isUnderWay, "a pool is tended by two tasks")
            isUnderWay = true
            newcomers = connections
        }

        mutating func welcome(_ connection: PooledConnection) {
            guard isUnderWay else { return }
            newcomers.append(connection)
            wake()
        }

        mutating func takeNewcomer() -> PooledConnection? { newcomers.popLast() }

        mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) {
            unsafe waiter = continuation
        }

        mutating func finish() {
            newcomers = []
            wake()
        }

        private mutating func wake() {
            guard let continuation = unsafe waiter else { return }
            unsafe waiter = nil
            unsafe continuation.resume()
        }
    }
}

/// The connections with one destination and the queue for them; loop thread only.
final class ConnectionGroup {
    let destination: Destination
    /// Open connections, idle or not, in the order of their opening.
    var connections: [PooledConnection] = []
    var opening: [PoolRequest] = []
    /// Waiting requests in the order of arrival.
    var waiting: [PoolRequest] = []
    /// Open connections of HTTP/2 or HTTP/3, shared by transfers; those that accept no more streams stay until they end.
    var shared: [any SharedConnection] = []
    /// Whether the server has chosen HTTP/1.1 although HTTP/2 was offered.
    var speaksHTTP1 = false
    /// Whether a connection was lost on which requests had been sent ahead, and no later one has had a whole reply.
    var hasLostPipeline = false

    init(destination: Destination) {
        self.destination = destination
    }

    var isUnused: Bool { connections.isEmpty && opening.isEmpty && waiting.isEmpty && shared.isEmpty }

    /// The number of connections, without those that accept no more streams: otherwise a request would wait as long as
    /// these last.
    var count: Int { connections.count + opening.count + shared.count { !$0.isRetired } }

    /// The idle connection that was used last: the server is least likely to close it now.
    var freshestIdle: PooledConnection? { idle { $0 > $1 } }

    var stalestIdle: PooledConnection? { idle { $0 < $1 } }

    /// A linear search: a group has only a few connections.
    private func idle(_ isBetter: (UInt64, UInt64) -> Bool) -> PooledConnection? {
        var best: PooledConnection?
        for connection in connections {
            guard let start = connection.idleSince else { continue }
            if let other = best?.idleSince, !isBetter(start, other) { continue }
            best = connection
        }
        return best
    }
}

struct TransportLimits: Sendable, Equatable {
    /// The most connections to one origin, those being opened included; further requests wait.
    var connectionsPerOrigin = 6
    /// Whether safe requests are sent on a connection in use before their turn (RFC 9112 §9.3.2).
    var pipelines = false
    /// The most transfers that wait for one origin; further ones are refused.
    var waitingLimit = 10_000
    /// The most idle connections to all origins; with more, the one that was idle longest is closed.
    var idleConnections = 16
    /// How long a connection may be idle; servers often close after a minute or less.
    var idleTime = Duration.seconds(30)
    /// The bytes of an unwanted reply that are read before the connection is closed instead.
    var drainByteCount = 65_536
    /// The time limit of that reading; a new connection takes about as long.
    var drainTime = Duration.milliseconds(300)
    /// How long a request with `Expect: 100-continue` waits before its content is sent anyway (RFC 9110 §10.1.1).
    var continueTime = Duration.seconds(1)
    /// What a reply over HTTP/1.1 may have.
    var replies = ReplyLimits()
    /// The most requests on a connection of HTTP/1.1; nil: any number.
    var usesOfConnection: Int?
    /// The time for making a connection, its handshake of TLS included; nil: that of the load alone.
    var connectTime: Duration?
    /// The most bytes of decoded content, and the most for each coded byte; nil: no limit.
    var decodedByteCount: Int?
    var decodedRatio: Int?
    /// Whether failed transfers are counted, and whether each permits one connection more: deliberate faults.
    var countsFailures = false
    var permitsMoreAfterLoss = false
    /// How often a waiting transfer reads its limit again, since a load may be suspended meanwhile.
    var recheckTime = Duration.seconds(1)
}

/// An event loop on its own thread with the connections of its loads; the owner calls ``stop()``.
final class LoadingThread: Sendable {
    let loop: EventLoop
    let pool: ConnectionPool
    /// Closes idle connections; ends when the pool is closed.
    private let tending: Task<Void, Never>

    init(name: String, limits: TransportLimits = TransportLimits()) throws(CallFailure) {
        let loop = try EventLoop(name: name)
        let pool = ConnectionPool(on: loop, limits: limits)
        (self.loop, self.pool) = (loop, pool)
        tending = Task(executorPreference: loop) { await pool.tend() }
    }

    /// Closes every connection, fails all running loads, and ends the thread; any thread may call it.
    func stop() {
        loop.submit { [pool] in pool.close() }
        loop.stop()
    }

    func ended() async {
        await tending.value
        await loop.ended()
    }
}
