internal import Dispatch
internal import ProctorBase
public import ProctorTrace

extension TraceRecorder {
    /// Somebody who waits for an event that is not there yet.
    struct Waiter {
        let id: Int
        let isMeant: @Sendable (TraceEvent) -> Bool
        let continuation: CheckedContinuation<TraceEvent?, Never>
    }

    /// The first event that is meant, of those recorded already or in the time to come.
    ///
    /// Returns nil when the time is over or the task is cancelled.
    public func event(
        within limit: Duration, where isMeant: @escaping @Sendable (TraceEvent) -> Bool
    ) async -> TraceEvent? {
        let id = withState { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(id: id, isMeant: isMeant, continuation: continuation)
                let events = withState { state in
                    state.waiters.append(waiter)
                    return state.events
                }
                if let event = events.first(where: isMeant) { return finish(id, with: event) }
                if Task.isCancelled { return finish(id, with: nil) }
                let nanoseconds = Int(clamping: limit.wholeNanoseconds)
                DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    self.finish(id, with: nil)
                }
            }
        } onCancel: {
            finish(id, with: nil)
        }
    }

    /// Everybody gets one answer: the one who takes the waiter out of the list gives it.
    private func finish(_ id: Int, with event: TraceEvent?) {
        let waiter = withState { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: event)
    }

    func wakeWaiters(with event: TraceEvent) {
        for waiter in withState({ $0.waiters }) where waiter.isMeant(event) {
            finish(waiter.id, with: event)
        }
    }
}
