/// A source of small events that one task waits for; loop thread only.
///
/// Events that come while no task waits are kept, up to ``limit``; later ones are merged into the last.
final class EventSource<Event: Sendable>: Sendable {
    private let state: LoopBound<State>

    @safe private struct State {
        var pending: [Event] = []
        var waiter: UnsafeContinuation<Event?, Never>?
        /// Which wait is the current one; a late cancellation must not end the wait of another task.
        var wait = 0
        var isClosed = false
    }

    private static var limit: Int { 64 }

    init(loop: EventLoop) {
        state = LoopBound(State(), on: loop)
    }

    var loop: EventLoop { state.loop }

    /// The next event, or nil after the end.
    func next() async -> Event? {
        loop.preconditionOnLoop()
        if !state.value.pending.isEmpty { return state.value.pending.removeFirst() }
        if state.value.isClosed || Task.isCancelled { return nil }
        precondition(unsafe state.value.waiter == nil, "two tasks wait for the same events")
        state.value.wait += 1
        let wait = state.value.wait
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in unsafe state.value.waiter = continuation }
        } onCancel: {
            loop.submit { if self.state.value.wait == wait { self.resume(nil) } }
        }
    }

    func deliver(_ event: Event) {
        if unsafe state.value.waiter != nil {
            resume(event)
        } else if state.value.pending.count < Self.limit {
            state.value.pending.append(event)
        } else {
            let last = state.value.pending.count - 1
            state.value.pending[last] = event
        }
    }

    func finish() {
        state.value.isClosed = true
        resume(nil)
    }

    private func resume(_ event: Event?) {
        guard let continuation = unsafe state.value.waiter.take() else { return }
        unsafe continuation.resume(returning: event)
    }
}
