internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import Synchronization

/// What the client of a stage has reported, and the replies that wait for more of it.
///
/// Safe from any thread.
final class ClientReports: Sendable {
    private let state = Locked(State())

    private struct State {
        /// Of the journal, when this was last emptied.
        var epoch = 0
        /// Of each event, whatever its task.
        var totals: [String: Int] = [:]
        var counts: [Mark: Int] = [:]
        /// Whether it was promised that the client reports.
        var expectsReports = false
        /// A promise was not kept for as long as a reply may wait; no reply waits so long for it again.
        var isSilent = false
        var waiters: [ObjectIdentifier: SyncWaiter] = [:]

        var hasReports: Bool { !totals.isEmpty }
    }

    private struct Mark: Hashable {
        let event: String
        let task: Int
    }

    /// Pairs of event and task that are counted apart; beyond them an event counts only where no task is named.
    private static let markLimit = 10_000

    /// What a reply is to do that stands at a sync point.
    enum Look: Equatable {
        case pass(JournalEvent.SyncPassing)
        /// So many nanoseconds, at most.
        case wait(UInt64)
    }

    /// Whether the client is known to report, so that it is waited for in full even before its first report.
    var expectsReports: Bool {
        get { state.withLock { $0.expectsReports } }
        set {
            Self.wake(
                state.withLock { state in
                    state.expectsReports = newValue
                    return Array(state.waiters.values)
                })
        }
    }

    /// Counts what has come, and has the replies look again that it may concern.
    ///
    /// What belongs to an epoch before ``reset(epoch:)`` is left out.
    func note(_ event: String, task: Int, count: Int, epoch: Int) {
        let concerned: [SyncWaiter] = state.withLock { state in
            guard epoch == state.epoch else { return [] }
            // The first report says of the client that it reports, which concerns all of them.
            let isFirst = !state.hasReports
            state.totals[event, default: 0] += count
            let mark = Mark(event: event, task: task)
            if state.counts[mark] != nil || state.counts.count < Self.markLimit {
                state.counts[mark, default: 0] += count
            }
            return state.waiters.values.filter { isFirst || $0.event == event }
        }
        Self.wake(concerned)
    }

    /// How often an event was reported; nil is any task.
    private static func count(_ point: SyncPoint, in state: State) -> Int {
        guard let task = point.task else { return state.totals[point.event] ?? 0 }
        return state.counts[Mark(event: point.event, task: task)] ?? 0
    }

    /// What to do at a sync point after `waited` nanoseconds of waiting.
    ///
    /// A client of which nothing was ever heard, and nothing promised, is waited for a moment only.
    func look(at point: SyncPoint, waited: UInt64, _ bounds: ConnectionBounds) -> Look {
        state.withLock { state in
            if Self.count(point, in: state) >= point.count { return .pass(.reached) }
            let whole = point.limit?.wholeNanoseconds ?? bounds.await
            if state.hasReports || state.expectsReports && !state.isSilent {
                if waited < whole { return .wait(whole - waited) }
                if !state.hasReports { state.isSilent = true }
                return .pass(.timedOut)
            }
            let brief = min(whole, bounds.unreportedAwait)
            return waited < brief ? .wait(brief - waited) : .pass(.unreported)
        }
    }

    func add(_ waiter: SyncWaiter) { state.withLock { $0.waiters[ObjectIdentifier(waiter)] = waiter } }

    func remove(_ waiter: SyncWaiter) { state.withLock { $0.waiters[ObjectIdentifier(waiter)] = nil } }

    /// Nothing was reported yet; what was promised still holds.
    func reset(epoch: Int) {
        state.withLock { state in
            state.epoch = epoch
            state.totals = [:]
            state.counts = [:]
            state.isSilent = false
        }
    }

    /// Not under the lock: a waiter calls into its loop.
    private static func wake(_ waiters: [SyncWaiter]) {
        for waiter in waiters { waiter.wake() }
    }
}

/// A reply that stands at a sync point, or whose content is being coded; woken from any thread, it looks again on its loop.
final class SyncWaiter: Sendable {
    /// What it waits for; nil: something that no client reports.
    let event: String?
    private let socket: Socket
    private let isOver = Atomic(false)

    init(_ socket: Socket, for event: String? = nil) {
        self.event = event
        self.socket = socket
    }

    func wake() {
        socket.loop.submit { self.wakeOnLoop() }
    }

    private func wakeOnLoop() {
        // The socket may wait for its peer for another reason by now.
        guard !isOver.load(ordering: .relaxed) else { return }
        socket.endWaitForPeer()
    }

    /// Has what comes later do nothing; on the loop's thread.
    func end() {
        socket.loop.preconditionOnLoop()
        isOver.store(true, ordering: .relaxed)
    }
}
