internal import ProctorBase

/// Where the counts of a journal are added up.
package struct JournalTally: Sendable {
    /// Who answers the requests of a journal.
    package enum Place: String, CaseIterable, Sendable {
        /// A run with ports of its own.
        case run
        /// A scenario below the shared port.
        case shared
        /// The server itself: its pages, its control API, and what belongs to no scenario.
        case server
    }

    fileprivate let place: Place
    fileprivate let tallies: JournalTallies

    /// Adds a journal, whose counts `read` gives.
    func add(_ journal: UInt64, read: @escaping @Sendable () -> Counts) {
        tallies.add(journal, of: place, read: read)
    }

    /// The journal is gone, and counts no more.
    func retire(_ journal: UInt64) { tallies.retire(journal) }

    /// What a journal has counted since it began, whatever it has dropped or reset meanwhile.
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
        private var rawCount: UInt64 = 0
        private var interimCount: UInt64 = 0
        private var successCount: UInt64 = 0
        private var redirectCount: UInt64 = 0
        private var clientErrorCount: UInt64 = 0
        private var serverErrorCount: UInt64 = 0

        package init() {}

        /// Replies that were sent whole, by the first digit of their status; at 0 those of raw bytes.
        package var replyCounts: [UInt64] {
            [rawCount, interimCount, successCount, redirectCount, clientErrorCount, serverErrorCount]
        }

        mutating func count(_ event: borrowing JournalEvent) {
            switch event {
            case .replySent(let status, let byteCount):
                sentByteCount &+= UInt64(byteCount)
                switch (status ?? 0) / 100 {
                case 0: rawCount &+= 1
                case 1: interimCount &+= 1
                case 2: successCount &+= 1
                case 3: redirectCount &+= 1
                case 4: clientErrorCount &+= 1
                default: serverErrorCount &+= 1
                }
            case .requestHead: requestCount &+= 1
            case .requestBody(let body): receivedByteCount &+= UInt64(body.byteCount)
            case .connectionOpened: connectionCount &+= 1
            case .missed: missedCount &+= 1
            case .violation, .frameViolation: violationCount &+= 1
            case .turnedAway, .boundReached: refusedCount &+= 1
            default: break
            }
        }

        package static func += (sum: inout Counts, more: Counts) {
            sum.connectionCount &+= more.connectionCount
            sum.requestCount &+= more.requestCount
            sum.receivedByteCount &+= more.receivedByteCount
            sum.sentByteCount &+= more.sentByteCount
            sum.missedCount &+= more.missedCount
            sum.violationCount &+= more.violationCount
            sum.refusedCount &+= more.refusedCount
            sum.droppedCount &+= more.droppedCount
            sum.rawCount &+= more.rawCount
            sum.interimCount &+= more.interimCount
            sum.successCount &+= more.successCount
            sum.redirectCount &+= more.redirectCount
            sum.clientErrorCount &+= more.clientErrorCount
            sum.serverErrorCount &+= more.serverErrorCount
        }
    }
}

/// The counts of all journals of a server, those of journals that are gone among them; safe from any thread.
package final class JournalTallies: Sendable {
    private struct State {
        var living: [UInt64: (place: JournalTally.Place, read: @Sendable () -> JournalTally.Counts)] = [:]
        var retired: [JournalTally.Place: JournalTally.Counts] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package func makeTally(of place: JournalTally.Place) -> JournalTally { JournalTally(place: place, tallies: self) }

    fileprivate func add(
        _ journal: UInt64, of place: JournalTally.Place, read: @escaping @Sendable () -> JournalTally.Counts
    ) {
        state.withLock { $0.living[journal] = (place, read) }
    }

    fileprivate func retire(_ journal: UInt64) {
        state.withLock { state in
            guard let (place, read) = state.living.removeValue(forKey: journal) else { return }
            state.retired[place, default: JournalTally.Counts()] += read()
        }
    }

    /// The sums for each place; none is less than it was before.
    package var sums: [JournalTally.Place: JournalTally.Counts] {
        state.withLock { state in
            var sums = state.retired
            for (place, read) in state.living.values { sums[place, default: JournalTally.Counts()] += read() }
            return sums
        }
    }
}
