internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
package import ProctorLoop
package import ProctorScenario

/// A connection or a stream that is no longer HTTP, as a conversation on it needs it; on the loop's thread only.
package protocol ConversationWire: AnyObject {
    var loop: EventLoop { get }
    var bounds: ConnectionBounds { get }
    /// The request as far as it has come, and bytes that have come and were not taken.
    var input: RequestInput { get }
    /// Whether the server is about to stop.
    var isStopping: Bool { get }
    /// Whether it is a stream beside others, whose end leaves the connection as it is.
    var isStream: Bool { get }

    // MARK: Waiting for its peer

    /// Returns at the moment, in MonotonicClock nanoseconds, or when ``endWaits()`` was called; throws as soon as the peer
    /// is known to have left.
    ///
    /// Every pause of a reply waits so, so that the end of the peer ends the pause.
    func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd)

    /// Ends a wait for the peer, and one for input as if something had come; no effect where no task waits so.
    func endWaits()

    // MARK: Receiving

    /// Waits until more bytes of no request are kept; `limit` nanoseconds of silence, or the end of the peer's half, throw.
    func awaitBytes(within limit: UInt64) async throws(ConnectionEnd)

    /// Lends bytes of no request that have come, without waiting.
    func readAtOnce(_ take: (Span<UInt8>) -> Void) throws(ConnectionEnd) -> ReadAtOnce

    /// Whether ``readAtOnce(_:)`` can be called now, or needs ``giveTurn(until:)`` first.
    var hasTurn: Bool { get }

    /// Lets happen what ``readAtOnce(_:)`` needs first; a stream needs nothing.
    func giveTurn(until deadline: UInt64) async throws(ConnectionEnd)

    /// Waits until ``readAtOnce(_:)`` may give something; times out at the moment, in MonotonicClock nanoseconds.
    ///
    /// `answer` may be called when there is something, and decides whether the task wakes.
    func awaitInput(until deadline: UInt64, answer: @escaping () -> InputWait) async throws(ConnectionEnd)

    // MARK: Sending

    /// Whether our half has ended, so that nothing more is sent.
    var isHalfClosed: Bool { get }
    /// Whether our half is open, and the peer may still read.
    var isWritable: Bool { get }

    /// Sends the beginning of bytes behind a reply, as far as it goes out without a wait; returns the count.
    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int

    /// Sends bytes behind a reply, with its pace and its cuts; those before `start` went out.
    func sendBytes(_ bytes: [UInt8], from start: Int, by player: ReplyPlayer?) async throws(ConnectionEnd)

    /// Plays an effect behind a reply.
    func perform(_ action: Effect.Action, by player: ReplyPlayer) async throws(ConnectionEnd)

    /// Lets what was sent go out.
    func flush()

    /// After a half-close: reads until the peer has ended its half too.
    func awaitPeerAfterHalfClose() async throws(ConnectionEnd)
}

extension ConversationWire {
    /// Returns after `limit` nanoseconds, or when ``endWaits()`` was called; throws once the peer is known to be gone.
    package func waitWhilePeerStays(within limit: UInt64 = .max) async throws(ConnectionEnd) {
        try await waitWhilePeerStays(until: Socket.deadline(within: limit))
    }

    /// Waits until the moment, whoever ends a wait before; throws as soon as the peer is known to have left.
    package func pause(until moment: UInt64) async throws(ConnectionEnd) {
        while MonotonicClock.nanoseconds < moment { try await waitWhilePeerStays(until: moment) }
    }

    package func pause(for duration: Duration) async throws(ConnectionEnd) {
        try await pause(until: Socket.deadline(within: duration.wholeNanoseconds))
    }
}

// What a player does for a conversation.
extension Wire {
    package var isStream: Bool { !Self.writesBytes }
    package var isWritable: Bool { !isHalfClosed && peerEnd == nil }

    package func sendBytes(_ bytes: [UInt8], from start: Int, by player: ReplyPlayer?) async throws(ConnectionEnd) {
        guard let player else {
            var cursor = ReplyCursor()
            return try await cursor.sendBehindReply(bytes, from: start, on: self)
        }
        try await player.cursor.sendBehindReply(bytes, from: start, on: self)
    }

    package func perform(_ action: Effect.Action, by player: ReplyPlayer) async throws(ConnectionEnd) {
        try await player.cursor.perform(action, on: self)
    }
}

/// The player of a reply, for what a conversation behind it sends.
///
/// Most conversations have none, and it is as large as all else of them: their bytes alone are played, so that a new player does
/// the same.
package final class ReplyPlayer {
    fileprivate var cursor: ReplyCursor

    /// nil where the bytes alone are played.
    init?(_ cursor: ReplyCursor, of program: any WebSocketProgram) {
        if cursor.isPlain, program.actions.isEmpty, program.scripts.isEmpty { return nil }
        self.cursor = cursor
    }

    /// Whether bytes behind the reply have no pace, no cuts and no effects before frames.
    package var isPlain: Bool { cursor.isPlain }
}
