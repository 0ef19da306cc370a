internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Where the player of a rhythm stands; loop thread only.
struct Tempo {
    private let rhythm: Rhythm
    private let slicesAreKept: Bool
    /// Bytes of the reply that were sent.
    private var position = 0
    private var nextCut: Int
    private var cutIndex = 0
    /// The moment of the first paced portion, in MonotonicClock nanoseconds; later ones are counted from it.
    private var beginning: UInt64?
    private(set) var sliceCount = 1
    private var keeping = JournalEvent.SliceKeeping.queue

    /// Where the peer's queue can't be seen: long enough for a program that waits in a read.
    private static let pause = Duration.milliseconds(5)

    init(_ rhythm: Rhythm) {
        self.rhythm = rhythm
        slicesAreKept = rhythm.cuts != .none
        nextCut = rhythm.cuts.next(after: 0, index: &cutIndex)
    }

    /// For the journal; nil where nothing was to be cut.
    var slices: JournalEvent? {
        slicesAreKept ? .slicesKept(count: sliceCount, by: keeping) : nil
    }

    mutating func didSend(_ byteCount: Int) {
        position += byteCount
    }

    /// An effect that was played on purpose moves the moments that are still to come.
    mutating func didPause(_ nanoseconds: UInt64) {
        guard let beginning else { return }
        self.beginning = beginning &+ nanoseconds
    }

    /// Waits until the next byte may go; returns how many may before the next stop.
    mutating func awaitTurn(on socket: Socket, _ bounds: ConnectionBounds) async throws(ConnectionEnd) -> Int {
        if position >= nextCut {
            try await keepApart(socket, bounds)
            sliceCount += 1
            nextCut = rhythm.cuts.next(after: position, index: &cutIndex)
        }
        var end = nextCut
        if let pace = rhythm.pace {
            let portionByteCount = max(1, pace.byteCount)
            if position < rhythm.paceStart {
                end = min(end, rhythm.paceStart)
            } else {
                let (portion, done) = (position - rhythm.paceStart).quotientAndRemainder(dividingBy: portionByteCount)
                if done == 0 { try await awaitMoment(portion, pace.interval.wholeNanoseconds, socket) }
                let (next, isNever) = position.addingReportingOverflow(portionByteCount - done)
                if !isNever { end = min(end, next) }
            }
        }
        return end == .max ? .max : end - position
    }

    private mutating func keepApart(_ socket: Socket, _ bounds: ConnectionBounds) async throws(ConnectionEnd) {
        do throws(SocketError) {
            switch try await socket.waitUntilPeerHasRead(within: bounds.progress) {
            // The next write tells a peer that has left.
            case .everything, .left: return
            case .unknown: keeping = .pause
            }
        } catch {
            throw ConnectionEnd(error)
        }
        guard await socket.loop.sleep(for: Self.pause) else { throw .stopped }
    }

    private mutating func awaitMoment(
        _ portion: Int, _ interval: UInt64, _ socket: Socket
    ) async throws(ConnectionEnd) {
        guard let beginning else {
            beginning = MonotonicClock.nanoseconds
            return
        }
        let (passed, isNever) = UInt64(portion).multipliedReportingOverflow(by: interval)
        let (moment, isBeyond) = beginning.addingReportingOverflow(passed)
        let end = isNever || isBeyond ? .max : moment
        // Who is late goes on at once, and is in time again as soon as the peer lets it.
        guard MonotonicClock.nanoseconds < end else { return }
        guard await socket.loop.sleep(until: end) else { throw .stopped }
    }
}
