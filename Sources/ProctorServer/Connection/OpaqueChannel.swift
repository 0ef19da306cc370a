internal import ProctorLoop
internal import ProctorScenario

/// What carries bytes of another protocol behind a reply: a connection of HTTP/1.1, or a stream of HTTP/2; on the loop's
/// thread only.
protocol OpaqueChannel: AnyObject {
    var bounds: ConnectionBounds { get }
    /// Keeps bytes that have come and were not taken.
    var input: RequestInput { get }

    /// Nothing that comes from here on is HTTP.
    func leaveHTTP(_ log: RequestLog)

    func opaquePlayer(_ reports: ReportAwaiter) -> any OpaquePlaying

    /// An effect was played by this player.
    func didPlay(_ player: any OpaquePlaying)

    /// Waits until more bytes are kept; `limit` nanoseconds of silence, or the end of the peer's half, throw.
    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd)

    /// Nothing is to be sent any more.
    func comeToRest()

    /// After a half-close: reads until the peer has ended its half too.
    func awaitPeerAfterHalfClose() async throws(ConnectionEnd)
}

/// Plays the effects of a script behind a reply, of which `send` sends bytes of the other protocol.
protocol OpaquePlaying: EffectPlaying {
    var isHalfClosed: Bool { get }
}

extension Player: OpaquePlaying {}

extension Connection: OpaqueChannel {
    func leaveHTTP(_ log: RequestLog) {
        late.leavesHTTP = true
        late.opaqueLog = log
    }

    func opaquePlayer(_ reports: ReportAwaiter) -> any OpaquePlaying {
        var player = output.player()
        player.reports = reports
        return player
    }

    func didPlay(_ player: any OpaquePlaying) {
        if let player = player as? Player { output.isTruncating = player.isTruncating }
    }

    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
        try await receiver.awaitBytes(within: limit)
    }

    func comeToRest() { late.isAtRest = true }

    func awaitPeerAfterHalfClose() async throws(ConnectionEnd) { try await late.awaitPeer() }
}
