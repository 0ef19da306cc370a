internal import ProctorBase
public import ProctorJournal
internal import ProctorLoop

/// What one run saw and did, in order, within bounds; safe from any thread.
///
/// A full journal drops its oldest entries, or those in its middle, and counts them.
public final class Journal: Sendable {
    private let store: Locked<Store>
    private let encoder: JournalEncoder
    private let file: JournalFile?
    /// nil where nobody counts what clients do wrong.
    private let faults: FaultNotes?
    /// nil where nobody follows the requests.
    private let lines: RequestLines.Source?

    struct Store {
        var entries: BoundedEntries
        var lastSequence: UInt64 = 0
        /// How often the journal was emptied.
        var epoch = 0
        /// MonotonicClock nanoseconds of the newest entry; 0 before the first.
        var lastNanoseconds: UInt64 = 0
        /// Who waits for the next entry.
        var waiters: [JournalWaiter] = []
        /// Nothing more will come.
        var hasEnded = false
    }

    /// How much is kept in memory.
    public struct Limits: Sendable {
        /// 1 or more.
        public var entryCount: Int
        /// Bytes of request heads and bodies together.
        public var byteCount: Int
        /// Whether a full journal keeps its first half, so that the beginning of what a client repeats can be seen.
        public var keepsBeginning = false

        /// Room for a long test; a run that needs more is set up wrong.
        public init(entryCount: Int = 10_000, byteCount: Int = 16 << 20) {
            self.entryCount = max(1, entryCount)
            self.byteCount = byteCount
        }
    }

    init(
        encoder: JournalEncoder, limits: Limits, file: JournalFile?, faults: FaultNotes? = nil,
        lines: RequestLines.Source? = nil
    ) {
        self.encoder = encoder
        self.file = file
        self.faults = faults
        self.lines = lines
        store = Locked(Store(entries: BoundedEntries(limits: limits, keepsBeginning: limits.keepsBeginning)))
    }

    /// Appends an event that happened now.
    ///
    /// What belongs to an epoch before the journal was emptied is left out: its numbers mean something else now.
    ///
    /// `isCopy` says that another journal of the server has the same event, where it is counted.
    func append(
        epoch: Int = 0, connection: Int?, request: Int? = nil, isCopy: Bool = false, _ event: JournalEvent
    ) {
        store.withLock { store in
            guard epoch == store.epoch else { return }
            let now = store.beginEntry()
            append(event, connection, request, isCopy, now, to: &store)
        }
    }

    /// Appends the events of a request that happened now, in order.
    func append(epoch: Int, connection: Int, request: Int, _ events: borrowing EventList) {
        store.withLock { store in
            guard epoch == store.epoch else { return }
            let now = store.beginEntry()
            events.forEach { append($0, connection, request, false, now, to: &store) }
        }
    }

    private func append(
        _ event: JournalEvent, _ connection: Int?, _ request: Int?, _ isCopy: Bool, _ now: UInt64, to store: inout Store
    ) {
        store.lastSequence += 1
        let entry = JournalEntry(
            sequence: store.lastSequence, nanoseconds: now, connection: connection, request: request, event: event)
        // Under the lock, so that the file has the journal's order.
        file?.append(entry, by: encoder)
        if let faults, !isCopy { faults.note(entry) { store.entries.inOrder } }
        lines?.take(entry)
        store.entries.append(entry)
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

        /// Those of them that stood before the first entry; the others are gaps between entries.
        var leadingDroppedCount: Int {
            var rest = UInt64(droppedCount)
            for (entry, next) in zip(entries, entries.dropFirst()) {
                let gap = next.sequence - entry.sequence - 1
                rest -= min(gap, rest)
            }
            return Int(rest)
        }
    }

    /// When the newest entry was made, in MonotonicClock nanoseconds; 0 before the first.
    var lastActivity: UInt64 { store.withLock { $0.lastNanoseconds } }

    /// The entries behind a sequence number as JSON lines, with a line of its own where some were dropped.
    func lines(after sequence: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        let snapshot = snapshot()
        var last: JournalEntry?
        for entry in snapshot.entries {
            defer { last = entry }
            guard entry.sequence > sequence else { continue }
            let gap = last.map { entry.sequence - $0.sequence - 1 } ?? UInt64(snapshot.leadingDroppedCount)
            // Who asks for what came since has perhaps seen a part of them.
            let unseen = min(gap, entry.sequence - 1 - min(sequence, entry.sequence - 1))
            if unseen > 0 { encoder.appendDropped(Int(clamping: unseen), before: entry, to: &bytes) }
            encoder.append(entry, to: &bytes)
        }
        return bytes
    }

    /// Waits until there is an entry behind a sequence number, the journal ends, or the time is over.
    ///
    /// On the loop's thread.
    func waitForEntry(after sequence: UInt64, on loop: EventLoop, within duration: Duration) async {
        let waiter = JournalWaiter()
        let mustWait = store.withLock { store in
            guard store.lastSequence <= sequence, !store.hasEnded else { return false }
            store.waiters.append(waiter)
            return true
        }
        guard mustWait else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                await loop.sleep(for: duration)
                waiter.wake()
            }
            await waiter.wait()
            group.cancelAll()
        }
        store.withLock { store in store.waiters.removeAll { $0 === waiter } }
    }

    /// Whether somebody waits for the next entry.
    var isAwaited: Bool { store.withLock { !$0.waiters.isEmpty } }

    /// Nothing more will come: nobody has to wait any longer.
    func end() {
        store.withLock { store in
            store.hasEnded = true
            store.wakeAll()
        }
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

extension Journal.Store {
    /// Wakes those who wait; returns the moment of the entries that follow.
    mutating func beginEntry() -> UInt64 {
        lastNanoseconds = MonotonicClock.nanoseconds
        if !waiters.isEmpty { wakeAll() }
        return lastNanoseconds
    }

    mutating func wakeAll() {
        for waiter in waiters { waiter.wake() }
        waiters = []
    }
}
