internal import ProctorBase

/// An event that happens once; any number of tasks wait for it.
package final class OneShotEvent: Sendable {
    private let state = Locked(State())

    private struct State {
        var hasCome = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterCount = 0
    }

    /// The event has not happened yet.
    package init() {}

    /// Any number of times.
    package func come() {
        let waiters = state.withLock { state in
            state.hasCome = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Until it has come or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    guard !state.hasCome, !Task.isCancelled else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
