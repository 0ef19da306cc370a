internal import ProctorBase

extension EventLoop {
    /// Suspends the task on this loop; a cancelled task wakes at once.
    ///
    /// Never early, and late by what the system and the loop's other work take (a millisecond more on Darwin). Returns
    /// false when it was woken by cancellation.
    @discardableResult
    public func sleep(for duration: Duration) async -> Bool {
        preconditionOnLoop()
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return await sleep(until: isNever ? .max : end)
    }

    /// As ``sleep(for:)``, to a moment of ``MonotonicClock`` in nanoseconds; for what must not drift.
    ///
    /// A moment that has passed only lets others have their turn; `.max` never comes.
    @discardableResult
    public func sleep(until end: UInt64) async -> Bool {
        preconditionOnLoop()
        if Task.isCancelled { return false }
        let sleeper = Sleeper()
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                unsafe sleeps.begin(sleeper, until: end, continuation)
            }
        } onCancel: {
            submit { self.sleeps.cancel(sleeper) }
        }
    }
}
