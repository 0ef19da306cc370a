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
    private let securing: Securing?
    private let report: @Sendable (String) -> Void
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// Connections beyond the limit that are still being told so.
    private var turnedAway: [ObjectIdentifier: Socket] = [:]
    private var grace: Duration = .zero
    private var drained: UnsafeContinuation<Void, Never>?
    private var saidExhausted = false

    /// Takes over a listener, which it closes in the end.
    init(
        _ listener: Listener, endpoint: Endpoint, securing: Securing? = nil, limits: ServerLimits,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.listener = listener
        address = listener.address
        self.endpoint = endpoint
        self.securing = securing
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
                let connection = Connection(
                    socket: socket, endpoint: endpoint, bounds: bounds, securing: securing,
                    opening: listener.waitingSince)
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
    ///
    /// Where there is a grace, who has connected and sent something by then is heard, though nobody has looked yet.
    func stop(grace: Duration) {
        loop.submit {
            self.grace = grace
            self.listener.cancel()
        }
    }

    private func drain(_ group: inout DiscardingTaskGroup) async {
        for connection in connections.values {
            connection.isStopping = true
            if grace > .zero, connection.isBetweenRequests, connection.socket.hasUnreadBytes {
                connection.hearWaitingRequest()
            } else if connection.isIdle {
                connection.socket.cancel()
            } else if connection.isBetweenRequests {
                group.addTask { await self.cancelWhenSent(connection) }
            }
        }
        if !connections.isEmpty {
            let grace = grace
            group.addTask {
                await self.listener.loop.sleep(for: grace)
                self.finishDraining()
            }
            unsafe await withUnsafeContinuation { continuation in unsafe drained = continuation }
        }
        tellCut()
        group.cancelAll()
        for connection in connections.values { connection.socket.cancel() }
        for socket in turnedAway.values { socket.cancel() }
    }

    /// Says which replies the end of the grace cuts; who stops without one wants them cut.
    private func tellCut() {
        guard grace > .zero else { return }
        let cut = connections.values.compactMap(\.unfinishedWork).sorted()
        let milliseconds = grace.wholeNanoseconds / 1_000_000
        let bound = milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
        for text in cut.prefix(Self.mostCutTold) { report("cut after \(bound) of grace: \(text)") }
        if cut.count > Self.mostCutTold { report("and \(cut.count - Self.mostCutTold) more of \(address)") }
    }

    private static let mostCutTold = 10

    /// Ends a connection between two requests whose last reply is still on its way.
    private func cancelWhenSent(_ connection: Connection) async {
        // A request that comes meanwhile is its last one.
        while connection.isBetweenRequests, !connection.socket.isClosed {
            if connection.isIdle { return connection.socket.cancel() }
            guard await loop.sleep(for: Self.sentLookPause) else { return }
        }
    }

    private static let sentLookPause: Duration = .milliseconds(5)

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
        // A handshake would cost what the limit saves: internal_error (RFC 8446 §6.2) has to do.
        let reply =
            securing == nil
            ? BuiltInReply.tooManyConnections(limit: limits.connectionCount).bytes(for: nil) : [21, 3, 3, 0, 2, 2, 80]
        try? await socket.write(reply, within: bounds.linger)
        socket.halfClose()
        await socket.linger(
            draining: bounds.linger, within: bounds.linger, inAll: bounds.linger, upTo: bounds.lingerByteCount)
        turnedAway[ObjectIdentifier(socket)] = nil
    }

    private func noteExhaustion(_ failure: CallFailure) {
        guard !saidExhausted else { return }
        saidExhausted = true
        report("\(failure); connections wait until a descriptor comes free (see ulimit -n)")
    }
}
