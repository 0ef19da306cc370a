#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Measures how many times longer work takes now than on an idle machine; safe from any thread.
///
/// A measurement uses 10 ms of processor time and compares it with the wall-clock time; its caller waits for it.
package final class MachineDelay: Sendable {
    private let state = Locked(State())
    private let clock: @Sendable () -> UInt64
    private let measure: @Sendable () -> Double

    private struct State {
        var factor = 1.0
        /// The clock's nanoseconds at the last measurement; nil before the first.
        var measured: UInt64?
    }

    /// Nanoseconds for which a measurement is used.
    private static let validity: UInt64 = 2_000_000_000
    private static let workNanoseconds: UInt64 = 10_000_000

    /// The delay of the machine, so that all who wait in this process share one measurement.
    package static let shared = MachineDelay()

    /// The permitted factors, from an idle machine to the greatest delay that deadlines allow for.
    package static let range = 1.0...20.0

    /// `measure` is called at most every two seconds of `clock`, which gives nanoseconds.
    package init(
        clock: @escaping @Sendable () -> UInt64 = { MonotonicClock.nanoseconds },
        measure: @escaping @Sendable () -> Double = MachineDelay.measureByWork
    ) {
        (self.clock, self.measure) = (clock, measure)
    }

    /// The present delay, from a measurement at most two seconds old.
    ///
    /// From one measurement to the next it falls at most to one half.
    package var factor: Double {
        let now = clock()
        let known = state.withLock { state -> Double? in
            guard let measured = state.measured, now &- measured < Self.validity else {
                // While one caller measures, concurrent callers get the old value.
                state.measured = now
                return nil
            }
            return state.factor
        }
        if let known { return known }
        let latest = min(max(measure(), Self.range.lowerBound), Self.range.upperBound)
        return state.withLock { state in
            state.factor = max(latest, state.factor / 2, Self.range.lowerBound)
            return state.factor
        }
    }

    /// Wall-clock time divided by processor time of this thread.
    package static func measureByWork() -> Double {
        let start = MonotonicClock.nanoseconds
        let first = processorNanoseconds
        var used: UInt64 = 0
        while used < workNanoseconds { used = processorNanoseconds &- first }
        return Double(MonotonicClock.nanoseconds &- start) / Double(max(used, 1))
    }

    private static var processorNanoseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
