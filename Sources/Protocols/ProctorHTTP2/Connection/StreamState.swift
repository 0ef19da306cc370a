/// One stream, as one end of the connection knows it (RFC 9113 §5.1).
struct StreamState: Sendable {
    /// What the peer may still send on the stream.
    var receiving = Direction.open
    /// What this end may still send on the stream.
    var sending = Direction.open
    /// The window for DATA of the peer.
    var receiveWindow: FlowWindow
    /// The window for our own DATA.
    var sendWindow: FlowWindow
    /// Whether a request or a final response has been received.
    var hasHead = false
    /// The received bytes of DATA without padding.
    var contentByteCount = 0
    /// The value of the head's Content-Length; nil if there is nothing to compare.
    var contentLength: Int?
    /// The method of the request if it has a meaning for the stream: CONNECT or HEAD.
    var method: [UInt8]?
    /// Whether the message is a response without content.
    var hasNoContent = false
    /// Whether the stream is an accepted CONNECT.
    var isTunnel = false

    enum Direction: Sendable, Equatable {
        case open, ended
        /// Reserved by PUSH_PROMISE: HEADERS must come first.
        case reserved
    }

    var isClosed: Bool { receiving == .ended && sending == .ended }
}

/// How closed streams have ended; the oldest entries are removed.
struct ClosedStreams: Sendable {
    private var ends: [(stream: UInt32, end: End)] = []
    private var next = 0
    /// Whether entries were removed.
    private(set) var hasForgotten = false

    static let limit = 256

    enum End: Sendable {
        /// Both ends have sent END_STREAM.
        case ended
        case resetByPeer
        /// We have sent RST_STREAM; frames that the peer sent before it received that may still come (RFC 9113 §5.1).
        case resetByUs
    }

    // Only a departure of the peer asks.
    subscript(stream: UInt32) -> End? { ends.first { $0.stream == stream }?.end }

    /// Adds a stream that was open until now, or was refused.
    mutating func add(_ stream: UInt32, _ end: End) {
        if ends.count < Self.limit {
            ends.append((stream, end))
        } else {
            hasForgotten = true
            ends[next] = (stream, end)
            next = (next + 1) % Self.limit
        }
    }

    /// A stream that is closed already has ended in another way too.
    mutating func change(_ stream: UInt32, _ end: End) {
        guard let place = ends.firstIndex(where: { $0.stream == stream }) else { return add(stream, end) }
        ends[place].end = end
    }
}
