internal import ProctorBase
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// The state of a schedule while it is played; on the loop's thread only.
struct WritePacer {
    private let schedule: WriteSchedule
    private let slicesAreKept: Bool
    private var position = 0
    private var nextCut: Int
    private var cutIndex = 0
    private var beginning: UInt64?
    private(set) var sliceCount = 1
    private var keeping = JournalEvent.SliceKeeping.queue

    init(_ schedule: WriteSchedule) {
        self.schedule = schedule
        slicesAreKept = schedule.cuts != .none
        nextCut = schedule.cuts.next(after: 0, index: &cutIndex)
    }

    /// The journal's event; nil without cuts.
    var slices: JournalEvent? {
        slicesAreKept ? .slicesKept(count: sliceCount, by: keeping) : nil
    }

    mutating func didSend(_ byteCount: Int) {
        position += byteCount
    }

    mutating func didPause(_ nanoseconds: UInt64) {
        guard let beginning else { return }
        self.beginning = beginning &+ nanoseconds
    }

    /// What the next bytes wait for, or how many may be sent before the next stop.
    enum Turn {
        case bytes(Int)
        /// The peer's program has to read what was sent; then ``didKeepApart(by:)``.
        case reading
        /// A moment of MonotonicClock, in nanoseconds.
        case moment(UInt64)
    }

    mutating func nextTurn() -> Turn {
        guard position < nextCut else { return .reading }
        var end = nextCut
        if let pace = schedule.pace {
            let portionByteCount = max(1, pace.byteCount)
            if position < schedule.paceStart {
                end = min(end, schedule.paceStart)
            } else {
                let (portion, done) = (position - schedule.paceStart).quotientAndRemainder(dividingBy: portionByteCount)
                if done == 0, let moment = moment(of: portion, every: pace.interval.wholeNanoseconds) {
                    return .moment(moment)
                }
                let (next, isNever) = position.addingReportingOverflow(portionByteCount - done)
                if !isNever { end = min(end, next) }
            }
        }
        return .bytes(end == .max ? .max : end - position)
    }

    /// The peer has read all before the next cut.
    mutating func didKeepApart(by way: JournalEvent.SliceKeeping) {
        if way == .pause { keeping = .pause }
        sliceCount += 1
        nextCut = schedule.cuts.next(after: position, index: &cutIndex)
    }

    /// When the portion may be sent; nil: now, since a late portion is sent at once, and the next ones keep their times.
    private mutating func moment(of portion: Int, every interval: UInt64) -> UInt64? {
        let now = MonotonicClock.nanoseconds
        guard let beginning else {
            beginning = now
            return nil
        }
        let (passed, isNever) = UInt64(portion).multipliedReportingOverflow(by: interval)
        let (moment, isBeyond) = beginning.addingReportingOverflow(passed)
        let end = isNever || isBeyond ? .max : moment
        return end > now ? end : nil
    }
}
