#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The clock that people read, which can be set and go back.
package enum WallClock {
    /// Since 1970.
    package static var unixSeconds: Double { Double(unixNanoseconds) / 1e9 }

    /// The nanoseconds since 1970.
    static var unixNanoseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
