internal import ProctorBase
package import ProctorJournal
package import ProctorLoop
package import ProctorServing

/// Where the numbers of a server are read; safe from any thread.
package struct ServerNumbers: Sendable {
    package let tallies: JournalTallies
    package let usage: ServerUsage
    package let watch: LoopWatch
    package let loopCount: Int
    /// Verdicts that calls have asked for, by the word of their outcome.
    package let verdicts = VerdictCounts()
}

/// Counts verdicts by the word of their outcome; safe from any thread.
package final class VerdictCounts: Sendable {
    private let counts = Locked<[String: UInt64]>([:])

    package func count(_ outcome: String) { counts.withLock { $0[outcome, default: 0] += 1 } }

    package var sorted: [(outcome: String, count: UInt64)] {
        counts.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
