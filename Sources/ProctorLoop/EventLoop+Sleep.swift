internal import CUV
internal import ProctorBase

extension EventLoop {
    /// Suspends the task on this loop; a cancelled task wakes at once.
    ///
    /// Resolution is a millisecond, never early. Returns false when it was woken by cancellation.
    @discardableResult
    public func sleep(for duration: Duration) async -> Bool {
        preconditionOnLoop()
        let sleeper = Sleeper(loop: self, nanoseconds: duration.wholeNanoseconds)
        return await withTaskCancellationHandler {
            await sleeper.sleep()
        } onCancel: {
            submit { sleeper.wake(afterTime: false) }
        }
    }
}

/// A timer and the task that waits for it; loop thread only.
@safe private final class Sleeper: @unchecked Sendable {
    private let loop: EventLoop
    /// MonotonicClock nanoseconds.
    private let end: UInt64
    private var timer: UnsafeMutablePointer<uv_timer_t>?
    private var continuation: UnsafeContinuation<Bool, Never>?

    init(loop: EventLoop, nanoseconds: UInt64) {
        self.loop = loop
        let (end, isNever) = MonotonicClock.nanoseconds.addingReportingOverflow(nanoseconds)
        self.end = isNever ? .max : end
    }

    func sleep() async -> Bool {
        if Task.isCancelled { return false }
        let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        unsafe uv_timer_init(loop.uv, timer)
        unsafe timer.pointee.data = Unmanaged.passRetained(self).toOpaque()
        unsafe self.timer = timer
        // The loop's idea of now may be as old as its last poll.
        unsafe uv_update_time(loop.uv)
        unsafe start(timer)
        return unsafe await withUnsafeContinuation { continuation in unsafe self.continuation = continuation }
    }

    private func start(_ timer: UnsafeMutablePointer<uv_timer_t>) {
        let now = MonotonicClock.nanoseconds
        let left = end > now ? end - now : 0
        unsafe uv_timer_start(timer, timeHasCome, left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1), 0)
    }

    func timerFired() {
        // libuv cuts its clock to milliseconds and so may be early by nearly one.
        if MonotonicClock.nanoseconds < end, let timer = unsafe timer {
            unsafe start(timer)
        } else {
            wake(afterTime: true)
        }
    }

    func wake(afterTime: Bool) {
        if let timer = unsafe timer {
            unsafe self.timer = nil
            unsafe uv_close(
                UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self), releaseClosedHandle)
        }
        guard let continuation = unsafe continuation else { return }
        unsafe self.continuation = nil
        unsafe continuation.resume(returning: afterTime)
    }
}

private func timeHasCome(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
    guard let data = unsafe timer?.pointee.data else { return }
    unsafe Unmanaged<Sleeper>.fromOpaque(data).takeUnretainedValue().timerFired()
}
