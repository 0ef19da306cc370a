internal import CUV
internal import ProctorBase

#if !canImport(Darwin)
    internal import Glibc
#endif

/// The object that is told when a moment has come.
protocol WakeTimerOwner: AnyObject {
    /// At the moment or after it; once for each ``WakeTimer/set(_:)``.
    func timerFired()
}

#if canImport(Darwin)
    /// One moment at which the loop wakes, by its clock of milliseconds; loop thread only.
    @safe final class WakeTimer {
        private unowned let owner: any WakeTimerOwner
        private let timer: UnsafeMutablePointer<uv_timer_t>
        private let loop: UnsafeMutablePointer<uv_loop_t>
        private var end: UInt64 = .max

        init(on loop: EventLoop, owner: any WakeTimerOwner) throws(CallFailure) {
            self.owner = owner
            unsafe self.loop = loop.uv
            unsafe timer = .allocate(capacity: 1)
            unsafe uv_timer_init(loop.uv, timer)
            unsafe timer.pointee.data = Unmanaged.passRetained(self).toOpaque()
        }

        /// In MonotonicClock nanoseconds; `.max` is never.
        func set(_ end: UInt64) {
            self.end = end
            guard end != .max else {
                unsafe uv_timer_stop(timer)
                return
            }
            // The loop's idea of now may be as old as its last poll.
            unsafe uv_update_time(loop)
            let now = MonotonicClock.nanoseconds
            let left = end > now ? end - now : 0
            unsafe uv_timer_start(timer, timeHasCome, left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1), 0)
        }

        func close() {
            unsafe uv_close(
                UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self), releaseClosedHandle)
        }

        fileprivate func fired() {
            // libuv cuts its clock to milliseconds and so may be early by nearly one.
            if MonotonicClock.nanoseconds < end { set(end) } else { owner.timerFired() }
        }
    }

    private func timeHasCome(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
        guard let data = unsafe timer?.pointee.data else { return }
        unsafe Unmanaged<WakeTimer>.fromOpaque(data).takeUnretainedValue().fired()
    }
#else
    /// One moment at which the loop wakes: a timerfd, whose clock is the system's finest; loop thread only.
    @safe final class WakeTimer: PollOwner {
        private unowned let owner: any WakeTimerOwner
        private let descriptor: Int32
        private var poll: PollHandle?

        init(on loop: EventLoop, owner: any WakeTimerOwner) throws(CallFailure) {
            self.owner = owner
            descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
            guard descriptor >= 0 else { throw .system("timerfd_create") }
            do throws(CallFailure) {
                poll = try PollHandle(descriptor: descriptor, on: loop, owner: self)
            } catch {
                closeDescriptor(descriptor)
                throw error
            }
            poll?.want(PollHandle.readable)
        }

        /// In MonotonicClock nanoseconds; `.max` is never.
        ///
        /// Setting it also makes it unreadable again, which spares the `read`.
        func set(_ end: UInt64) {
            var moment = itimerspec()
            // All zero is never.
            if end != .max {
                moment.it_value = timespec(
                    tv_sec: Int(end / 1_000_000_000), tv_nsec: max(1, Int(end % 1_000_000_000)))
            }
            unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &moment, nil)
        }

        func becameReady(_ events: Int32, afterError: Bool) {
            owner.timerFired()
        }

        func close() {
            guard let poll = poll.take() else { return }
            poll.close()
            closeDescriptor(descriptor)
        }
    }
#endif
