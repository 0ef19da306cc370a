internal import ProctorBase

/// The steps whose task has been resumed, so that a step can begin after the one with which it runs together.
package final class StartedSteps: Sendable {
    private let state = Locked(State())

    private struct State {
        var started: Set<Int> = []
        var waiters: [Int: [CheckedContinuation<Void, Never>]] = [:]
    }

    /// Only the first call for a step has an effect; any thread may call it.
    package func add(_ number: Int) {
        let waiters = state.withLock { state in
            state.started.insert(number)
            return state.waiters.removeValue(forKey: number)
        }
        for waiter in waiters ?? [] { waiter.resume() }
    }

    /// Returns when the step has started.
    package func wait(for number: Int) async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                guard !state.started.contains(number) else { return true }
                state.waiters[number, default: []].append(waiter)
                return false
            }
            if isOver { waiter.resume() }
        }
    }
}
