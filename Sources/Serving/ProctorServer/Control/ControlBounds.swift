internal import ProctorBase

/// Bounds the traces that are judged at a time, since judging takes many times a trace's memory.
///
/// Waiting calls go on in their order. Safe from any thread.
@safe final class GradingTurns: Sendable {
    private let state = Locked(State())

    @safe private struct State {
        var count = 0
        var byteCount = 0
        var waiting: [Waiting] = []

        mutating func admits(_ byteCount: Int) -> Bool {
            guard count < GradingTurns.limit, count == 0 || self.byteCount + byteCount <= GradingTurns.byteLimit else {
                return false
            }
            count += 1
            self.byteCount += byteCount
            return true
        }
    }

    @safe private struct Waiting {
        let byteCount: Int
        let continuation: UnsafeContinuation<Bool, Never>
    }

    static let limit = 4
    /// The most bytes of traces that are judged at a time; a longer trace is judged alone.
    static let byteLimit = 16 << 20
    static let waitingLimit = 256
    /// How long one trace may be judged: many times what the longest body takes.
    static let timeLimit = Duration.seconds(60)

    /// Waits for a turn, which ends with ``leave(_:)``; false where ``waitingLimit`` calls wait already.
    func enter(_ byteCount: Int) async -> Bool {
        unsafe await withUnsafeContinuation { continuation in
            let isAdmitted: Bool? = state.withLock { state in
                if state.waiting.isEmpty, state.admits(byteCount) { return true }
                guard state.waiting.count < Self.waitingLimit else { return false }
                state.waiting.append(unsafe Waiting(byteCount: byteCount, continuation: continuation))
                return nil
            }
            if let isAdmitted { unsafe continuation.resume(returning: isAdmitted) }
        }
    }

    func endTurn(_ byteCount: Int) {
        let admitted = state.withLock { state in
            state.count -= 1
            state.byteCount -= byteCount
            var admitted: [Waiting] = []
            while let next = state.waiting.first, state.admits(next.byteCount) {
                admitted.append(next)
                state.waiting.removeFirst()
            }
            return admitted
        }
        for waiting in admitted { unsafe waiting.continuation.resume(returning: true) }
    }
}
