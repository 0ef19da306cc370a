internal import ProctorBase
package import ProctorJournal
package import ProctorScenario

/// The reported events of a stage's client, and the replies that wait for events; safe from any thread.
package final class ClientReports: Sendable {
    private let state = Locked(State())

    private struct State {
        /// The journal's epoch at the last reset.
        var epoch = 0
        /// How many reports of an event came, of all tasks; by event.
        var totals: [String: Int] = [:]
        var counts: [Mark: Int] = [:]
        var expectsReports = false
        /// A promise was not kept within one full wait; later replies wait only a moment.
        var isSilent = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0

        var hasReports: Bool { !totals.isEmpty }
    }

    /// A reply that waits for an event; `wake` may be called from any thread, also where the reply waits no more.
    private struct Waiter {
        let event: String
        let wake: @Sendable () -> Void
    }

    private struct Mark: Hashable {
        let event: String
        let task: Int
    }

    /// The most pairs of event and task that are counted; later events count only where no task is named.
    private static let markLimit = 10_000

    package enum Look: Equatable {
        case pass(JournalEvent.SyncPassing)
        case wait(UInt64)
    }

    /// How long a reply waits for an event, in nanoseconds, where the fixture has no bound of its own.
    package struct Bounds {
        package let reported: UInt64
        /// For a client that has reported nothing and has not promised to report.
        package let unreported: UInt64

        package init(reported: UInt64, unreported: UInt64) {
            (self.reported, self.unreported) = (reported, unreported)
        }
    }

    /// Whether replies wait in full even before the client's first report.
    package var expectsReports: Bool {
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
    package func record(_ event: String, task: Int, count: Int, epoch: Int) {
        let concerned: [Waiter] = state.withLock { state in
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
    package func nextStep(at point: SyncPoint, waited: UInt64, _ bounds: Bounds) -> Look {
        state.withLock { state in
            if Self.count(point, in: state) >= point.count { return .pass(.reached) }
            let whole = point.limit?.wholeNanoseconds ?? bounds.reported
            if state.hasReports || state.expectsReports && !state.isSilent {
                if waited < whole { return .wait(whole - waited) }
                if !state.hasReports { state.isSilent = true }
                return .pass(.timedOut)
            }
            let brief = min(whole, bounds.unreported)
            return waited < brief ? .wait(brief - waited) : .pass(.unreported)
        }
    }

    /// Has `wake` called when the event may have been reported; the number is for ``removeWaiter(_:)``.
    package func addWaiter(for event: String, _ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextWaiter += 1 }
            state.waiters[state.nextWaiter] = Waiter(event: event, wake: wake)
            return state.nextWaiter
        }
    }

    package func removeWaiter(_ number: Int) { state.withLock { $0.waiters[number] = nil } }

    /// Removes the reports; a promise stays.
    package func reset(epoch: Int) {
        state.withLock { state in
            state.epoch = epoch
            state.totals = [:]
            state.counts = [:]
            state.isSilent = false
        }
    }

    /// Not under the lock: a waiter calls its loop.
    private static func wake(_ waiters: [Waiter]) {
        for waiter in waiters { waiter.wake() }
    }
}
