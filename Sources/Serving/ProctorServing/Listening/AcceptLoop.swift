internal import ProctorBase
internal import ProctorJournal
package import ProctorLoop
internal import ProctorReplies

/// Accepts the connections of one address on one loop, and owns them until they end.
///
/// Made and run on the loop's thread; ``stop(grace:)`` may be called from any.
package final class AcceptLoop: ServedAddress, ConnectionOwner {
    package let address: SocketAddress
    private let listener: Listener
    private let endpoint: Endpoint
    private let bounds: ConnectionBounds
    private let security: ListenerSecurity?
    private let recording: WireRecording?
    private let report: @Sendable (String) -> Void
    private let state: LoopBound<State>

    /// Used on the loop's thread only.
    private final class State {
        var connections: [ObjectIdentifier: Connection] = [:]
        let waiting: WaitingConnections
        /// Connections beyond the limit that are being refused.
        var turnedAway: [ObjectIdentifier: Socket] = [:]
        var grace: Duration = .zero
        /// Resumed when the last connection has ended, or when the grace is over.
        var drained: CheckedContinuation<Void, Never>?
        var saidExhausted = false
        /// Whether it was said that connections are refused.
        var saidFull = false

        init(_ bounds: ConnectionBounds) { waiting = WaitingConnections(bounds) }
    }

    /// A served address, and the task that ends with its last connection.
    package struct Accepting: Sendable {
        package let loop: any ServedAddress
        package let task: Task<Void, Never>

        package init(loop: any ServedAddress, task: Task<Void, Never>) {
            (self.loop, self.task) = (loop, task)
        }
    }

    /// Takes over a listener and closes it at the end.
    package init(
        _ listener: Listener, endpoint: Endpoint, security: ListenerSecurity? = nil, bounds: ConnectionBounds,
        recording: WireRecording? = nil, report: @escaping @Sendable (String) -> Void
    ) {
        self.listener = listener
        address = listener.address
        (self.endpoint, self.security, self.recording, self.report) = (endpoint, security, recording, report)
        self.bounds = bounds
        state = LoopBound(State(bounds), on: listener.loop)
    }

    package var loop: EventLoop { listener.loop }

    /// Begins to serve; the caller owns the task, which ends with the last connection after ``stop(grace:)``.
    package func start() -> Accepting {
        Accepting(loop: self, task: Task(executorPreference: loop) { await self.run() })
    }

    private func run() async {
        await withDiscardingTaskGroup { group in
            while let socket = await listener.accept(onExhaustion: noteExhaustion) {
                if let limit = reachedLimit() {
                    noteFull(limit)
                    guard state.value.turnedAway.count < Self.mostTurnedAway else {
                        socket.close()
                        continue
                    }
                    state.value.turnedAway[ObjectIdentifier(socket)] = socket
                    group.addTask { await self.turnAway(socket, limit) }
                    continue
                }
                recording?.start(socket)
                let connection = Connection(
                    socket: socket, endpoint: endpoint, bounds: bounds, security: security,
                    waiting: state.value.waiting, opening: listener.waitingSince)
                state.value.connections[ObjectIdentifier(connection)] = connection
                connection.serve(for: self)
            }
            listener.close()
            await drain(&group)
        }
    }

    /// The bound of connections that is reached, after a place was taken where none is.
    private func reachedLimit() -> Int? {
        if state.value.connections.count >= bounds.connectionCount { return bounds.connectionCount }
        return bounds.usage.openConnection(within: bounds.wholeConnectionCount) ? nil : bounds.wholeConnectionCount
    }

    func connectionEnded(_ connection: Connection) {
        state.value.connections[ObjectIdentifier(connection)] = nil
        bounds.usage.closeConnection()
        MemoryReturn.noteFreedConnection(isSecured: security != nil)
        if state.value.connections.isEmpty { finishDraining() }
    }

    /// Stops accepting; idle connections end at once, busy ones after their reply, all of them after `grace`.
    ///
    /// With a grace, a client that has connected and sent bytes before the call is answered, though not accepted yet.
    package func stop(grace: Duration) {
        loop.submit {
            self.state.value.grace = grace
            self.listener.cancel()
        }
    }

    private func drain(_ group: inout DiscardingTaskGroup) async {
        let grace = state.value.grace
        for (id, connection) in state.value.connections {
            connection.isStopping = true
            if grace > .zero, connection.isBetweenRequests, connection.socket.hasUnreadBytes {
                connection.readWaitingRequest()
            } else if connection.isIdle {
                if !connection.leaveWebSocket() { connection.socket.cancel() }
            } else if connection.isBetweenRequests {
                group.addTask { await self.cancelWhenSent(id) }
            }
        }
        if !state.value.connections.isEmpty {
            group.addTask {
                if await self.loop.sleep(for: grace) { self.finishDraining() }
            }
            await withCheckedContinuation { state.value.drained = $0 }
        }
        tellCut()
        group.cancelAll()
        for connection in state.value.connections.values {
            _ = connection.leaveWebSocket()
            connection.cancelTask()
            connection.socket.cancel()
        }
        if !state.value.connections.isEmpty { await withCheckedContinuation { state.value.drained = $0 } }
        for socket in state.value.turnedAway.values { socket.cancel() }
    }

    /// Reports the replies that the end of the grace cuts; without a grace the cut is intended.
    private func tellCut() {
        let grace = state.value.grace
        guard grace > .zero else { return }
        let cut = state.value.connections.values.compactMap(\.unfinishedWork).sorted()
        let milliseconds = grace.wholeNanoseconds / 1_000_000
        let bound = milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
        for text in cut.prefix(Self.mostCutTold) { report("cut after \(bound) of grace: \(text)") }
        if cut.count > Self.mostCutTold { report("and \(cut.count - Self.mostCutTold) more of \(address)") }
    }

    private static let mostCutTold = 10

    /// Ends a connection between two requests when its last reply is sent.
    private func cancelWhenSent(_ id: ObjectIdentifier) async {
        // A request that arrives meanwhile is the last one.
        while let connection = state.value.connections[id], connection.isBetweenRequests, !connection.socket.isClosed {
            if connection.isIdle { return connection.socket.cancel() }
            guard await loop.sleep(for: Self.sentLookPause) else { return }
        }
    }

    private static let sentLookPause: Duration = .milliseconds(5)

    private func finishDraining() {
        state.value.drained.take()?.resume()
    }

    /// Beyond these a connection is closed without a refusal, so that refusals can't use up the saved resources.
    private static let mostTurnedAway = 64

    private func turnAway(_ socket: Socket, _ limit: Int) async {
        // The alert internal_error (RFC 8446 §6.2), since a handshake is expensive.
        let reply =
            security == nil
            ? BuiltInReply.tooManyConnections(limit: limit, isWhole: limit != bounds.connectionCount).bytes(for: nil)
            : [21, 3, 3, 0, 2, 2, 80]
        try? await socket.write(reply, within: bounds.linger)
        socket.halfClose()
        await socket.linger(within: bounds, limit: bounds.linger)
        state.value.turnedAway[ObjectIdentifier(socket)] = nil
    }

    /// Notes a refused connection in the journal, and reports the first one.
    private func noteFull(_ limit: Int) {
        endpoint.journal.append(
            epoch: endpoint.stage?.epoch ?? 0, connection: nil, .turnedAway(TurnedAway(.connections, limit: limit)))
        guard !state.value.saidFull else { return }
        state.value.saidFull = true
        report("\(limit) connections are open, which is the limit; further ones of \(address) are refused")
    }

    private func noteExhaustion(_ failure: CallFailure) {
        guard !state.value.saidExhausted else { return }
        state.value.saidExhausted = true
        report("\(failure); connections wait until a descriptor comes free (see ulimit -n)")
    }
}

/// An address that is served; safe from any thread.
package protocol ServedAddress: Sendable {
    var loop: EventLoop { get }
    var address: SocketAddress { get }
    /// Serves no new connection; idle ones end at once, busy ones after their reply, all of them after `grace`.
    func stop(grace: Duration)
}

extension [AcceptLoop.Accepting] {
    /// Closes the address, and waits until its connections have ended, at the latest after `grace`.
    package func stop(grace: Duration) async {
        for item in self { item.loop.stop(grace: grace) }
        for item in self { await item.task.value }
    }
}
