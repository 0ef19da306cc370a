/// A few entries of a journal behind a position, for a reader that follows it.
package struct JournalBatch: Sendable {
    /// Oldest first.
    package let entries: [JournalEntry]
    /// Kept entries before the first one that are left out, because the reader is too far behind.
    package let thinnedCount: Int
    /// The most entries that the journal itself may have dropped before the first one.
    package let droppedCount: Int
    package let epoch: Int
    /// The number of the journal's newest entry, dropped or not.
    package let lastSequence: UInt64
    package let hasEnded: Bool

    /// How much of a journal one batch has.
    package struct Bounds: Sendable {
        /// The most entries of a batch.
        package let entryCount: Int
        /// A reader with more kept entries before it than this is too far behind.
        package let backlog: Int
        /// As many of the newest entries it then gets.
        package let rest: Int

        package init(entryCount: Int, backlog: Int, rest: Int) {
            (self.entryCount, self.backlog, self.rest) = (entryCount, backlog, rest)
        }

        /// All that is kept.
        package static let all = Bounds(entryCount: .max, backlog: .max, rest: 0)
    }
}

extension Journal {
    /// The entries behind a sequence number; costs as much as the batch is long, however long the journal is.
    package func batch(after sequence: UInt64, _ bounds: JournalBatch.Bounds) -> JournalBatch {
        read { entries, epoch, lastSequence, hasEnded in
            let first = entries.firstIndex(after: sequence)
            let waiting = entries.count - first
            let start = waiting > bounds.backlog ? entries.count - bounds.rest : first
            let end = start + min(entries.count - start, bounds.entryCount)
            return JournalBatch(
                entries: (start..<end).map { entries[$0] }, thinnedCount: start - first,
                droppedCount: entries.droppedCount, epoch: epoch, lastSequence: lastSequence, hasEnded: hasEnded)
        }
    }
}

extension BoundedEntries {
    var count: Int { pieceCounts.beginning + pieceCounts.pinned + pieceCounts.ring }

    /// The first position, in the order of ``inOrder``, of an entry after a sequence number; else ``count``.
    func firstIndex(after sequence: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
