public import ProctorBase

/// One request to wait for and the reply, or replies by turn, to play.
public struct Exchange: Sendable {
    /// 0-based, in the order of the file.
    public let index: Int
    /// Index into the scenario's origins.
    public let origin: Int
    /// What it answers.
    public let request: RequestPattern
    /// Played by turn, never empty; the last one stays.
    public let replies: [Reply]
    /// How often the exchange may be used in all; nil means without limit.
    public let times: Int?
    /// `all` when the file says nothing.
    public let reads: ReadPolicy
    /// `continue` when the file says nothing.
    public let expectation: ExpectationPolicy
    /// What takes the next of several replies.
    public let turns: TurnPolicy
    /// Those that count their turns together have the same number, counted from 0; nil: it counts its own.
    public let turnGroup: Int?
    /// Indexes into the scenario's guards, asked in this order before the reply is played; a refused request takes no turn.
    public let guards: [Int]
    /// Where the exchange begins in the file.
    public let location: SourceLocation

    /// What takes the next of several replies.
    public enum TurnPolicy: String, Sendable, CaseIterable {
        /// Each request that the exchange answers.
        case request
        /// Each connection on which it answers; requests of one connection get the same reply.
        case connection
    }

    /// How much of a request body is read before the reply starts.
    public enum ReadPolicy: Sendable, Equatable {
        case all
        case none
        /// This many bytes of content and no more, or all if there are fewer; what is left is read behind the reply.
        case bytes(Int)
        /// All, in portions: what is not read yet keeps the peer's window shut.
        case paced(byteCount: Int, interval: Duration)
    }

    /// What is done about `Expect: 100-continue` (RFC 9110 §10.1.1).
    public enum ExpectationPolicy: String, Sendable, CaseIterable {
        /// 100 (Continue) is sent before the body is read.
        case `continue`
        /// Nothing is sent; the client has to decide by itself.
        case ignore
        /// Nothing is sent and no content read: the reply is the answer, and what comes behind it is the next request.
        case final
    }

    /// Every part as the fixture gives it, or its default.
    public init(
        index: Int, origin: Int, request: RequestPattern, replies: [Reply], times: Int?, reads: ReadPolicy,
        expectation: ExpectationPolicy, turns: TurnPolicy = .request, turnGroup: Int? = nil, guards: [Int] = [],
        location: SourceLocation
    ) {
        self.index = index
        self.origin = origin
        self.request = request
        self.replies = replies
        self.times = times
        self.reads = reads
        self.expectation = expectation
        self.turns = turns
        self.turnGroup = turnGroup
        self.guards = guards
        self.location = location
    }
}

/// What a request must be like for an exchange to answer it.
public struct RequestPattern: Sendable {
    /// As the file says it: `GET|HEAD /a/{id}`; for messages.
    public let text: String
    /// Case-sensitive tokens (RFC 9110 §9.1); nil means any.
    public let methods: [[UInt8]]?
    /// Against the request-target as it arrived.
    public let target: BytePattern
    /// When given, the query is compared as a list of `name=value` pairs in any order; `target` then holds the path only.
    public let query: [QueryItem]?
    /// All of them must hold.
    public let headers: [HeaderCondition]
    /// nil means any.
    public let body: BodyPattern?

    /// One pair of the query.
    public struct QueryItem: Sendable, Equatable {
        /// As it stands in the request-target, without decoding.
        public let name: [UInt8]
        /// Against the value as it stands, without decoding.
        public let value: BytePattern

        /// A name and what its value must match.
        public init(name: [UInt8], value: BytePattern) {
            self.name = name
            self.value = value
        }
    }

    /// What one field of the request must be like.
    public struct HeaderCondition: Sendable {
        /// Compared without regard to case.
        public let name: String
        /// One of the field lines must match; nil: the field must be absent.
        public let value: BytePattern?

        /// A field that must match, or be absent.
        public init(name: String, value: BytePattern?) {
            self.name = name
            self.value = value
        }
    }

    /// Every part as the fixture gives it.
    public init(
        text: String, methods: [[UInt8]]?, target: BytePattern, query: [QueryItem]?, headers: [HeaderCondition],
        body: BodyPattern?
    ) {
        self.text = text
        self.methods = methods
        self.target = target
        self.query = query
        self.headers = headers
        self.body = body
    }
}

/// What the content of a request must be.
public enum BodyPattern: Sendable {
    /// These bytes.
    case exact(ByteSource)
    /// A form in application/x-www-form-urlencoded with exactly these pairs, in any order; names and values are decoded
    /// before they are compared (WHATWG URL §5.1).
    case form([RequestPattern.QueryItem])
    /// multipart/form-data with exactly these parts, in this order (RFC 7578).
    case parts([PartPattern])
}

/// What one part of a multipart/form-data body must be like.
public struct PartPattern: Sendable {
    /// `name` of its Content-Disposition.
    public let name: [UInt8]
    /// `filename` of its Content-Disposition; nil means any or none.
    public let fileName: BytePattern?
    /// Its Content-Type; nil means any or none.
    public let contentType: BytePattern?
    /// Its content; nil means any.
    public let body: ByteSource?

    /// A part of that name.
    public init(name: [UInt8], fileName: BytePattern? = nil, contentType: BytePattern? = nil, body: ByteSource? = nil) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.body = body
    }
}
