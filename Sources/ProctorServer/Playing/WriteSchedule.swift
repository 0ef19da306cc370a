internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Where a reply stops between two writes; computed with the plan.
final class WriteSchedule: Sendable {
    let cuts: Cuts
    let pace: Pace?
    /// The offset in the reply at which the pace begins.
    let paceStart: Int

    /// Offsets before which the peer must have read everything.
    enum Cuts: Sendable, Equatable {
        case none
        case every(Int)
        case at([Int])

        /// The first cut after `position`; `.max` when there is none.
        func next(after position: Int, index: inout Int) -> Int {
            switch self {
            case .none: return .max
            case .every(let size): return (position / size + 1) * size
            case .at(let offsets):
                while index < offsets.count, offsets[index] <= position { index += 1 }
                return index < offsets.count ? offsets[index] : .max
            }
        }
    }

    /// nil for a reply without cuts and pace; `found` are the cuts that depend on the bytes.
    init?(_ slicing: Slicing?, found: [Int] = [], byteCount: Int, pace: Pace? = nil, bodyStart: Int = 0) {
        cuts =
            switch slicing {
            case nil: .none
            case .everyByte: .every(1)
            case .size(let size): .every(max(1, size))
            case .offsets(let offsets): .at(offsets)
            case .midCRLF, .midChunkSize, .midUTF8: .at(found)
            case .random(let seed, let count): .at(Self.randomCuts(seed: seed, count: count, byteCount: byteCount))
            }
        self.pace = pace
        paceStart = pace?.scope == .body ? bodyStart : 0
        if cuts == .none, pace == nil { return nil }
    }

    /// At most `count - 1` different offsets between the first byte and the last.
    private static func randomCuts(seed: UInt64, count: Int, byteCount: Int) -> [Int] {
        guard byteCount > 1 else { return [] }
        var random = SplitMix64(seed: seed)
        var places: Set<Int> = []
        for _ in 0..<max(0, min(count, CutFinder.mostCuts + 1) - 1) { places.insert(random.next(in: 1..<byteCount)) }
        return places.sorted()
    }
}

/// A generator whose numbers depend only on its seed (Steele, Lea and Flood 2014).
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Not the standard library's method, which may change.
    mutating func next(in range: Range<Int>) -> Int {
        range.lowerBound + Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(range.count)).high)
    }
}

extension Slicing {
    /// The cuts of reply `number` of a run with `reslice`.
    static func again(seed: UInt64, reply number: Int) -> Slicing {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number))
        return .random(seed: random.next(), count: 12)
    }
}

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

    /// Used where the peer's queue is unknown: long enough for a program that waits in a read.
    private static let restBetweenSlices = Duration.milliseconds(5)

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
    mutating func awaitTurn(on output: ConnectionOutput) async throws(ConnectionEnd) -> Int {
        if position >= nextCut {
            try await keepApart(output)
            passCut()
        }
        return try await awaitPace(output)
    }

    /// The same for content of a stream, whose slices are frames.
    mutating func awaitTurn(on stream: HTTP2Stream) async throws(ConnectionEnd) -> Int {
        if position >= nextCut { passCut() }
        let count = try await awaitPace(stream)
        if let end = stream.end { throw end }
        return count
    }

    private mutating func passCut() {
        sliceCount += 1
        nextCut = schedule.cuts.next(after: position, index: &cutIndex)
    }

    private mutating func awaitPace(_ peer: some PeerWaiting) async throws(ConnectionEnd) -> Int {
        var end = nextCut
        if let pace = schedule.pace {
            let portionByteCount = max(1, pace.byteCount)
            if position < schedule.paceStart {
                end = min(end, schedule.paceStart)
            } else {
                let (portion, done) = (position - schedule.paceStart).quotientAndRemainder(dividingBy: portionByteCount)
                if done == 0 { try await awaitMoment(of: portion, every: pace.interval.wholeNanoseconds, peer) }
                let (next, isNever) = position.addingReportingOverflow(portionByteCount - done)
                if !isNever { end = min(end, next) }
            }
        }
        return end == .max ? .max : end - position
    }

    private mutating func keepApart(_ output: ConnectionOutput) async throws(ConnectionEnd) {
        let reading: PeerReading
        do throws(SocketError) {
            reading = try await output.socket.waitUntilPeerHasRead(within: output.bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
        switch reading {
        case .everything: return
        case .left: throw output.socket.wasReset ? .peerReset : .peerClosed
        case .unknown:
            keeping = .pause
            try await output.pause(for: Self.restBetweenSlices)
        }
    }

    private mutating func awaitMoment(
        of portion: Int, every interval: UInt64, _ peer: some PeerWaiting
    ) async throws(ConnectionEnd) {
        guard let beginning else {
            beginning = MonotonicClock.nanoseconds
            return
        }
        let (passed, isNever) = UInt64(portion).multipliedReportingOverflow(by: interval)
        let (moment, isBeyond) = beginning.addingReportingOverflow(passed)
        let end = isNever || isBeyond ? .max : moment
        // A late portion is sent at once; the next ones keep their times.
        try await peer.pause(until: end)
    }
}
