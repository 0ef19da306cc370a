internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// The connections of a client, kept between exchanges and bounded for each origin; loop thread only.
///
/// ``tend()`` is to run as long as the pool does: it closes what idles for too long or was left by its peer. Without it
/// such a connection is only found when it would be handed out. ``close()`` must be called in the end.
final class ConnectionPool: @unchecked Sendable {
    let loop: EventLoop
    let limits: TransportLimits
    /// Of the limits, in nanoseconds: it is needed for every read.
    private let glanceTime: UInt64
    private var lanes: [Destination: OriginLane] = [:]
    private(set) var idleCount = 0
    /// Connections opened so far.
    private(set) var openedCount = 0
    private(set) var isClosed = false
    var tending = Tending()

    init(on loop: EventLoop, limits: TransportLimits = TransportLimits()) {
        self.loop = loop
        self.limits = limits
        glanceTime = limits.glanceTime.wholeNanoseconds
    }

    /// Connections that are open now, idle or not.
    var connections: [PooledConnection] { lanes.values.flatMap(\.connections) }

    // MARK: Asking

    /// A kept connection that is not known to be dead, at once; nil where there is none.
    func takeIdle(to destination: Destination) -> PooledConnection? {
        loop.preconditionOnLoop()
        // Where somebody waits in line nothing idles but for a moment.
        guard idleCount > 0, let lane = lanes[destination], lane.line.isEmpty else { return nil }
        return takeIdle(of: lane)
    }

    /// Any that was made by this proxy, whomever it leads to; for clients that are broken on purpose.
    func takeAnyTunnel(through proxy: Origin) -> PooledConnection? {
        for lane in lanes.values where lane.destination.tunnelProxy == proxy && lane.line.isEmpty {
            if lane.freshestIdle?.isTunnel == true, let connection = takeIdle(of: lane) { return connection }
        }
        return nil
    }

    /// Stands in line until a connection is there or may be opened.
    func place(for request: ConnectionRequest) {
        guard !isClosed else { return request.answer(.poolClosed) }
        let lane = lane(of: request.destination)
        lane.line.append(request)
        serveLine(of: lane)
    }

    /// Whether one more can stand in line.
    func hasRoomInLine(to destination: Destination) -> Bool {
        (lanes[destination]?.line.count ?? 0) < limits.lineLength
    }

    /// Takes a wish back; what was granted already stays with whoever has it.
    func withdraw(_ request: ConnectionRequest, as end: ConnectionRequest.Grant) {
        if let lane = lanes[request.destination] {
            lane.line.removeAll { $0 === request }
            forgetIfUnused(lane)
        }
        request.answer(end)
    }

    /// How long to wait before the next look at the limit, in nanoseconds; nil: the time since `start` is over.
    ///
    /// Where no time is to run out, as of a suspended load, it begins anew when it does again.
    func nap(since start: inout UInt64, within limit: UInt64) -> UInt64? {
        let now = MonotonicClock.nanoseconds
        if limit == .max { start = now }
        let passed = now &- start
        return passed < limit ? min(limit - passed, glanceTime) : nil
    }

    // MARK: Giving back

    /// The place that was granted has become a connection, which the one who asked has now.
    func fill(
        placeOf request: ConnectionRequest, with socket: Socket, _ secured: SecuredConnection?
    ) -> PooledConnection {
        let lane = lane(of: request.destination)
        lane.opening.removeAll { $0 === request }
        openedCount += 1
        let connection = PooledConnection(
            socket: socket, destination: request.destination, secured: secured, number: openedCount)
        lane.connections.append(connection)
        tending.welcome(connection)
        return connection
    }

    /// The place that was granted did not become a connection.
    func giveBack(placeOf request: ConnectionRequest) {
        let lane = lane(of: request.destination)
        lane.opening.removeAll { $0 === request }
        serveLine(of: lane)
        forgetIfUnused(lane)
    }

    /// Takes a connection back on which another request can be sent.
    func keep(_ connection: PooledConnection) {
        guard !isClosed, let lane = lanes[connection.destination] else { return discard(connection) }
        connection.keepTicket()
        connection.rest()
        idleCount += 1
        if !lane.line.isEmpty { serveLine(of: lane) }
        while idleCount > limits.idleConnections, let stalest = stalestIdle { discard(stalest) }
    }

    /// Closes a connection; what it has not sent goes out, what it has not read is lost.
    func discard(_ connection: PooledConnection) {
        loop.preconditionOnLoop()
        guard !connection.socket.isClosed else { return }
        if connection.isIdle { idleCount -= 1 }
        connection.close()
        guard let lane = lanes[connection.destination] else { return }
        lane.connections.removeAll { $0 === connection }
        serveLine(of: lane)
        forgetIfUnused(lane)
    }

    /// Closes every connection and refuses everybody from now on; exchanges under way fail.
    func close() {
        loop.preconditionOnLoop()
        isClosed = true
        for lane in lanes.values {
            let requests = lane.line + lane.opening
            lane.line = []
            for request in requests { request.answer(.poolClosed) }
        }
        for connection in connections { discard(connection) }
        tending.end()
    }

    // MARK: The line

    private func lane(of destination: Destination) -> OriginLane {
        if let lane = lanes[destination] { return lane }
        let lane = OriginLane(destination: destination)
        lanes[destination] = lane
        return lane
    }

    private func forgetIfUnused(_ lane: OriginLane) {
        if lane.isUnused, lanes[lane.destination] === lane { lanes[lane.destination] = nil }
    }

    private func takeIdle(of lane: OriginLane) -> PooledConnection? {
        while let connection = lane.freshestIdle {
            guard connection.isAlive else {
                // Not by `discard`, which would serve the line once more from within.
                drop(connection, of: lane)
                continue
            }
            idleCount -= 1
            connection.leaveRest()
            return connection
        }
        return nil
    }

    private func drop(_ connection: PooledConnection, of lane: OriginLane) {
        idleCount -= 1
        connection.close()
        lane.connections.removeAll { $0 === connection }
    }

    /// Gives what there is to those in line, as long as the first can be served.
    private func serveLine(of lane: OriginLane) {
        while let first = lane.line.first {
            if first.isGranted {
                lane.line.removeFirst()
                continue
            }
            if !first.wantsNew, let connection = takeIdle(of: lane) {
                lane.line.removeFirst()
                first.answer(.connection(connection))
                continue
            }
            if lane.count >= limits.connectionsPerOrigin {
                guard let stalest = lane.stalestIdle else { return }
                drop(stalest, of: lane)
            }
            lane.line.removeFirst()
            lane.opening.append(first)
            first.answer(.place)
        }
    }

    private var stalestIdle: PooledConnection? {
        lanes.values.compactMap(\.stalestIdle).min { ($0.idleSince ?? 0) < ($1.idleSince ?? 0) }
    }
}
