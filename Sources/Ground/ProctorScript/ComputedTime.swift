import ProctorBase

/// The processor time of a script, without its waits and without the time of other threads.
///
/// The thread's clock needs a system call, so it is read only if a run takes longer than usual.
struct ComputedTime {
    /// The time of the finished runs, in nanoseconds.
    private var spent: UInt64 = 0
    /// The time of the first check of this run; 0 before.
    private var start: UInt64 = 0
    /// The thread's clock at the end of the first part of the run; 0 before.
    private var threadStart: UInt64 = 0
    private var firstPart: UInt64 = 0

    /// The longest first part of a run, all of which counts as processor time.
    private static let longestFirstPart: UInt64 = 5_000_000

    mutating func startComputing() {
        start = 0
        threadStart = 0
    }

    /// Whether the script has computed for more than `bound` nanoseconds.
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

    /// Called when the script waits or has ended.
    mutating func stopComputing() {
        guard start != 0 else { return }
        if threadStart == 0 {
            spent &+= min(Self.longestFirstPart, MonotonicClock.nanoseconds &- start)
        } else {
            spent &+= firstPart &+ (ThreadClock.nanoseconds &- threadStart)
        }
        startComputing()
    }
}
