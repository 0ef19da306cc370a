internal import ProctorHTTP
internal import ProctorLoop

/// An exchange's wish for a connection, while it stands in line or a connection is being opened; loop thread only.
@safe final class ConnectionRequest: @unchecked Sendable {
    let destination: Destination
    /// A kept connection is no good: the exchange is tried for the second time.
    let wantsNew: Bool
    private var grant: Grant?
    private var waiter: UnsafeContinuation<Grant, Never>?
    /// Is asked what a handshake asks.
    weak var asker: (any HandshakeHost)?
    /// While it is being secured.
    private var secured: Socket?
    private var attempt: Task<Result<Socket, SocketError>, Never>?

    /// What came of the wish.
    enum Grant {
        case connection(PooledConnection)
        /// A connection may be opened; whoever has this gives it back, as a connection or as a failure.
        case place
        /// In nanoseconds.
        case timedOut(after: UInt64)
        case cancelled, poolClosed
    }

    init(to destination: Destination, wantsNew: Bool) {
        self.destination = destination
        self.wantsNew = wantsNew
    }

    var origin: Origin { destination.origin }
    var isGranted: Bool { grant != nil }
    var isCancelled: Bool { if case .cancelled = grant { true } else { false } }

    /// The first answer counts, but for an end, which also comes after a place.
    func answer(_ grant: Grant) {
        switch (self.grant, grant) {
        case (nil, _), (.place, .cancelled), (.place, .poolClosed): self.grant = grant
        default: return
        }
        attempt?.cancel()
        secured?.cancel()
        guard let waiter = unsafe waiter else { return }
        unsafe self.waiter = nil
        unsafe waiter.resume(returning: grant)
    }

    /// Waits for the answer; one task only.
    func answered() async -> Grant {
        if let grant { return grant }
        return unsafe await withUnsafeContinuation { unsafe waiter = $0 }
    }

    /// An end of the request ends what is done with the socket meanwhile.
    func secure<Result>(_ socket: Socket, _ body: () async -> Result) async -> Result {
        secured = socket
        defer { secured = nil }
        return await body()
    }

    /// Connects to one address; an end of the request ends the attempt, and so does `nap`, as it does a `Socket`'s.
    func connect(
        to address: SocketAddress, on loop: EventLoop, nap: @escaping @Sendable () -> UInt64?
    ) async -> Result<Socket, SocketError> {
        let attempt = Task(executorPreference: loop) { () -> Result<Socket, SocketError> in
            do throws(SocketError) {
                return .success(try await Socket.connect(to: address, on: loop, nap: nap))
            } catch {
                return .failure(error)
            }
        }
        self.attempt = attempt
        let result = await attempt.value
        self.attempt = nil
        return result
    }
}
