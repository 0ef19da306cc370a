internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Where a player waits for what its client reports.
///
/// Loop thread only.
struct SyncDesk {
    let board: ClientReports
    /// Writes into the journals that know the connection, or the request.
    let note: (JournalEvent) -> Void

    /// Returns when the event was reported or the bound is over; throws when the peer is gone meanwhile.
    func pass(_ point: SyncPoint, on socket: Socket, _ bounds: ConnectionBounds) async throws(ConnectionEnd) {
        let waiter = SyncWaiter(socket, for: point.event)
        board.add(waiter)
        defer {
            board.remove(waiter)
            waiter.end()
        }
        let start = MonotonicClock.nanoseconds
        while true {
            switch board.look(at: point, waited: MonotonicClock.nanoseconds &- start, bounds) {
            case .pass(let how):
                note(.syncPassed(event: point.event, how: how))
                return
            case .wait(let nanoseconds):
                // Between the look and the wait this thread does nothing else, so that no waking is lost.
                if try await isPeerGone(socket, within: nanoseconds) {
                    throw socket.wasReset ? .peerReset : .peerClosed
                }
            }
        }
    }

    /// False when the time is over, or the waiter was woken.
    private func isPeerGone(_ socket: Socket, within limit: UInt64) async throws(ConnectionEnd) -> Bool {
        do throws(SocketError) {
            try await socket.waitUntilPeerIsGone(within: limit)
            return true
        } catch {
            if error == .timedOut { return false }
            throw ConnectionEnd(error)
        }
    }
}
