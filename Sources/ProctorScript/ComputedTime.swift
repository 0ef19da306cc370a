import ProctorBase

/// The time that a script computes, without its waits and without the time in which other threads have the processor.
///
/// The thread's clock costs a call of the system, so it is asked only where a run takes longer than a script usually does.
struct ComputedTime {
    /// Of the runs that are over, in nanoseconds.
    private var spent: UInt64 = 0
    /// When the run was first looked at; 0: not yet.
    private var start: UInt64 = 0
    /// The thread's clock when the first part of the run was over; 0: it is not.
    private var threadStart: UInt64 = 0
    private var firstPart: UInt64 = 0

    /// The longest first part of a run, which counts as computed whatever it was.
    private static let longestFirstPart: UInt64 = 5_000_000

    mutating func begin() {
        start = 0
        threadStart = 0
    }

    /// Whether more than `bound` nanoseconds were computed.
    mutating func isOver(_ bound: UInt64) -> Bool {
        let now = MonotonicClock.nanoseconds
        if start == 0 { start = now }
        let elapsed = now &- start
        if threadStart == 0 {
            let longest = min(Self.longestFirstPart, bound / 2)
            guard elapsed > longest else { return spent > bound }
            firstPart = longest
            threadStart = ThreadClock.nanoseconds
        }
        guard spent &+ elapsed > bound else { return false }
        return spent &+ firstPart &+ (ThreadClock.nanoseconds &- threadStart) > bound
    }

    /// The script waits, or has ended.
    mutating func end() {
        guard start != 0 else { return }
        if threadStart == 0 {
            spent &+= min(Self.longestFirstPart, MonotonicClock.nanoseconds &- start)
        } else {
            spent &+= firstPart &+ (ThreadClock.nanoseconds &- threadStart)
        }
        begin()
    }
}
