internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// The connections of a client, kept between transfers and bounded for each origin; loop thread only.
///
/// ``tend()`` is to run as long as the pool does: it closes what idles for too long or was left by its peer. Without it
/// such a connection is only found when it would be handed out. ``close()`` must be called in the end.
final class ConnectionPool: Sendable {
    let loop: EventLoop
    let limits: TransportLimits
    /// Of the limits, in nanoseconds: it is needed for every read.
    private let recheckTime: UInt64
    private let loopState: LoopBound<State>

    private final class State {
        var groups: [Destination: ConnectionGroup] = [:]
        var idleCount = 0
        var openedCount = 0
        var isClosed = false
        var tending = Tending()
    }

    init(on loop: EventLoop, limits: TransportLimits = TransportLimits()) {
        self.loop = loop
        self.limits = limits
        recheckTime = limits.recheckTime.wholeNanoseconds
        loopState = LoopBound(State(), on: loop)
    }

    private var state: State { loopState.value }

    var idleCount: Int { state.idleCount }

    /// Connections opened so far.
    var openedCount: Int { state.openedCount }

    var isClosed: Bool { state.isClosed }

    /// Connections that are open now, idle or not.
    var connections: [PooledConnection] { state.groups.values.flatMap(\.connections) }

    // MARK: Asking

    /// A kept connection that is not known to be dead, at once; nil where there is none.
    func takeIdle(to destination: Destination) -> PooledConnection? {
        loop.preconditionOnLoop()
        // Where requests wait, no connection idles for more than a moment.
        guard state.idleCount > 0, let group = state.groups[destination], group.waiting.isEmpty else { return nil }
        return takeIdle(of: group)
    }

    /// Any that was made by this proxy, whomever it leads to; for clients that are broken on purpose.
    func takeAnyTunnel(through proxy: Origin) -> PooledConnection? {
        for group in state.groups.values where group.destination.tunnelProxy == proxy && group.waiting.isEmpty {
            if group.freshestIdle?.isTunnel == true, let connection = takeIdle(of: group) { return connection }
        }
        return nil
    }

    /// Stands in line until a connection is there or may be opened.
    func place(for request: ConnectionRequest) {
        guard !state.isClosed else { return request.answer(.poolClosed) }
        let group = group(of: request.destination)
        group.waiting.append(request)
        serveWaiting(of: group)
    }

    /// Whether one more can stand in line.
    func mayWait(to destination: Destination) -> Bool {
        (state.groups[destination]?.waiting.count ?? 0) < limits.waitingLimit
    }

    /// Takes a request back; what was granted already stays granted.
    func withdraw(_ request: ConnectionRequest, as end: ConnectionRequest.Grant) {
        if let group = state.groups[request.destination] {
            group.waiting.removeAll { $0 === request }
            forgetIfUnused(group)
        }
        request.answer(end)
    }

    /// How long to wait before the next look at the limit, in nanoseconds; nil: the time since `start` is over.
    ///
    /// Where no time is to run out, as of a suspended load, it begins anew when it does again.
    func waitTime(since start: inout UInt64, within limit: UInt64) -> UInt64? {
        let now = MonotonicClock.nanoseconds
        if limit == .max { start = now }
        let passed = now &- start
        return passed < limit ? min(limit - passed, recheckTime) : nil
    }

    // MARK: Giving back

    /// The place that was granted has become a connection, which the one who asked has now.
    func fill(
        placeOf request: ConnectionRequest, with socket: Socket, _ secured: SecuredConnection?
    ) -> PooledConnection {
        let group = group(of: request.destination)
        group.opening.removeAll { $0 === request }
        state.openedCount += 1
        let connection = PooledConnection(
            socket: socket, destination: request.destination, number: state.openedCount, on: loop)
        connection.secured = secured
        group.connections.append(connection)
        state.tending.welcome(connection)
        return connection
    }

    /// The place that was granted did not become a connection.
    func giveBack(placeOf request: ConnectionRequest) {
        let group = group(of: request.destination)
        group.opening.removeAll { $0 === request }
        serveWaiting(of: group)
        forgetIfUnused(group)
    }

    /// Takes a connection back on which another request can be sent.
    func keep(_ connection: PooledConnection) {
        guard !state.isClosed, let group = state.groups[connection.destination] else { return discard(connection) }
        connection.keepTicket()
        connection.becomeIdle()
        state.idleCount += 1
        if !group.waiting.isEmpty { serveWaiting(of: group) }
        while state.idleCount > limits.idleConnections, let stalest = stalestIdle { discard(stalest) }
    }

    /// Closes a connection; what it has not sent goes out, what it has not read is lost.
    func discard(_ connection: PooledConnection) {
        loop.preconditionOnLoop()
        guard !connection.socket.isClosed else { return }
        if connection.isIdle { state.idleCount -= 1 }
        connection.close()
        guard let group = state.groups[connection.destination] else { return }
        group.connections.removeAll { $0 === connection }
        serveWaiting(of: group)
        forgetIfUnused(group)
    }

    /// Closes every connection and refuses every request from now on; transfers under way fail.
    func close() {
        loop.preconditionOnLoop()
        state.isClosed = true
        for group in state.groups.values {
            let requests = group.waiting + group.opening
            group.waiting = []
            for request in requests { request.answer(.poolClosed) }
        }
        for connection in connections { discard(connection) }
        state.tending.end()
    }

    // MARK: The line

    private func group(of destination: Destination) -> ConnectionGroup {
        if let group = state.groups[destination] { return group }
        let group = ConnectionGroup(destination: destination)
        state.groups[destination] = group
        return group
    }

    private func forgetIfUnused(_ group: ConnectionGroup) {
        if group.isUnused, state.groups[group.destination] === group { state.groups[group.destination] = nil }
    }

    private func takeIdle(of group: ConnectionGroup) -> PooledConnection? {
        while let connection = group.freshestIdle {
            guard connection.isAlive else {
                // Not by `discard`, which would serve the line once more from within.
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
    }

    /// Gives what there is to those in line, as long as the first can be served.
    private func serveWaiting(of group: ConnectionGroup) {
        while let first = group.waiting.first {
            if first.isGranted {
                group.waiting.removeFirst()
                continue
            }
            if !first.wantsNew, let connection = takeIdle(of: group) {
                group.waiting.removeFirst()
                first.answer(.connection(connection))
                continue
            }
            if group.count >= limits.connectionsPerOrigin {
                guard let stalest = group.stalestIdle else { return }
                drop(stalest, of: group)
            }
            group.waiting.removeFirst()
            group.opening.append(first)
            first.answer(.place)
        }
    }

    private var stalestIdle: PooledConnection? {
        state.groups.values.compactMap(\.stalestIdle).min { ($0.idleSince ?? 0) < ($1.idleSince ?? 0) }
    }

    /// Closes connections that idle for too long or that their peer left, until ``close()``.
    ///
    /// Runs once, as a task of the pool's loop; cancelling it closes the pool.
    func tend() async {
        loop.preconditionOnLoop()
        guard !state.isClosed else { return }
        state.tending.begin(with: connections)
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

    /// One child task for the life of a connection, so that transfers cost nothing.
    private func watch(_ connection: PooledConnection) async {
        let socket = connection.socket
        while !socket.isClosed {
            do throws(SocketError) {
                try await socket.waitUntilPeerLeaves(within: timeLeft(to: connection))
                connection.hasPeerLeft = true
                if connection.isIdle { discard(connection) }
                return
            } catch {
                guard error == .timedOut else { return }
                if connection.isIdle, timeLeft(to: connection) == 0 { discard(connection) }
            }
        }
    }

    /// What a connection may still idle; in use it has all the time there is.
    private func timeLeft(to connection: PooledConnection) -> UInt64 {
        let idleTime = limits.idleTime.wholeNanoseconds
        guard let start = connection.idleSince else { return idleTime }
        let passed = MonotonicClock.nanoseconds &- start
        return passed < idleTime ? idleTime - passed : 0
    }

    /// New connections on their way to the task that tends them.
    @safe fileprivate struct Tending {
        private var isUnderWay = false
        private var newcomers: [PooledConnection] = []
        private var waiter: UnsafeContinuation<Void, Never>?

        mutating func begin(with connections: [PooledConnection]) {
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

        mutating func end() {
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

/// The connections to one origin, by one security, and the line for them; loop thread only.
final class ConnectionGroup {
    let destination: Destination
    /// All that are open, idle or not, in the order in which they were opened.
    var connections: [PooledConnection] = []
    /// Requests for which a connection is being opened.
    var opening: [ConnectionRequest] = []
    /// First come, first served.
    var waiting: [ConnectionRequest] = []

    init(destination: Destination) {
        self.destination = destination
    }

    var isUnused: Bool { connections.isEmpty && opening.isEmpty && waiting.isEmpty }

    /// Connections, and those to be.
    var count: Int { connections.count + opening.count }

    /// The idle connection that was in use last: it is the least likely to be closed by the server just now.
    var freshestIdle: PooledConnection? { idle { $0 > $1 } }

    /// The one that has idled longest.
    var stalestIdle: PooledConnection? { idle { $0 < $1 } }

    /// A plain walk: it is done for every transfer, over a handful of connections.
    private func idle(_ isBetter: (UInt64, UInt64) -> Bool) -> PooledConnection? {
        var best: PooledConnection?
        for connection in connections {
            guard let start = connection.idleSince else { continue }
            if let found = best?.idleSince, !isBetter(start, found) { continue }
            best = connection
        }
        return best
    }
}

/// How much the transport holds and how long it waits.
struct TransportLimits: Sendable, Equatable {
    /// Connections to one origin at a time, those being opened included; who needs one more waits in line.
    var connectionsPerOrigin = 6
    /// Transfers in line for one origin; one more is refused.
    var waitingLimit = 10_000
    /// Idle connections to all origins together; beyond it the one that idled longest is closed.
    var idleConnections = 16
    /// What a connection may idle; servers often close after a minute or less.
    var idleTime = Duration.seconds(30)
    /// What is read of the rest of an unwanted reply, in bytes, before the connection is closed instead.
    var drainByteCount = 65_536
    /// What that may take; not much more than a new connection would.
    var drainTime = Duration.milliseconds(300)
    /// How long a request with `Expect: 100-continue` waits before its content is sent all the same (RFC 9110 §10.1.1).
    var continueTime = Duration.seconds(1)
    /// How often a waiting transfer asks its host anew how long it may wait, since a load may be suspended meanwhile.
    var recheckTime = Duration.seconds(1)
}
