internal import ProctorBase

/// How a task waits for the end of its peer beside everything else; at most one task of a socket does.
extension Socket {
    /// Waits until the peer has sent FIN or reset the connection, without reading.
    ///
    /// With `throughLayer` the layer handles records without plaintext meanwhile, such as close_notify: not while another
    /// task reads.
    package func waitUntilPeerLeaves(
        within limit: UInt64 = .max, throughLayer: Bool = false
    ) async throws(SocketError) {
        try await waitForPeer(until: Self.deadline(within: limit), throughLayer: throughLayer) { true }
    }

    /// Waits until the peer has closed or reset the whole connection, without reading: bytes that come stay with the system,
    /// and with a layer at most one record of them inside the layer.
    ///
    /// Times out at `deadline`, in MonotonicClock nanoseconds, to the millisecond. A half-closed peer is still there, and
    /// `onFIN` is called once for a socket. Where the system does not tell half-closed from closed, as on another machine,
    /// only a reset ends the wait.
    package func waitUntilPeerIsGone(
        until deadline: UInt64, onFIN: () -> Void = {}
    ) async throws(SocketError) {
        try await waitForPeer(until: deadline, throughLayer: true) {
            if isPeerGone { return true }
            if !wasFINTold {
                wasFINTold = true
                onFIN()
            }
            return false
        }
    }

    /// Ends a wait for the peer's end as timed out; no effect where no task waits.
    package func endWaitForPeer() {
        loop.preconditionOnLoop()
        endLeavingWait()
    }

    /// Whether a wait for the peer's end has seen it, and the peer has closed or reset the whole connection by now.
    package var isPeerKnownGone: Bool {
        loop.preconditionOnLoop()
        return hasPeerEnded && isPeerGone
    }

    /// `isOver` is asked whether FIN or RST, which was seen, ends the wait.
    private func waitForPeer(
        until deadline: UInt64, throughLayer: Bool, _ isOver: () -> Bool
    ) async throws(SocketError) {
        try requireUsable()
        wasWaitForPeerEnded = false
        while true {
            // Before the end is looked at, so that a close_notify in front of FIN is told first.
            let awaitsInput = if throughLayer, let layer { !hasInput(through: layer) } else { false }
            if hasPeerEnded, isOver() { return }
            let now = MonotonicClock.nanoseconds
            guard now < deadline, !wasWaitForPeerEnded else { throw .timedOut }
            // No event tells that a half-closed peer has closed.
            let end = hasPeerEnded ? min(deadline, now &+ Self.goneLookPause) : deadline
            try await pauseForPeer(until: end, orInput: awaitsInput)
        }
    }

    private var isPeerGone: Bool {
        if wasReset { return true }
        if case .unix = peer { return hasHungUp(descriptor) }
        if case .left = lookAtPeer() { return true }
        return false
    }

    /// Nanoseconds between two checks.
    static let goneLookPause: UInt64 = 8_000_000
}
