internal import ProctorBase
internal import ProctorLoop

/// Accepts the connections of one address on one loop, and owns them until they have ended.
///
/// Loop thread only.
@safe final class AcceptLoop: @unchecked Sendable {
    let address: SocketAddress
    private let listener: Listener
    private let endpoint: Endpoint
    private let limits: ServerLimits
    private let bounds: ConnectionBounds
    private let report: @Sendable (String) -> Void
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// Connections beyond the limit that are still being told so.
    private var turnedAway: [ObjectIdentifier: Socket] = [:]
    private var grace: Duration = .zero
    private var drained: UnsafeContinuation<Void, Never>?
    private var saidExhausted = false

    /// Takes over a listener, which it closes in the end.
    init(
        _ listener: Listener, endpoint: Endpoint, limits: ServerLimits,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.listener = listener
        address = listener.address
        self.endpoint = endpoint
        self.limits = limits
        self.report = report
        bounds = ConnectionBounds(limits)
    }

    var loop: EventLoop { listener.loop }

    /// Serves until ``stop(grace:)``; returns when every connection has ended.
    func run() async {
        await withDiscardingTaskGroup { group in
            while let socket = await listener.accept(onExhaustion: noteExhaustion) {
                if connections.count >= limits.connectionCount {
                    guard turnedAway.count < Self.mostTurnedAway else {
                        socket.close()
                        continue
                    }
                    turnedAway[ObjectIdentifier(socket)] = socket
                    group.addTask { await self.turnAway(socket) }
                    continue
                }
                let connection = Connection(socket: socket, endpoint: endpoint, bounds: bounds)
                connections[ObjectIdentifier(connection)] = connection
                group.addTask {
                    await connection.serve()
                    self.remove(connection)
                }
            }
            listener.close()
            await drain(&group)
        }
    }

    /// Stops accepting; idle connections end at once, busy ones after their reply, all of them after `grace`.
    func stop(grace: Duration) {
        loop.submit {
            self.grace = grace
            self.listener.cancel()
        }
    }

    private func drain(_ group: inout DiscardingTaskGroup) async {
        for connection in connections.values {
            connection.isStopping = true
            if connection.isIdle { connection.socket.cancel() }
        }
        if !connections.isEmpty {
            let grace = grace
            group.addTask {
                await self.listener.loop.sleep(for: grace)
                self.finishDraining()
            }
            unsafe await withUnsafeContinuation { continuation in unsafe drained = continuation }
        }
        group.cancelAll()
        for connection in connections.values { connection.socket.cancel() }
        for socket in turnedAway.values { socket.cancel() }
    }

    private func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { finishDraining() }
    }

    private func finishDraining() {
        guard let continuation = unsafe drained else { return }
        unsafe drained = nil
        unsafe continuation.resume()
    }

    /// Beyond these a connection is closed without a word, so that being told can't use up what the limit saves.
    private static let mostTurnedAway = 64

    private func turnAway(_ socket: Socket) async {
        let reply = BuiltInReply.tooManyConnections(limit: limits.connectionCount).bytes(for: nil)
        try? await socket.write(reply, within: bounds.linger)
        await socket.linger(within: bounds.linger, inAll: bounds.linger, upTo: bounds.lingerByteCount)
        turnedAway[ObjectIdentifier(socket)] = nil
    }

    private func noteExhaustion(_ failure: CallFailure) {
        guard !saidExhausted else { return }
        saidExhausted = true
        report("\(failure); connections wait until a descriptor comes free (see ulimit -n)")
    }
}
