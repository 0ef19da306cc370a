internal import ProctorBase

/// Who may judge a trace now; the others wait in the order in which they came.
///
/// Safe from any thread.
///
/// A trace takes many times its length in memory while it is judged, so the bytes of those that are judged at a time are
/// bounded, too.
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

    /// Traces at a time.
    static let limit = 4
    /// Of all traces at a time; one that is longer is judged alone.
    static let byteLimit = 16 << 20
    /// Traces that wait.
    static let waitingLimit = 256

    /// Waits for a turn, which is to be left; false where too many wait already.
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

    func leave(_ byteCount: Int) {
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
