internal import ProctorLoop

/// A reply that stands at a sync point, or whose content is being coded; woken from any thread, it looks again on its loop.
final class SyncWaiter: @unchecked Sendable {
    /// What it waits for; nil: something that no client reports.
    let event: String?
    private let socket: Socket
    /// Loop thread only.
    private var isOver = false

    init(_ socket: Socket, for event: String? = nil) {
        self.event = event
        self.socket = socket
    }

    func wake() {
        socket.loop.submit { self.wakeOnLoop() }
    }

    private func wakeOnLoop() {
        // The socket may wait for its peer for another reason by now.
        guard !isOver else { return }
        socket.endWaitForPeer()
    }

    /// What comes late does nothing.
    func end() {
        socket.loop.preconditionOnLoop()
        isOver = true
    }
}
