public import ProctorBase

/// Something done at a position of a reply, just before the first byte of that position.
public struct Effect: Sendable {
    /// The effect comes just before the first byte of it.
    public let position: Position
    /// What is done.
    public let action: Action
    /// Where the effect begins in the file.
    public let location: SourceLocation

    /// Bytes are counted from 0.
    public enum Position: Sendable, Equatable {
        /// Byte N of the status line and fields; `head` is `head 0`.
        case head(Int)
        /// Byte N of the content, as coded.
        case body(Int)
        /// Byte N of the body as framed: chunk heads count.
        case wire(Int)
        /// After the last byte of the reply.
        case end
    }

    /// What can be done to a connection while a reply is sent.
    public enum Action: Sendable {
        case wait(Duration)
        /// Both directions are closed in order: everything sent, then FIN. `abrupt` does not wait for the peer.
        ///
        /// Where TLS is spoken, `notify` sends close_notify before FIN (RFC 8446 §6.1).
        case close(abrupt: Bool, notify: Bool)
        /// RST. Unless `abrupt`, it waits, bounded, until the peer has received what was sent.
        case reset(abrupt: Bool)
        /// FIN, while reading goes on.
        case halfClose
        /// Nothing more is sent and nothing read, until the peer leaves or the run's bound is over.
        case stall
        case send(ByteSource)
        /// The reply goes on when the client has reported the event; bounded.
        case await(SyncPoint)
        /// A fatal alert of TLS (RFC 8446 §6), then the connection is closed.
        case alert(UInt8)
        /// Half of the next record, then the connection is closed.
        case truncateRecord
        /// The next record can't be authenticated: its last byte is another one.
        case badMAC
    }

    /// One item of `effects:`.
    public init(position: Position, action: Action, location: SourceLocation) {
        self.position = position
        self.action = action
        self.location = location
    }
}

/// An event that the client must have reported before a reply goes on.
public struct SyncPoint: Sendable, Equatable {
    /// Its neutral name, as `response` or `data`.
    public let event: String
    /// 0-based; nil: of any task.
    public let task: Int?
    /// How many of them, 1 or more.
    public let count: Int
    /// How long it is waited for; nil: the server's own bound.
    public let limit: Duration?

    /// `count` must be positive.
    public init(event: String, task: Int? = nil, count: Int = 1, limit: Duration? = nil) {
        self.event = event
        self.task = task
        self.count = count
        self.limit = limit
    }
}
