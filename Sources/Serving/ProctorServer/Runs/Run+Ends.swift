internal import ProctorBase
internal import ProctorJournal

extension Run {
    /// Waits until the client has ended each of its connections, at most for so long.
    package func waitForEndsOfConnections(within time: Duration) async {
        let end = MonotonicClock.nanoseconds &+ time.wholeNanoseconds
        while true {
            let sequence = journal.state.lastSequence
            let now = MonotonicClock.nanoseconds
            guard hasOpenConnection, now < end, !Task.isCancelled else { return }
            let (waking, waiter) = AsyncStream<Void>.makeStream()
            guard let number = journal.addWaiter(waiter, after: sequence) else { continue }
            await withDiscardingTaskGroup { group in
                group.addTask {
                    try? await Task.sleep(for: .nanoseconds(end - now))
                    waiter.finish()
                }
                for await _ in waking {}
                group.cancelAll()
            }
            journal.removeWaiter(number)
        }
    }

    private var hasOpenConnection: Bool {
        var open: Set<Int> = []
        for entry in journal.snapshot().entries {
            guard let number = entry.connection else { continue }
            switch entry.event {
            case .connectionOpened: open.insert(number)
            case .connectionClosed: open.remove(number)
            default: break
            }
        }
        return !open.isEmpty
    }
}
