internal import ProctorBase
internal import Synchronization

/// What a journal has counted since it began, whatever it has dropped or reset meanwhile.
///
/// The journal adds under its own lock; any thread reads without one.
package final class JournalTally: Sendable {
    /// Who answers the requests of a journal.
    package enum Place: String, CaseIterable, Sendable {
        /// A run with ports of its own.
        case run
        /// A scenario below the shared port.
        case shared
        /// The server itself: its pages, its control API, and what belongs to no scenario.
        case server
    }

    /// The place of the requests.
    package let place: Place
    private let tallies: JournalTallies
    private let connectionCount = Atomic<UInt64>(0)
    private let requestCount = Atomic<UInt64>(0)
    private let receivedByteCount = Atomic<UInt64>(0)
    private let sentByteCount = Atomic<UInt64>(0)
    private let missedCount = Atomic<UInt64>(0)
    private let violationCount = Atomic<UInt64>(0)
    private let refusedCount = Atomic<UInt64>(0)
    private let droppedCount = Atomic<UInt64>(0)
    private let interimCount = Atomic<UInt64>(0)
    private let successCount = Atomic<UInt64>(0)
    private let redirectCount = Atomic<UInt64>(0)
    private let clientErrorCount = Atomic<UInt64>(0)
    private let serverErrorCount = Atomic<UInt64>(0)
    private let rawCount = Atomic<UInt64>(0)

    fileprivate init(of place: Place, in tallies: JournalTallies) {
        self.place = place
        self.tallies = tallies
    }

    /// The counts at one moment, which can be added up.
    package struct Counts: Sendable {
        /// Connections that were opened.
        package var connectionCount: UInt64 = 0
        /// Requests whose head came whole.
        package var requestCount: UInt64 = 0
        /// Bytes of the content of requests.
        package var receivedByteCount: UInt64 = 0
        /// Bytes of replies that were sent whole.
        package var sentByteCount: UInt64 = 0
        /// Requests that no exchange expects.
        package var missedCount: UInt64 = 0
        /// Departures of clients from a specification.
        package var violationCount: UInt64 = 0
        /// Connections and streams beyond a bound of the server, and bounds of runs that clients reached.
        package var refusedCount: UInt64 = 0
        /// Entries that were dropped for lack of room.
        package var droppedCount: UInt64 = 0
        /// Replies that were sent whole, by the first digit of their status; at 0 those of raw bytes.
        package var replyCounts: [UInt64] = Array(repeating: 0, count: 6)

        package init() {}

        package static func += (sum: inout Counts, more: Counts) {
            sum.connectionCount &+= more.connectionCount
            sum.requestCount &+= more.requestCount
            sum.receivedByteCount &+= more.receivedByteCount
            sum.sentByteCount &+= more.sentByteCount
            sum.missedCount &+= more.missedCount
            sum.violationCount &+= more.violationCount
            sum.refusedCount &+= more.refusedCount
            sum.droppedCount &+= more.droppedCount
            for index in sum.replyCounts.indices { sum.replyCounts[index] &+= more.replyCounts[index] }
        }
    }

    /// The counts so far; any thread.
    package var counts: Counts {
        var counts = Counts()
        counts.connectionCount = connectionCount.load(ordering: .relaxed)
        counts.requestCount = requestCount.load(ordering: .relaxed)
        counts.receivedByteCount = receivedByteCount.load(ordering: .relaxed)
        counts.sentByteCount = sentByteCount.load(ordering: .relaxed)
        counts.missedCount = missedCount.load(ordering: .relaxed)
        counts.violationCount = violationCount.load(ordering: .relaxed)
        counts.refusedCount = refusedCount.load(ordering: .relaxed)
        counts.droppedCount = droppedCount.load(ordering: .relaxed)
        counts.replyCounts = [
            rawCount.load(ordering: .relaxed), interimCount.load(ordering: .relaxed),
            successCount.load(ordering: .relaxed), redirectCount.load(ordering: .relaxed),
            clientErrorCount.load(ordering: .relaxed), serverErrorCount.load(ordering: .relaxed),
        ]
        return counts
    }

    // MARK: Under the journal's lock

    func count(_ event: borrowing JournalEvent) {
        switch event {
        case .replySent(let status, let byteCount):
            Self.add(UInt64(byteCount), to: sentByteCount)
            switch (status ?? 0) / 100 {
            case 0: Self.add(1, to: rawCount)
            case 1: Self.add(1, to: interimCount)
            case 2: Self.add(1, to: successCount)
            case 3: Self.add(1, to: redirectCount)
            case 4: Self.add(1, to: clientErrorCount)
            default: Self.add(1, to: serverErrorCount)
            }
        case .requestHead: Self.add(1, to: requestCount)
        case .requestBody(let body): Self.add(UInt64(body.byteCount), to: receivedByteCount)
        case .connectionOpened: Self.add(1, to: connectionCount)
        case .missed: Self.add(1, to: missedCount)
        case .violation, .frameViolation: Self.add(1, to: violationCount)
        case .turnedAway, .boundReached: Self.add(1, to: refusedCount)
        default: break
        }
    }

    func countDropped(_ count: Int) { Self.add(UInt64(count), to: droppedCount) }

    /// No other thread writes it, so an addition needs no exchange.
    @inline(__always)
    private static func add(_ count: UInt64, to sum: borrowing Atomic<UInt64>) {
        sum.store(sum.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }

    /// The journal is gone, and counts no more.
    func retire() { tallies.retire(self) }
}

/// The tallies of all journals of a server, those of journals that are gone among them; safe from any thread.
package final class JournalTallies: Sendable {
    private struct State {
        var living: [ObjectIdentifier: JournalTally] = [:]
        var retired: [JournalTally.Place: JournalTally.Counts] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// A tally for a journal, which the journal retires with itself.
    package func makeTally(of place: JournalTally.Place) -> JournalTally {
        let tally = JournalTally(of: place, in: self)
        state.withLock { $0.living[ObjectIdentifier(tally)] = tally }
        return tally
    }

    fileprivate func retire(_ tally: JournalTally) {
        state.withLock { state in
            state.living[ObjectIdentifier(tally)] = nil
            state.retired[tally.place, default: JournalTally.Counts()] += tally.counts
        }
    }

    /// The sums for each place; none is less than it was before.
    package var sums: [JournalTally.Place: JournalTally.Counts] {
        state.withLock { state in
            var sums = state.retired
            for tally in state.living.values { sums[tally.place, default: JournalTally.Counts()] += tally.counts }
            return sums
        }
    }
}
