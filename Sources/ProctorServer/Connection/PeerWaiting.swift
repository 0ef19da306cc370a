internal import ProctorLoop

/// What waits for something besides its peer, and learns when the peer leaves: a connection or a stream; on the loop's
/// thread only.
protocol PeerWaiting: AnyObject {
    var loop: EventLoop { get }

    /// Returns when the limit, in nanoseconds, is over or ``endWaitForPeer()`` was called; throws when the peer has
    /// left.
    func waitWhilePeerStays(within limit: UInt64) async throws(ConnectionEnd)

    /// No effect where no task waits so.
    func endWaitForPeer()
}

extension Socket: PeerWaiting {}

/// Hands who waits for an answer to tasks of its loop.
final class WaitingPeer {
    fileprivate(set) var peer: (any PeerWaiting)?

    /// For the loop's thread.
    static func bound(_ peer: any PeerWaiting) -> LoopBound<WaitingPeer> {
        let held = LoopBound(WaitingPeer(), on: peer.loop)
        held.value.peer = peer
        return held
    }
}

extension PeerWaiting {
    func waitWhilePeerStays() async throws(ConnectionEnd) { try await waitWhilePeerStays(within: .max) }
}
