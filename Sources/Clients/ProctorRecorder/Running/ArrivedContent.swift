internal import ProctorBase

/// How many bytes of content a load has received, and who waits for more of them; any thread may call it.
package final class ArrivedContent: Sendable {
    private let state = Locked(State())

    private struct State {
        var byteCount = 0
        /// Whether the load is over, so that no more comes.
        var isOver = false
        var waiters: [(byteCount: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    /// Counts further bytes.
    package func add(_ byteCount: Int) {
        change { $0.byteCount += byteCount }
    }

    /// Ends every wait.
    package func finish() {
        change { $0.isOver = true }
    }

    /// Returns when so many bytes have come; false when the load ends before.
    package func wait(for byteCount: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            change { $0.waiters.append((byteCount, continuation)) }
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let answers = state.withLock { state in
            change(&state)
            let (count, isOver) = (state.byteCount, state.isOver)
            let answers = state.waiters.filter { isOver || $0.byteCount <= count }
            state.waiters.removeAll { isOver || $0.byteCount <= count }
            return answers.map { (isThere: $0.byteCount <= count, continuation: $0.continuation) }
        }
        for answer in answers { answer.continuation.resume(returning: answer.isThere) }
    }
}
