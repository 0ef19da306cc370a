#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The clock that people read, which can be set and go back.
enum WallClock {
    /// Since 1970.
    static var unixSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
