public import ProctorBase

/// A message to send and what happens while it is sent.
public struct Reply: Sendable {
    /// nil when the reply is effects alone.
    public let message: Message?
    /// In the order of the file; those at equal positions are played in that order.
    public let effects: [Effect]
    /// Of a raw message; a structured one says it itself.
    public let rawSlicing: Slicing?
    /// Of a raw message to CONNECT: the origin that the connection leads to behind it; a structured one says it itself.
    public let rawTunnel: Int?
    /// What becomes of the connection behind it.
    public let persistence: Persistence
    /// What is sent and expected behind it, where the connection is no HTTP any more; nil: what comes there is read, and
    /// nothing is sent.
    public let opaque: [OpaqueStep]?
    /// Where the reply begins in its file.
    public let location: SourceLocation

    /// What is sent, apart from effects.
    public enum Message: Sendable {
        case structured(StructuredReply)
        /// Sent verbatim, in place of head and body; effects stand where they happen.
        case raw([BodyPiece])
        /// A proxy hands the request on to the declared origin that it names; CONNECT opens a tunnel there.
        case forward
    }

    /// Whether a further request is read from the connection, once the reply is sent.
    public enum Persistence: String, Sendable, CaseIterable {
        /// As request and reply say (RFC 9112 §9.3).
        case usual
        /// The connection stays, whatever `Connection` or the version says; only an effect or the peer ends it.
        case keep
        /// The connection is closed in order.
        case close
    }

    /// A reply of a message, of effects, or of both.
    public init(
        message: Message?, effects: [Effect], rawSlicing: Slicing? = nil, rawTunnel: Int? = nil,
        persistence: Persistence = .usual, opaque: [OpaqueStep]? = nil, location: SourceLocation
    ) {
        self.opaque = opaque
        self.message = message
        self.effects = effects
        self.rawSlicing = rawSlicing
        self.rawTunnel = rawTunnel
        self.persistence = persistence
        self.location = location
    }
}

/// The reply to ranges of which none is within the content, as the fixture writes it; a class, for a reply holds a reply.
public final class UnsatisfiableReply: Sendable {
    /// The reply to send.
    public let reply: Reply

    /// In place of the 416 that the server writes.
    public init(_ reply: Reply) {
        self.reply = reply
    }
}

/// A reply whose head and framing Proctor writes, exactly as the fixture says.
public struct StructuredReply: Sendable {
    /// 100 ... 999
    public let status: Int
    /// nil means the registered phrase, or an empty one for an unregistered status.
    public let reason: String?
    /// The first word of the status line: `HTTP/1.1`.
    public let version: String
    /// In the order of the file, duplicates kept.
    public let headers: [ReplyField]
    /// Empty when nothing is said about a body.
    public let body: [BodyPiece]
    /// What the fixture says about it.
    public let framing: Framing
    /// Sent after the last chunk; only with chunked framing.
    public let trailers: [ReplyField]
    /// In the order in which they are sent, all before the head.
    public let interim: [InterimPiece]
    /// nil: the content is sent as it is, whatever the fields say.
    public let coding: BodyCoding?
    /// What the server works out of the request's fields; empty: nothing, and the reply is sent as it stands.
    public let honours: Set<Honour>
    /// Sent where no range that the request asks for is within the content; nil: a 416 that says so.
    public let unsatisfiable: UnsatisfiableReply?
    /// The origin that the connection leads to behind a 2xx reply to CONNECT (RFC 9110 §9.3.6); nil: nowhere.
    public let tunnel: Int?
    /// nil: as fast as the peer takes it.
    public let pace: Pace?
    /// nil: as few writes as the system allows.
    public let slicing: Slicing?

    /// How the end of the body is told; it adds its own header field after the fixture's.
    public enum Framing: Sendable, Equatable {
        /// Nothing said: `Content-Length` is added unless the fixture writes Content-Length or Transfer-Encoding itself,
        /// or the status never has a body and none is given.
        case unspecified
        /// `Content-Length` of the body.
        case length
        /// `Transfer-Encoding: chunked`.
        case chunked(ChunkStyle)
        /// No framing field; the connection closes after the body.
        case close
        /// No framing field, and the connection stays as it is.
        case none
    }

    /// Every part as the fixture gives it.
    public init(
        status: Int, reason: String?, version: String, headers: [ReplyField], body: [BodyPiece], framing: Framing,
        trailers: [ReplyField], interim: [InterimPiece], coding: BodyCoding? = nil, honours: Set<Honour> = [],
        unsatisfiable: UnsatisfiableReply? = nil, tunnel: Int? = nil, pace: Pace? = nil, slicing: Slicing? = nil
    ) {
        self.status = status
        self.reason = reason
        self.version = version
        self.headers = headers
        self.body = body
        self.framing = framing
        self.trailers = trailers
        self.interim = interim
        self.coding = coding
        self.honours = honours
        self.unsatisfiable = unsatisfiable
        self.tunnel = tunnel
        self.pace = pace
        self.slicing = slicing
    }
}

/// What stands before the head: an interim reply, or an effect between two.
public enum InterimPiece: Sendable {
    case reply(InterimReply)
    case effect(Effect.Action)
}

/// A 1xx reply sent before the final one (RFC 9110 §15.2).
public struct InterimReply: Sendable {
    /// 100 ... 199
    public let status: Int
    /// nil means the registered phrase.
    public let reason: String?
    /// In the order of the file, duplicates kept.
    public let headers: [ReplyField]

    /// A head without content.
    public init(status: Int, reason: String?, headers: [ReplyField]) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}

/// A field line of a reply; the name and value are sent byte for byte, legal or not.
public struct ReplyField: Sendable {
    /// As written, with its case.
    public let name: [UInt8]
    /// Late-bound parts are filled in when the reply is made.
    public let value: Template
    /// Where the value stands in the file.
    public let location: SourceLocation

    /// One field line.
    public init(name: [UInt8], value: Template, location: SourceLocation) {
        self.name = name
        self.value = value
        self.location = location
    }
}

/// A part of a body: bytes, or an effect between bytes.
public enum BodyPiece: Sendable {
    case bytes(ByteSource)
    case effect(Effect.Action)
}

/// One step of a script on a connection that is no HTTP any more.
public enum OpaqueStep: Sendable {
    /// Something is sent or done.
    case effect(Effect.Action)
    /// These bytes must come next; other ones fail the case and end the connection. nil: the server's own bound of time.
    case expect(ByteSource, within: Duration?)
    /// So many bytes must come next, whatever they are.
    case read(byteCount: Int, within: Duration?)
}
