package import ProctorBase
internal import Synchronization

/// The events of one run, in order and within bounds; safe from any thread.
///
/// A full journal drops its oldest entries, or those in its middle, and counts them.
public final class Journal: Sendable {
    /// The number of the journal, which no other journal of the process has.
    package let number: UInt64
    /// Nil for the journal of the shared port.
    package let scenario: String?
    package let run: String?
    private let store: Locked<Store>
    private let limits: Limits
    private let encoder: JournalEncoder
    private let file: JournalFile?
    /// nil where clients' faults are not counted.
    private let faults: FaultNotes?
    /// nil where no request lines are made.
    private let lines: RequestLines.Source?
    /// nil where no description says how messages have to be.
    private let judge: (any MessageJudge)?
    /// Whether there is one: a look at it costs each entry a copy.
    private let isJudged: Bool
    /// nil where nothing is counted.
    private let tally: JournalTally?

    struct Store {
        var entries: BoundedEntries
        /// Without the entries that ``entries`` has dropped.
        var counts = JournalTally.Counts()
        var lastSequence: UInt64 = 0
        var epoch = 0
        /// MonotonicClock nanoseconds of the newest entry; 0 before the first.
        var lastNanoseconds: UInt64 = 0
        /// Finished to wake the calls that wait for an entry.
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWaiter = 0
        var hasEnded = false
    }

    /// The bounds of a journal in memory.
    public struct Limits: Sendable {
        /// The most entries; 1 or more.
        public var entryCount: Int
        /// Bytes of request heads and bodies together.
        public var byteCount: Int
        /// Whether a full journal keeps its first half, which shows how a repetition began.
        public var keepsBeginning = false

        /// Bounds that a long test does not reach.
        public init(entryCount: Int = 10_000, byteCount: Int = 16 << 20) {
            self.entryCount = max(1, entryCount)
            self.byteCount = byteCount
        }
    }

    init(
        encoder: JournalEncoder, limits: Limits, file: JournalFile?, faults: FaultNotes? = nil,
        lines: RequestLines.Source? = nil, scenario: String? = nil, run: String? = nil,
        judge: (any MessageJudge)? = nil, tally: JournalTally? = nil
    ) {
        (self.judge, isJudged, self.tally) = (judge, judge != nil, tally)
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        (self.scenario, self.run, self.limits, self.encoder, self.file) = (scenario, run, limits, encoder, file)
        (self.faults, self.lines) = (faults, lines)
        let store = Locked(Store(entries: BoundedEntries(limits: limits)))
        self.store = store
        tally?.add(number) { store.withLock { $0.allCounts } }
    }

    /// The journal of a scenario, of a `run`, or of the shared port (nil).
    ///
    /// Its entries also go to `file`, what they say of clients' faults and of requests to `faults` and `lines`, and
    /// their numbers to `tally`.
    package convenience init(
        of scenario: String?, run: String? = nil, limits: Limits, file: JournalFile?, faults: ClientFaults?,
        lines: RequestLines?, judge: (any MessageJudge)? = nil, tally: JournalTally? = nil
    ) {
        self.init(
            encoder: JournalEncoder(scenario: scenario, run: run), limits: limits, file: file,
            faults: faults.map { FaultNotes(faults: $0, scenario: scenario) },
            lines: lines?.source(scenario: scenario, run: run), scenario: scenario, run: run, judge: judge,
            tally: tally)
    }

    deinit { tally?.retire(number) }

    private static let lastNumber = Atomic<UInt64>(0)

    /// Appends an event with the present time, unless `epoch` is over.
    ///
    /// `isCopy`: another journal of the server has the same event, and it is counted there.
    package func append(
        epoch: Int = 0, connection: Int?, request: Int? = nil, isCopy: Bool = false, _ event: JournalEvent
    ) {
        let need: JournalWriter.Need = store.withLock { store in
            guard epoch == store.epoch else { return .nothing }
            return appendEntry(
                event, connection: connection, request: request, isCopy: isCopy, at: store.beginEntry(), to: &store)
        }
        file?.fulfil(need)
        if isJudged, !isCopy {
            appendJudgements(of: [event], epoch: epoch, connection: connection, request: request)
        }
    }

    /// Appends the events of a request, or of a connection where that is nil, in order, and empties the list.
    ///
    /// `time` is when they were, in MonotonicClock nanoseconds; nil: now. Where an entry is later, they have its time.
    package func appendEvents(
        epoch: Int, connection: Int, request: Int?, at time: UInt64? = nil, draining events: inout JournalEvents
    ) {
        let judged = isJudged ? events.copies : nil
        let need: JournalWriter.Need = store.withLock { store in
            var need = JournalWriter.Need.nothing
            guard epoch == store.epoch else {
                events.removeAll()
                return need
            }
            let now = store.beginEntry(at: time)
            events.drain {
                need.add(appendEntry($0, connection: connection, request: request, isCopy: false, at: now, to: &store))
            }
            return need
        }
        file?.fulfil(need)
        if let judged { appendJudgements(of: judged, epoch: epoch, connection: connection, request: request) }
    }

    /// Behind the events themselves, which the lock no longer holds.
    private func appendJudgements(of events: [JournalEvent], epoch: Int, connection: Int?, request: Int?) {
        guard let judge else { return }
        for event in events {
            for judgement in judge.judgements(of: event, epoch: epoch, connection: connection, request: request) {
                append(epoch: epoch, connection: connection, request: request, judgement)
            }
        }
    }

    private func appendEntry(
        _ event: consuming JournalEvent, connection: Int?, request: Int?, isCopy: Bool, at now: UInt64,
        to store: inout Store
    ) -> JournalWriter.Need {
        store.lastSequence += 1
        // A copy is counted where its original is.
        if !isCopy { store.counts.count(event) }
        // Most journals are read by nobody meanwhile, and an entry that is moved costs no count of references.
        guard file != nil || faults != nil || lines != nil else {
            store.entries.append(
                JournalEntry(
                    sequence: store.lastSequence, nanoseconds: now, connection: connection, request: request,
                    event: event))
            return .nothing
        }
        let entry = JournalEntry(
            sequence: store.lastSequence, nanoseconds: now, connection: connection, request: request, event: event)
        // Under the lock, so that the file has the journal's order.
        let need = file?.append(entry, by: encoder) ?? .nothing
        if let faults, !isCopy { faults.countEntry(entry) { store.entries.inOrder } }
        lines?.add(entry)
        store.entries.append(consume entry)
        return need
    }

    /// The entries that are kept now, oldest first.
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

        /// Whether any client has connected, as far as entries are kept.
        package var hasConnections: Bool { entries.contains { $0.connection != nil } }

        /// Dropped entries before the first one kept; the other dropped ones are gaps between entries.
        var leadingDroppedCount: Int {
            var rest = UInt64(droppedCount)
            for (entry, next) in zip(entries, entries.dropFirst()) {
                let gap = next.sequence - entry.sequence - 1
                rest -= min(gap, rest)
            }
            return Int(rest)
        }
    }

    /// Reads under the lock: the kept entries, the epoch, the newest sequence number, and whether the journal has ended.
    func read<Result: Sendable>(
        _ body: @Sendable (borrowing BoundedEntries, Int, UInt64, Bool) -> Result
    ) -> Result {
        store.withLock { body($0.entries, $0.epoch, $0.lastSequence, $0.hasEnded) }
    }

    /// Appends the JSON line of an entry.
    package func encode(_ entry: JournalEntry, to json: inout JSONText) { encoder.append(entry, to: &json) }

    /// The newest sequence number and the epoch: both stay as long as nothing happens.
    package var state: (lastSequence: UInt64, epoch: Int) { store.withLock { ($0.lastSequence, $0.epoch) } }

    package var lastActivity: UInt64 { store.withLock { $0.lastNanoseconds } }

    /// The entries after a sequence number as JSON lines, with an extra line where entries were dropped.
    package func lines(after sequence: UInt64) -> [UInt8] {
        var json = JSONText()
        let snapshot = snapshot()
        var written = WrittenContents()
        var last: JournalEntry?
        for entry in snapshot.entries {
            defer { last = entry }
            guard entry.sequence > sequence else { continue }
            let gap = last.map { entry.sequence - $0.sequence - 1 } ?? UInt64(snapshot.leadingDroppedCount)
            // A part of the gap may be before the caller's sequence number.
            let unseen = min(gap, entry.sequence - 1 - min(sequence, entry.sequence - 1))
            if unseen > 0 { encoder.appendDropped(Int(clamping: unseen), before: entry, to: &json) }
            encoder.append(written.shortened(entry), to: &json)
        }
        return json.bytes
    }

    /// Has `waiter` finished by the first entry after a sequence number, and by the journal's end; returns the number for
    /// ``removeWaiter(_:)``, nil where there is such an entry already.
    package func addWaiter(_ waiter: AsyncStream<Void>.Continuation, after sequence: UInt64) -> Int? {
        store.withLock { store in
            guard store.lastSequence <= sequence, !store.hasEnded else { return nil }
            defer { store.nextWaiter += 1 }
            store.waiters[store.nextWaiter] = waiter
            return store.nextWaiter
        }
    }

    package func removeWaiter(_ number: Int) { store.withLock { $0.waiters[number] = nil } }

    package var isAwaited: Bool { store.withLock { !$0.waiters.isEmpty } }

    /// Ends the journal, and wakes the calls that wait.
    package func close() {
        store.withLock { store in
            store.hasEnded = true
            store.wakeAll()
        }
    }

    /// Empties the journal and begins another epoch, whose number is returned.
    package func removeAll() -> Int {
        store.withLock { store in
            store.counts = store.allCounts
            store.entries = BoundedEntries(limits: limits)
            store.epoch += 1
            return store.epoch
        }
    }
}

extension Journal.Store {
    var allCounts: JournalTally.Counts {
        var all = counts
        all.droppedCount += UInt64(entries.droppedCount)
        return all
    }

    /// Wakes the calls that wait; returns the time for the entries that follow.
    mutating func beginEntry(at time: UInt64? = nil) -> UInt64 {
        lastNanoseconds = max(lastNanoseconds, time ?? MonotonicClock.nanoseconds)
        if !waiters.isEmpty { wakeAll() }
        return lastNanoseconds
    }

    mutating func wakeAll() {
        for waiter in waiters.values { waiter.finish() }
        waiters = [:]
    }
}
