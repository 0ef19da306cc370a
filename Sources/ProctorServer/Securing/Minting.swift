internal import ProctorBase
internal import ProctorLoop
internal import ProctorTLS

/// A context that is being made on another thread, and the connections that wait for it.
///
/// Safe from any thread.
final class Minting: Sendable {
    typealias Outcome = Result<TLSServerContext, SecurityRefusal>

    private let state = Locked(State())

    private struct State {
        var outcome: Outcome?
        var waiters: [Int: SyncWaiter] = [:]
        var nextWaiter = 0
    }

    /// To be called once; everybody who waits goes on.
    func finish(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.wake() }
    }

    /// What came of it; nil as long as it is made.
    var result: Outcome? { state.withLock { $0.outcome } }

    /// The outcome, waited for while the client of a socket is there, at most `limit` nanoseconds.
    func outcome(for socket: Socket, within limit: UInt64) async throws(ConnectionEnd) -> Outcome {
        let waiter = SyncWaiter(socket)
        let number = state.withLock { state in
            let number = state.nextWaiter
            state.nextWaiter += 1
            if state.outcome == nil { state.waiters[number] = waiter }
            return number
        }
        defer {
            state.withLock { $0.waiters[number] = nil }
            waiter.end()
        }
        let start = MonotonicClock.nanoseconds
        while true {
            // Between the look and the wait this thread does nothing else, so that no waking is lost.
            if let outcome = result { return outcome }
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < limit else { throw .timedOut }
            do throws(SocketError) {
                try await socket.waitUntilPeerIsGone(within: limit - passed)
            } catch {
                if error == .timedOut { continue }
                throw ConnectionEnd(error)
            }
            throw socket.wasReset ? .peerReset : .peerClosed
        }
    }
}
