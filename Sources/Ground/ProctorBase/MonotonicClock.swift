#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The only clock of the project: CLOCK_MONOTONIC, which libuv's `uv_hrtime` reads too.
///
/// `ContinuousClock` is CLOCK_BOOTTIME on Linux, so its instants cannot be merged with those of a journal.
package enum MonotonicClock {
    /// Nanoseconds since an arbitrary past moment; comparable between the processes of one machine.
    package static var nanoseconds: UInt64 {
        #if canImport(Darwin)
            // mach_continuous_time, which uv_hrtime uses on Darwin; CLOCK_UPTIME_RAW stops while the machine sleeps.
            return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
        #else
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        #endif
    }
}

/// The time that the calling thread has spent on a processor.
package enum ThreadClock {
    /// Nanoseconds; comparable on the same thread.
    package static var nanoseconds: UInt64 {
        #if canImport(Darwin)
            return clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID)
        #else
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        #endif
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to `0 ... Int64.max`; a negative duration counts as none.
    package var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLongBySum) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isTooLongBySum ? UInt64(Int64.max) : UInt64(sum)
    }
}
