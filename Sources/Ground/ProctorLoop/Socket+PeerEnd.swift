internal import ProctorBase

/// How a task waits for the end of the peer while other tasks read and write; at most one task of a socket does.
extension Socket {
    /// Waits until the peer has sent FIN or reset the connection, without reading.
    ///
    /// With `throughLayer` the layer handles records without plaintext meanwhile, such as close_notify. Not while
    /// another task reads.
    package func waitUntilPeerLeaves(
        within limit: UInt64 = .max, throughLayer: Bool = false
    ) async throws(SocketError) {
        try await waitForPeer(until: Self.deadline(within: limit), throughLayer: throughLayer) { true }
    }

    /// Waits until the peer has closed or reset the whole connection, without reading.
    ///
    /// Bytes that arrive stay in the system; a layer may hold at most one record of them. Times out at `deadline`, in
    /// MonotonicClock nanoseconds, with a precision of a millisecond. A half-closed peer does not end the wait; `onFIN`
    /// is called for it, once for a socket. If the system does not distinguish a half-closed peer from a closed one, as
    /// on another machine, only a reset ends the wait.
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

    /// Ends a wait for the peer's end as timed out; no effect if no task waits.
    package func endWaitForPeer() {
        loop.preconditionOnLoop()
        endLeavingWait()
    }

    /// Whether a wait has seen the peer's FIN or RST, and the peer has now closed or reset the whole connection.
    package var isPeerKnownGone: Bool {
        loop.preconditionOnLoop()
        return hasPeerEnded && isPeerGone
    }

    /// `isOver` returns whether the FIN or RST that was seen ends the wait.
    private func waitForPeer(
        until deadline: UInt64, throughLayer: Bool, _ isOver: () -> Bool
    ) async throws(SocketError) {
        try requireUsable()
        wasWaitForPeerEnded = false
        while true {
            // Before `hasPeerEnded` is checked, so that a close_notify before FIN is reported first.
            let awaitsInput = if throughLayer, let layer { !hasInput(through: layer) } else { false }
            if hasPeerEnded, isOver() { return }
            let now = MonotonicClock.nanoseconds
            guard now < deadline, !wasWaitForPeerEnded else { throw .timedOut }
            // The system reports no event when a half-closed peer closes.
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
