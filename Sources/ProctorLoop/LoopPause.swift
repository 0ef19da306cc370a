internal import ProctorBase

/// A pause of one task that other code of the loop's thread can end.
///
/// For the loop's thread only. Cancelling the task does not end the pause: its owner does.
package final class LoopPause {
    private let loop: EventLoop
    private let sleeper = Sleeper()

    package init(on loop: EventLoop) { self.loop = loop }

    /// Waits until ``end()``, or until the moment of ``MonotonicClock`` in nanoseconds; `.max` never comes.
    ///
    /// Returns false where the moment came first. One task at a time.
    package func wait(until deadline: UInt64) async -> Bool {
        loop.preconditionOnLoop()
        let hasPassed = unsafe await withUnsafeContinuation { continuation in
            unsafe loop.sleeps.begin(sleeper, until: deadline, continuation)
        }
        return !hasPassed
    }

    /// Ends the present pause; no effect where no task waits.
    package func end() {
        loop.preconditionOnLoop()
        loop.sleeps.cancel(sleeper)
    }
}
