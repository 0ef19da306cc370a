internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// One request of a connection of HTTP/2, with its reply; on the loop's thread only.
final class HTTP2Stream {
    let number: UInt32
    let owner: HTTP2Connection
    let input: RequestInput
    var arrived: StreamInput
    private var owed = 0
    /// Entries of the journal about DATA, of both sides.
    private var dataEntryCount = 0

    /// So many DATA frames of a stream have entries of their own, and with them the last one of each side: a long reply
    /// would fill a journal.
    static let dataEntryLimit = FrameNote.dataEntryLimit
    /// Set while the stream carries a connection to an origin.
    var tunnel: StreamTunnel?
    /// Whether a 2xx reply to CONNECT was sent, so that DATA is of another protocol.
    var hasLeftHTTP = false
    /// Whether a script plays behind such a reply.
    var isConversing = false
    /// Set while a WebSocket is open on the stream.
    var webSocket: (any HeldWebSocket)?
    /// Whether END_STREAM was sent by an effect of that script.
    var isHalfClosed = false
    /// How the reply's frames are written.
    var shape = FrameShape()
    /// The field block whose frames go out one by one; nil: none.
    var block: SentBlock?
    /// A reply that waits for room, and refers to the stream until it is taken out; nil: none.
    var kept: KeptReply<HTTP2Stream>?
    /// Bytes of content that the stream may send before others get room.
    var share = HTTP2Connection.shareByteCount

    /// `hasEnded`: the client has ended its half with the head.
    init(
        _ number: UInt32, of owner: HTTP2Connection, head: RequestHead, hasEnded: Bool, arrival: RequestArrival
    ) {
        (self.number, self.owner) = (number, owner)
        input = RequestInput(streamOf: owner.connection.endpoint, owner.bounds, head: head, arrival: arrival)
        arrived = StreamInput(hasEnded: hasEnded)
    }

    /// Adds bytes that the stream's window has not got back yet; returns their count where that is enough for a frame.
    func credit(_ byteCount: Int, atLeast least: Int) -> UInt32? {
        owed += byteCount
        // The client has ended its half.
        guard !hasEnded, end == nil, owed >= least else { return nil }
        defer { owed = 0 }
        return UInt32(clamping: owed)
    }

    /// Whether a DATA frame gets an entry of the journal.
    func isNoted(dataEndingStream endsStream: Bool) -> Bool {
        dataEntryCount += 1
        return endsStream || dataEntryCount <= Self.dataEntryLimit
    }

    // MARK: What comes

    func wake() {
        arrived.wakeTask()
        tunnel?.streamChanged()
    }

    /// Throws where the client has sent FIN.
    func waitForPeer(within limit: UInt64?) async throws(ConnectionEnd) {
        if let end { throw end }
        if owner.input.hasEnded { throw .peerClosed }
        try await waitForChange(within: limit)
    }
}
