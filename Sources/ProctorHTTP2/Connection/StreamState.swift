/// One stream, as one end of the connection sees it (RFC 9113 §5.1).
struct StreamState: Sendable {
    /// What the peer may still send.
    var receiving = Direction.open
    /// What we may still send.
    var sending = Direction.open
    /// For DATA of the peer.
    var receiveWindow: FlowWindow
    /// For our own DATA.
    var sendWindow: FlowWindow
    /// Whether a request or a final response has come.
    var hasHead = false
    /// Bytes of DATA without padding that came.
    var contentByteCount = 0
    /// Of the head's Content-Length; nil where nothing is to be compared.
    var contentLength: Int?
    /// The method of the request, where it matters: CONNECT or HEAD.
    var method: [UInt8]?
    /// A response that has no content.
    var hasNoContent = false
    /// A CONNECT that was accepted.
    var isTunnel = false

    enum Direction: Sendable, Equatable {
        case open, ended
        /// Reserved by PUSH_PROMISE: a head is to come first.
        case reserved
    }

    var isClosed: Bool { receiving == .ended && sending == .ended }
}

/// How streams that are no more have ended; the oldest ones are forgotten.
struct ClosedStreams: Sendable {
    private var ends: [UInt32: End] = [:]
    private var order: [UInt32] = []
    private var next = 0
    /// Whether some are forgotten.
    private(set) var hasForgotten = false

    static let limit = 256

    enum End: Sendable {
        /// Both sides have sent END_STREAM.
        case ended
        case resetByPeer
        /// Frames that the peer sent before it knew may still come (RFC 9113 §5.1).
        case resetByUs
    }

    subscript(stream: UInt32) -> End? { ends[stream] }

    mutating func add(_ stream: UInt32, _ end: End) {
        if ends.updateValue(end, forKey: stream) != nil { return }
        if order.count < Self.limit {
            order.append(stream)
        } else {
            hasForgotten = true
            ends[order[next]] = nil
            order[next] = stream
            next = (next + 1) % Self.limit
        }
    }
}
