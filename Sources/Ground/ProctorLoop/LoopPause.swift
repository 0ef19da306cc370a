internal import ProctorBase

/// A pause of one task that other code on the loop's thread can end.
///
/// Loop thread only. Cancelling the task does not end the pause: its owner must end it.
package final class LoopPause {
    private let loop: EventLoop
    private let sleeper = Sleeper()

    package init(on loop: EventLoop) { self.loop = loop }

    /// Waits until ``resume()``, or until a moment of ``MonotonicClock`` in nanoseconds; `.max` means no limit.
    ///
    /// Returns false if the moment came first. One task at a time.
    package func wait(until deadline: UInt64) async -> Bool {
        loop.preconditionOnLoop()
        let hasPassed = unsafe await withUnsafeContinuation { continuation in
            unsafe loop.sleeps.startSleep(sleeper, until: deadline, continuation)
        }
        return !hasPassed
    }

    /// Ends the present pause; no effect if no task waits.
    package func resume() {
        loop.preconditionOnLoop()
        loop.sleeps.cancel(sleeper)
    }
}
