import ProctorBase

/// The time that a watchdog has watched its child: without the time in which it did not run itself, since its process was
/// stopped (SIGSTOP, a shell's ^Z, a debugger) or the machine stood still.
///
/// The watchdog looks many times a second, so that seconds between two looks are a pause.
struct WatchTime {
    /// Nanoseconds of ``MonotonicClock``.
    private let start: UInt64
    private var lastLook: UInt64
    /// Nanoseconds in which nothing was watched.
    private(set) var paused: UInt64 = 0

    /// More than a busy machine lets a thread wait, and less than a deadline.
    private static let longestTurn: UInt64 = 2_000_000_000

    init(from start: UInt64) {
        self.start = start
        lastLook = start
    }

    /// Nanoseconds that were watched until now.
    mutating func watched(until now: UInt64) -> UInt64 {
        let turn = now &- lastLook
        if turn > Self.longestTurn { paused &+= turn }
        lastLook = now
        return now &- start &- paused
    }
}
