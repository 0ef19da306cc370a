/// What one end knows of a stream on which the peer sends.
struct IncomingStream: Sendable, Equatable {
    var kind: Kind
    /// Bytes of the stream before its first frame or instruction.
    var reader: HTTP3FrameReader
    var message = MessageState()
    /// Set while a field section waits for insertions.
    var waiting: Waiting?

    enum Kind: Sendable, Equatable {
        /// A unidirectional stream whose type has not come whole.
        case untyped([UInt8])
        /// A push stream whose number has not come whole.
        case unnumbered([UInt8])
        case control, encoder, decoder
        case message
        case push(UInt64)
        /// A stream of an unknown type, refused, or broken: nothing of it is read.
        case ignored
    }

    struct Waiting: Sendable, Equatable {
        let frame: HTTP3Frame
        let insertCount: Int
        /// What came behind the frame.
        var rest: [UInt8] = []
        var ends = false
    }
}

/// Where the message of a stream stands (RFC 9114 §4.1).
struct MessageState: Sendable, Equatable {
    var phase = Phase.head
    /// The method of the request, for what its response may have.
    var method: [UInt8]?
    /// The head's Content-Length; nil if there is nothing to compare.
    var contentLength: Int?
    /// The received bytes of DATA.
    var contentByteCount = 0
    /// Whether the message is a response without content.
    var hasNoContent = false

    enum Phase: Sendable {
        case head, content
        /// Behind CONNECT and its reply.
        case tunnel
        case trailers
    }
}
