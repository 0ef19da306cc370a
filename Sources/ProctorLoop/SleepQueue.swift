internal import ProctorBase

/// All sleeps of a loop in the order of their ends, over one timer of the system's; loop thread only.
@safe final class SleepQueue: WakeTimerOwner {
    private var sleepers = SleeperHeap()
    private var timer: WakeTimer?
    /// When the timer will fire; `.max` is never.
    private var armedEnd: UInt64 = .max

    /// Somebody's time was over before the sleep began; the loop calls ``wakeOverdue()`` after its next poll.
    private(set) var hasOverdue = false

    var isEmpty: Bool { sleepers.isEmpty }

    /// 1 from ``open(on:)`` to ``close()``: it is the loop's own handle.
    var handleCount: Int { timer == nil ? 0 : 1 }

    func open(on loop: EventLoop) throws(CallFailure) {
        timer = try WakeTimer(on: loop, owner: self)
    }

    func close() {
        timer?.close()
        timer = nil
    }

    func begin(_ sleeper: Sleeper, until end: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        unsafe sleeper.continuation = continuation
        sleepers.insert(sleeper, end: end)
        if end <= MonotonicClock.nanoseconds {
            hasOverdue = true
        } else if end < armedEnd {
            arm(end)
        }
    }

    /// Ends a sleep before its time; of no effect on one that has ended.
    func cancel(_ sleeper: Sleeper) {
        // The timer stays as it is: firing once in vain is cheaper than being set twice.
        if sleepers.remove(sleeper) { sleeper.wake(afterTime: false) }
    }

    /// Wakes, in the order of their ends, all whose time is over.
    func wakeOverdue() {
        hasOverdue = false
        let now = MonotonicClock.nanoseconds
        while let sleeper = sleepers.popFirst(until: now) { sleeper.wake(afterTime: true) }
    }

    func timerFired() {
        wakeOverdue()
        // Also where there is no next end: being set is what makes the timer forget that it fired.
        arm(sleepers.firstEnd ?? .max)
    }

    private func arm(_ end: UInt64) {
        armedEnd = end
        timer?.set(end)
    }
}

/// A task that sleeps; loop thread only.
@safe final class Sleeper: @unchecked Sendable {
    fileprivate(set) var continuation: UnsafeContinuation<Bool, Never>?
    /// Where it stands in the heap; -1 outside.
    var index = -1

    fileprivate func wake(afterTime: Bool) {
        guard let continuation = unsafe continuation else { return }
        unsafe self.continuation = nil
        unsafe continuation.resume(returning: afterTime)
    }
}
