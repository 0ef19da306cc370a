internal import ProctorBase
internal import ProctorLoop

/// What waits for something besides its peer, and learns when the peer leaves: a connection or a stream; on the loop's
/// thread only.
///
/// Every pause of a reply waits by ``waitWhilePeerStays(until:)``, so that the end of the peer ends the pause.
protocol PeerWaiting: AnyObject {
    var loop: EventLoop { get }

    /// Returns at the moment, in MonotonicClock nanoseconds, or when ``endWaitForPeer()`` was called; throws as soon as the
    /// peer is known to have left.
    func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd)

    /// No effect where no task waits so.
    func endWaitForPeer()
}

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
    /// The same within nanoseconds from now.
    func waitWhilePeerStays(within limit: UInt64 = .max) async throws(ConnectionEnd) {
        try await waitWhilePeerStays(until: Socket.deadline(within: limit))
    }

    /// Waits until the moment, whoever ends a wait before; throws as soon as the peer is known to have left.
    func pause(until moment: UInt64) async throws(ConnectionEnd) {
        while MonotonicClock.nanoseconds < moment { try await waitWhilePeerStays(until: moment) }
    }

    func pause(for duration: Duration) async throws(ConnectionEnd) {
        try await pause(until: Socket.deadline(within: duration.wholeNanoseconds))
    }
}
