/// A source of small events that one task waits for; loop thread only, but for `cancel`.
///
/// Events that come while nobody waits are kept, up to ``limit``; later ones are merged into the last.
@safe final class EventSource<Event: Sendable>: @unchecked Sendable {
    let loop: EventLoop
    private var pending: [Event] = []
    private var waiter: UnsafeContinuation<Event?, Never>?
    /// Which wait is the current one; a late cancellation must not end the wait of another task.
    private var wait = 0
    private(set) var isClosed = false

    private static var limit: Int { 64 }

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// The next event, or nil after the end.
    func next() async -> Event? {
        loop.preconditionOnLoop()
        if !pending.isEmpty { return pending.removeFirst() }
        if isClosed || Task.isCancelled { return nil }
        precondition(unsafe waiter == nil, "two tasks wait for the same events")
        wait += 1
        let wait = wait
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in unsafe waiter = continuation }
        } onCancel: {
            loop.submit { if self.wait == wait { self.resume(nil) } }
        }
    }

    func deliver(_ event: Event) {
        if unsafe waiter != nil {
            resume(event)
        } else if pending.count < Self.limit {
            pending.append(event)
        } else {
            pending[pending.count - 1] = event
        }
    }

    func finish() {
        isClosed = true
        resume(nil)
    }

    private func resume(_ event: Event?) {
        guard let continuation = unsafe waiter else { return }
        unsafe waiter = nil
        unsafe continuation.resume(returning: event)
    }
}
