internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How many times longer work takes here than on an idle machine; safe from any thread.
///
/// The delay is measured by work: 10 ms of processor time, and how long they took. The caller waits for as long.
public final class MachineDelay: Sendable {
    private let state = Locked(State())
    private let measure: @Sendable () -> Double

    private struct State {
        var factor = 1.0
        /// MonotonicClock nanoseconds; nil before the first.
        var measured: UInt64?
    }

    /// A measurement is good for this long, in nanoseconds.
    private static let validity: UInt64 = 2_000_000_000
    private static let workNanoseconds: UInt64 = 10_000_000

    /// From an idle machine to the most that is waited for.
    public static let range = 1.0...20.0

    /// `measure` is asked at most every two seconds.
    public init(measure: @escaping @Sendable () -> Double = MachineDelay.measureByWork) {
        self.measure = measure
    }

    /// The delay of now, or of the last two seconds; it falls by half at most from one measurement to the next.
    public var factor: Double {
        let now = MonotonicClock.nanoseconds
        let known = state.withLock { state -> Double? in
            guard let measured = state.measured, now &- measured < Self.validity else {
                // Others take the old one meanwhile.
                state.measured = now
                return nil
            }
            return state.factor
        }
        if let known { return known }
        let found = min(max(measure(), Self.range.lowerBound), Self.range.upperBound)
        return state.withLock { state in
            state.factor = max(found, state.factor / 2, Self.range.lowerBound)
            return state.factor
        }
    }

    /// Wall-clock time for processor time of this thread.
    public static func measureByWork() -> Double {
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
