internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

extension ConnectionPool {
    /// A kept connection or a new one; waits in line where the origin has all it may have.
    ///
    /// `limit` holds for each wait, in nanoseconds: in line, and for each address to answer. It is asked for anew while
    /// a wait lasts; `.max` lets no time run out.
    func connection(
        for request: ConnectionRequest, within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) -> PooledConnection {
        let addresses = try request.destination.addresses
        guard hasRoomInLine(to: request.destination) else {
            throw LoadError(
                .resourceUnavailable,
                "\(limits.lineLength) requests wait for a connection to \(request.origin) already; "
                    + "let some of them end first")
        }
        place(for: request)
        switch await answer(to: request, within: limit) {
        case .connection(let connection): return connection
        case .place: return try await open(request, at: addresses, within: limit)
        case .timedOut(let limit):
            throw LoadError(
                .timedOut,
                "no connection to \(request.origin) came free for \(Self.seconds(limit)); "
                    + "all \(limits.connectionsPerOrigin) that one origin may have are in use")
        case .cancelled: throw LoadError(.cancelled, "cancelled in line for a connection to \(request.origin)")
        case .poolClosed: throw Self.closed
        }
    }

    static let closed = LoadError(.cancelled, "the client was shut down")

    /// A time as a person reads it: `5 s`, `0.25 s`.
    static func seconds(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }

    // MARK: Waiting

    private func answer(
        to request: ConnectionRequest, within limit: @escaping @Sendable () -> UInt64
    ) async -> ConnectionRequest.Grant {
        guard !request.isGranted else { return await request.answered() }
        async let _: Void = giveUp(request, within: limit)
        return await request.answered()
    }

    private func giveUp(_ request: ConnectionRequest, within limit: @escaping @Sendable () -> UInt64) async {
        let wait = Wait(within: limit)
        while let nap = wait.nap(of: self) {
            guard await loop.sleep(for: .nanoseconds(Int64(clamping: nap))) else { return }
        }
        if !request.isGranted { withdraw(request, as: .timedOut(after: wait.lastLimit)) }
    }

    // MARK: Connecting

    private func open(
        _ request: ConnectionRequest, at addresses: [SocketAddress], within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) -> PooledConnection {
        var failures: [LoadError] = []
        addresses: for address in addresses where !isClosed && !request.isCancelled {
            switch await connect(request, to: address, within: limit) {
            case .success(let socket):
                switch await secureAtOnce(socket, for: request, within: limit) {
                case .success(let secured):
                    if !isClosed, !request.isCancelled { return fill(placeOf: request, with: socket, secured) }
                    socket.close()
                case .failure(let error):
                    socket.close()
                    // A server was there; at another address there would be another one.
                    failures = [error]
                    break addresses
                }
            case .failure(let error): failures.append(error)
            }
        }
        giveBack(placeOf: request)
        if isClosed { throw Self.closed }
        guard !request.isCancelled, let first = failures.first else {
            throw LoadError(.cancelled, "cancelled while connecting to \(request.origin)")
        }
        guard failures.count > 1 else { throw first }
        throw LoadError(first.kind, failures.map(\.sentence).joined(separator: "; "))
    }

    /// Behind a tunnel there is nobody to play a handshake with before there is a tunnel.
    private func secureAtOnce(
        _ socket: Socket, for request: ConnectionRequest, within limit: @escaping @Sendable () -> UInt64
    ) async -> Result<SecuredConnection?, LoadError> {
        guard request.destination.tunnelProxy == nil else { return .success(nil) }
        return await secure(socket, for: request, within: limit)
    }

    private func connect(
        _ request: ConnectionRequest, to address: SocketAddress, within limit: @escaping @Sendable () -> UInt64
    ) async -> Result<Socket, LoadError> {
        let wait = Wait(within: limit)
        return await request.connect(to: address, on: loop) { wait.nap(of: self) }.mapError { error in
            switch error {
            case .timedOut:
                LoadError(.timedOut, "\(address) did not answer for \(Self.seconds(wait.lastLimit)) when connected to")
            case .failed(let failure):
                LoadError(
                    .cannotConnect, "\(address) can't be connected to: \(failure.text); is a server listening there?")
            case .layerFailed(let sentence): LoadError(.cannotConnect, "\(address): \(sentence)")
            case .cancelled: LoadError(.cancelled, "cancelled while connecting to \(address)")
            }
        }
    }

    /// A wait whose limit is asked for anew while it lasts; times in nanoseconds, loop thread only.
    final class Wait: @unchecked Sendable {
        private let limit: @Sendable () -> UInt64
        private var start = MonotonicClock.nanoseconds
        /// What held when it was asked for last.
        private(set) var lastLimit: UInt64 = .max
        /// The time was over.
        private(set) var isOver = false

        init(within limit: @escaping @Sendable () -> UInt64) {
            self.limit = limit
        }

        /// What is over does not count.
        func startOver() { start = MonotonicClock.nanoseconds }

        func nap(of pool: ConnectionPool) -> UInt64? {
            lastLimit = limit()
            let nap = pool.nap(since: &start, within: lastLimit)
            isOver = nap == nil
            return nap
        }
    }
}
