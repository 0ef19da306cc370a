package import ProctorJournal
package import ProctorReplies
internal import ProctorScenario

/// A WebSocket as its module serves it.
package protocol ServedWebSocket: PlannedWebSocket {
    /// Makes the frames that go out with the head of the reply; `room`: the bytes that the journal keeps of what is sent;
    /// `sendsTurns`: whether the first turns may be among them.
    func makeLead(keeping room: Int, sendsTurns: Bool) throws(ConnectionEnd) -> any WebSocketBeginning
}

/// The first frames of a WebSocket, which go out in one write with the head of the reply.
package protocol WebSocketBeginning: AnyObject {
    var bytes: [UInt8] { get }

    /// Begins the conversation behind these frames, which were sent; `request` is nil where no turn is a script.
    func converse(
        on wire: any ConversationWire, _ log: RequestLog, by player: ReplyPlayer?, for request: ConversationRequest?
    ) -> any HeldWebSocket
}

/// A WebSocket that is open; on the loop's thread only.
package protocol HeldWebSocket: AnyObject {
    /// Plays the turns, then reads until the client leaves; returns how the connection ends.
    func run() async -> ConnectionEnd

    /// The server stops: says so, where that is possible without a wait, and then waits for the client; false where it isn't.
    func sendGoingAway() -> Bool
}
