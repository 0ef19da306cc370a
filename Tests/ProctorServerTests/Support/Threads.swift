import ProctorBase
import ProctorTestSupport
import ProctorTestWire

/// The client of tests, not the server's own protocol of that name.
typealias Wire = ProctorTestWire.Wire

/// Connects to a URL and talks on a thread of its own; the connection is closed in the end.
func talk<Result: Sendable>(
    to base: String, _ body: @escaping @Sendable (Wire) throws -> Result
) async throws -> Result {
    try await onThread {
        let wire = try Wire(to: base)
        defer { wire.close() }
        return try body(wire)
    }
}

/// Sends bytes, then FIN, and reads to the end.
func exchange(_ bytes: String, with base: String) async throws -> Wire.Received {
    try await onThread { try exchangeNow(bytes, with: base) }
}

/// Like ``run``, on the caller's thread, which blocks.
func exchangeNow(_ bytes: String, with base: String) throws -> Wire.Received {
    let wire = try Wire(to: base)
    defer { wire.close() }
    try wire.send(bytes)
    wire.finish()
    return try wire.readToEnd()
}

/// Nanoseconds that something took, with what it returned.
func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    return (result, clock.now - start)
}

/// Lets a few in at a time: hundreds of tests are ready at once, and each starts a server or a client.
final class Gate: Sendable {
    private let state: Locked<State>

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    init(width: Int) {
        state = Locked(State(free: width))
    }

    /// Runs `body` when there is room.
    func admit<Result>(
        _ body: () async throws -> Result, isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> Result {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
