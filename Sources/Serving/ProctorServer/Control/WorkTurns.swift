internal import ProctorBase

/// Bounds the calls of one kind that work at a time, since they take many times the memory of their bodies.
///
/// Waiting calls go on in their order. Safe from any thread.
@safe final class WorkTurns: Sendable {
    private let state = Locked(State())

    @safe private struct State {
        var count = 0
        var byteCount = 0
        var waiting: [Waiting] = []

        mutating func admits(_ byteCount: Int, beside limit: Int) -> Bool {
            guard count < limit, count == 0 || self.byteCount + byteCount <= WorkTurns.byteLimit else { return false }
            count += 1
            self.byteCount += byteCount
            return true
        }
    }

    @safe private struct Waiting {
        let byteCount: Int
        let continuation: UnsafeContinuation<Bool, Never>
    }

    /// How many work at a time.
    private let limit: Int
    /// The most bytes of bodies that are worked on at a time; a longer one is worked on alone.
    static let byteLimit = 16 << 20
    static let waitingLimit = 256

    init(limit: Int) { self.limit = limit }

    /// Waits for a turn, which ends with ``endTurn(_:)``; false where ``waitingLimit`` calls wait already.
    func enter(_ byteCount: Int) async -> Bool {
        unsafe await withUnsafeContinuation { continuation in
            let isAdmitted: Bool? = state.withLock { state in
                if state.waiting.isEmpty, state.admits(byteCount, beside: limit) { return true }
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
            while let next = state.waiting.first, state.admits(next.byteCount, beside: limit) {
                admitted.append(next)
                state.waiting.removeFirst()
            }
            return admitted
        }
        for waiting in admitted { unsafe waiting.continuation.resume(returning: true) }
    }
}
