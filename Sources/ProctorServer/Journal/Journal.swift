internal import ProctorBase
public import ProctorTrace

/// What one run saw and did, in order, within bounds; safe from any thread.
///
/// A full journal drops its oldest entries and counts them.
public final class Journal: Sendable {
    private let store: Locked<Store>
    private let encoder: JournalEncoder
    private let file: JournalFile?

    struct Store {
        var entries: BoundedEntries
        var lastSequence: UInt64 = 0
        /// How often the journal was emptied.
        var epoch = 0
    }

    /// How much is kept in memory.
    public struct Limits: Sendable {
        /// 1 or more.
        public var entryCount: Int
        /// Bytes of request heads and bodies together.
        public var byteCount: Int

        /// Room for a long test; a run that needs more is set up wrong.
        public init(entryCount: Int = 10_000, byteCount: Int = 16 << 20) {
            self.entryCount = max(1, entryCount)
            self.byteCount = byteCount
        }
    }

    init(encoder: JournalEncoder, limits: Limits, file: JournalFile?) {
        self.encoder = encoder
        self.file = file
        store = Locked(Store(entries: BoundedEntries(limits: limits)))
    }

    /// Appends events that happened now, in order.
    ///
    /// What belongs to an epoch before the journal was emptied is left out: its numbers mean something else now.
    func append(epoch: Int = 0, connection: Int, request: Int? = nil, _ events: JournalEvent...) {
        store.withLock { store in
            guard epoch == store.epoch else { return }
            let now = MonotonicClock.nanoseconds
            for event in events {
                store.lastSequence += 1
                let entry = JournalEntry(
                    sequence: store.lastSequence, nanoseconds: now, connection: connection, request: request,
                    event: event)
                store.entries.append(entry)
                // Under the lock, so that the file has the journal's order.
                file?.append(entry, by: encoder)
            }
        }
    }

    /// What is kept now, oldest first.
    public func snapshot() -> Snapshot {
        store.withLock { store in
            Snapshot(entries: store.entries.inOrder, droppedCount: store.entries.droppedCount)
        }
    }

    /// A copy of a journal at one moment.
    public struct Snapshot: Sendable {
        /// Oldest first.
        public let entries: [JournalEntry]
        /// Entries that were dropped because the journal was full.
        public let droppedCount: Int
    }

    /// Empties the journal and begins another epoch, whose number is returned.
    func removeAll() -> Int {
        store.withLock { store in
            store.entries.removeAll()
            store.epoch += 1
            return store.epoch
        }
    }
}
