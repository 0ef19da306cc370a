internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import Synchronization

/// The reported events of a stage's client, and the replies that wait for events; safe from any thread.
final class ClientReports: Sendable {
    private let state = Locked(State())

    private struct State {
        /// The journal's epoch at the last reset.
        var epoch = 0
        /// By event, of all tasks.
        var totals: [String: Int] = [:]
        var counts: [Mark: Int] = [:]
        var expectsReports = false
        /// A promise was not kept within one full wait; later replies wait only a moment.
        var isSilent = false
        var waiters: [ObjectIdentifier: SyncWaiter] = [:]

        var hasReports: Bool { !totals.isEmpty }
    }

    private struct Mark: Hashable {
        let event: String
        let task: Int
    }

    /// The most pairs of event and task that are counted; later events count only where no task is named.
    private static let markLimit = 10_000

    enum Look: Equatable {
        case pass(JournalEvent.SyncPassing)
        case wait(UInt64)
    }

    /// Whether replies wait in full even before the client's first report.
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

    /// Counts reports, and wakes the replies that may wait for them; reports of an earlier epoch are ignored.
    func note(_ event: String, task: Int, count: Int, epoch: Int) {
        let concerned: [SyncWaiter] = state.withLock { state in
            guard epoch == state.epoch else { return [] }
            // The first report shows that the client reports, which concerns all waiting replies.
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

    /// How often an event was reported; a nil task means any.
    private static func count(_ point: SyncPoint, in state: State) -> Int {
        guard let task = point.task else { return state.totals[point.event] ?? 0 }
        return state.counts[Mark(event: point.event, task: task)] ?? 0
    }

    /// The next step at a sync point after `waited` nanoseconds; a client without reports and promises is waited for
    /// only a moment.
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

    /// Removes the reports; a promise stays.
    func reset(epoch: Int) {
        state.withLock { state in
            state.epoch = epoch
            state.totals = [:]
            state.counts = [:]
            state.isSilent = false
        }
    }

    /// Not under the lock: a waiter calls its loop.
    private static func wake(_ waiters: [SyncWaiter]) {
        for waiter in waiters { waiter.wake() }
    }
}

/// A reply at a sync point, or one whose content is being coded; woken from any thread, it checks again on its loop.
final class SyncWaiter: Sendable {
    /// The event; nil: no event of a client.
    let event: String?
    private let held: LoopBound<Held>
    private let isOver = Atomic(false)

    init(_ channel: any PeerWaiting, for event: String? = nil) {
        self.event = event
        held = LoopBound(Held(), on: channel.loop)
        held.value.channel = channel
    }

    private final class Held {
        var channel: (any PeerWaiting)?
    }

    func wake() {
        held.loop.submit {
            // The channel may wait for its peer for another reason now.
            if !self.isOver.load(ordering: .relaxed) { self.held.value.channel?.endWaitForPeer() }
        }
    }

    /// Ignores later wakes; on the loop's thread.
    func end() {
        held.loop.preconditionOnLoop()
        isOver.store(true, ordering: .relaxed)
        held.value.channel = nil
    }
}

/// Waits for reported events for a player; on the loop's thread only.
struct ReportAwaiter {
    let reports: ClientReports
    /// Writes into the journals of the connection or the request.
    let note: (JournalEvent) -> Void

    /// Returns when the event was reported or the bound is over; throws when the peer has left.
    func pass(
        _ point: SyncPoint, on channel: any PeerWaiting, _ bounds: ConnectionBounds
    ) async throws(ConnectionEnd) {
        let waiter = SyncWaiter(channel, for: point.event)
        reports.add(waiter)
        defer {
            reports.remove(waiter)
            waiter.end()
        }
        let start = MonotonicClock.nanoseconds
        while true {
            switch reports.look(at: point, waited: MonotonicClock.nanoseconds &- start, bounds) {
            case .pass(let how):
                note(.syncPassed(event: point.event, how: how))
                return
            case .wait(let nanoseconds):
                // No other code of this thread runs between the check and the wait, so no wake-up is lost.
                try await channel.waitWhilePeerStays(within: nanoseconds)
            }
        }
    }
}
