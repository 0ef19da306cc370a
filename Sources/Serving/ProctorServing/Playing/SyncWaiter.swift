internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import Synchronization

/// A reply at a sync point, one whose content is being coded, or a WebSocket that waits for its client; woken from any
/// thread, it checks again on its loop.
package final class SyncWaiter: Sendable {
    private let held: LoopBound<WaitingPeer>
    private let isOver = Atomic(false)

    package init(_ wire: any ConversationWire) { held = WaitingPeer.bound(wire) }

    package func wake() {
        held.loop.submit {
            // The wire may wait for another reason now.
            if !self.isOver.load(ordering: .relaxed) { self.held.value.peer?.endWaits() }
        }
    }

    /// Ignores later wakes; on the loop's thread.
    package func close() {
        held.loop.preconditionOnLoop()
        isOver.store(true, ordering: .relaxed)
        held.value.peer = nil
    }
}

/// Waits for reported events for a player, and moves the clock of its run; on the loop's thread only.
struct ReportAwaiter {
    let reports: ClientReports
    let clock: RunClock
    /// Writes into the journals of the connection or the request.
    let note: (JournalEvent) -> Void

    func moveClock(_ change: ClockChange) { note(.clockMoved(clock.apply(change, by: .effect))) }

    /// Returns when the event was reported or the bound is over; throws when the peer has left.
    func pass(
        _ point: SyncPoint, on wire: any Wire, _ bounds: ConnectionBounds
    ) async throws(ConnectionEnd) {
        let waiter = SyncWaiter(wire)
        let number = reports.addWaiter(for: point.event) { waiter.wake() }
        let waits = ClientReports.Bounds(reported: bounds.await, unreported: bounds.unreportedAwait)
        defer {
            reports.removeWaiter(number)
            waiter.close()
        }
        let start = MonotonicClock.nanoseconds
        while true {
            switch reports.nextStep(at: point, waited: MonotonicClock.nanoseconds &- start, waits) {
            case .pass(let how):
                note(.syncPassed(event: point.event, how: how))
                return
            case .wait(let nanoseconds):
                // No other code of this thread runs between the check and the wait, so no wake-up is lost.
                try await wire.waitWhilePeerStays(within: nanoseconds)
            }
        }
    }
}

extension Preparation {
    /// Waits for the outcome; throws when the client leaves first.
    func outcome(for wire: any Wire) async throws(ConnectionEnd) -> Outcome {
        let waiter = SyncWaiter(wire)
        let number = join { waiter.wake() }
        defer {
            removeWaiter(number)
            waiter.close()
        }
        while true {
            // No other code of this thread runs between the check and the wait, so no wake-up is lost.
            if let outcome { return outcome }
            try await wire.waitWhilePeerStays()
        }
    }
}
