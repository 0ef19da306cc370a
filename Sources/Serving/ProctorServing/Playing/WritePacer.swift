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

    /// Waits until the next byte may be sent; returns how many may be sent before the next stop.
    mutating func awaitTurn(on wire: some Wire) async throws(ConnectionEnd) -> Int {
        if position >= nextCut {
            if try await wire.keepSliceApart() == .pause { keeping = .pause }
            passCut()
        }
        return try await awaitPace(wire)
    }

    private mutating func passCut() {
        sliceCount += 1
        nextCut = schedule.cuts.next(after: position, index: &cutIndex)
    }

    private mutating func awaitPace(_ wire: some Wire) async throws(ConnectionEnd) -> Int {
        var end = nextCut
        if let pace = schedule.pace {
            let portionByteCount = max(1, pace.byteCount)
            if position < schedule.paceStart {
                end = min(end, schedule.paceStart)
            } else {
                let (portion, done) = (position - schedule.paceStart).quotientAndRemainder(dividingBy: portionByteCount)
                if done == 0 { try await awaitMoment(of: portion, every: pace.interval.wholeNanoseconds, wire) }
                let (next, isNever) = position.addingReportingOverflow(portionByteCount - done)
                if !isNever { end = min(end, next) }
            }
        }
        return end == .max ? .max : end - position
    }

    private mutating func awaitMoment(
        of portion: Int, every interval: UInt64, _ wire: some Wire
    ) async throws(ConnectionEnd) {
        guard let beginning else {
            beginning = MonotonicClock.nanoseconds
            return
        }
        let (passed, isNever) = UInt64(portion).multipliedReportingOverflow(by: interval)
        let (moment, isBeyond) = beginning.addingReportingOverflow(passed)
        let end = isNever || isBeyond ? .max : moment
        // A late portion is sent at once; the next ones keep their times.
        try await wire.pause(until: end)
    }
}
