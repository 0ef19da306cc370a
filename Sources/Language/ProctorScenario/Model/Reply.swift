package import ProctorBase
internal import ProctorHTTP

/// A message, with the effects while it is sent.
package struct Reply: Sendable {
    /// The message; nil: the reply has effects only.
    package let message: Message?
    /// The effects in the order of the file, which is their order at equal positions.
    package let effects: [Effect]
    /// The slicing of a raw message; a structured message has its own.
    package let rawSlicing: Slicing?
    /// The tunnel of a raw reply to CONNECT; a structured message has its own.
    package let rawTunnel: Tunnel?
    /// Whether the connection stays open after the reply.
    package let persistence: Persistence
    /// The steps after the reply, when the connection is no longer HTTP; nil: input is read, and nothing is sent.
    package let opaque: [OpaqueStep]?
    /// The changes of the state when the reply's turn is used, in this order.
    package let sets: [StateSetting]
    package let location: SourceLocation

    package enum Message: Sendable {
        case structured(StructuredReply)
        /// Bytes that are sent verbatim as head and body; effects stand at their places among them.
        case raw([BodyPiece])
        /// The proxy forwards the request to the origin that the request names; CONNECT opens a tunnel to it.
        case forward
        /// A script makes the reply for each request.
        case script(ReplyScript)
    }

    /// Whether another request is read after the reply.
    package enum Persistence: String, Sendable, CaseIterable {
        /// The fields of request and reply decide (RFC 9112 §9.3).
        case usual
        /// The connection stays open, whatever the messages contain; only an effect or the peer ends it.
        case keep
        case close
    }

    package init(
        message: Message?, effects: [Effect], rawSlicing: Slicing? = nil, rawTunnel: Tunnel? = nil,
        persistence: Persistence = .usual, opaque: [OpaqueStep]? = nil, sets: [StateSetting] = [],
        location: SourceLocation
    ) {
        (self.opaque, self.sets, self.message, self.effects) = (opaque, sets, message, effects)
        (self.rawSlicing, self.rawTunnel, self.persistence) = (rawSlicing, rawTunnel, persistence)
        self.location = location
    }
}

extension Reply {
    /// The tunnel that the reply opens; nil: none to an origin of the fixture.
    package var tunnelEnd: Tunnel? {
        if case .structured(let message)? = message { message.tunnel } else { rawTunnel }
    }
}

/// The origin at the end of a tunnel.
package struct Tunnel: Sendable, Equatable {
    /// The index of the origin whose exchanges answer, which may be the proxy's own.
    package let origin: Int
    /// The index of the origin whose TLS is used in the tunnel, if it has any.
    package let tlsOrigin: Int

    package init(to origin: Int, tlsOf tlsOrigin: Int? = nil) {
        self.origin = origin
        self.tlsOrigin = tlsOrigin ?? origin
    }
}

/// The fixture's reply when no range is satisfiable; a class, since a reply contains a reply.
package final class UnsatisfiableReply: Sendable {
    package let reply: Reply

    package init(_ reply: Reply) {
        self.reply = reply
    }
}

/// A reply whose head and framing Proctor writes exactly as the fixture says.
package struct StructuredReply: Sendable {
    /// 100 ... 999
    package let status: Int
    /// nil: the registered phrase, or an empty one for an unregistered status.
    package let reason: String?
    /// The HTTP version in the status line: `HTTP/1.1`.
    package let version: String
    package let headers: [ReplyField]
    /// The pieces of the body; empty when the fixture has none.
    package let body: [BodyPiece]
    /// The body with the escapes of JSON, where only the reply's time tells whether its Content-Type is JSON; else nil.
    package var bodyInJSON: [BodyPiece]?
    package let framing: Framing
    /// The trailer fields, sent after the last chunk; only with chunked framing.
    package let trailers: [ReplyField]
    /// The interim replies and effects before the head, in order.
    package let interim: [InterimPiece]
    /// The coding; nil: the content is sent without coding, whatever the fields say.
    package let coding: BodyCoding?
    /// The conditional and range fields of the request that the server evaluates; empty: the reply is sent as written.
    package let honours: Set<Honour>
    /// The reply when no requested range is satisfiable; nil: a 416.
    package let unsatisfiable: UnsatisfiableReply?
    /// The tunnel after a 2xx to CONNECT (RFC 9110 §9.3.6); nil: no tunnel to an origin.
    package let tunnel: Tunnel?
    /// The speed; nil: as fast as the peer reads.
    package let pace: Pace?
    /// The cuts into writes; nil: as few writes as possible.
    package let slicing: Slicing?

    /// How the body ends; the framing field follows the fixture's fields.
    package enum Framing: Sendable, Equatable {
        /// `Content-Length` is added, unless the fixture writes Content-Length or Transfer-Encoding, or the status
        /// permits no content and the fixture has none.
        case unspecified
        case length
        /// `Transfer-Encoding: chunked`.
        case chunked(ChunkStyle)
        case close
        /// No framing field; the connection stays open.
        case none
    }

    package init(
        status: Int, reason: String?, version: String, headers: [ReplyField], body: [BodyPiece], framing: Framing,
        trailers: [ReplyField], interim: [InterimPiece], coding: BodyCoding? = nil, honours: Set<Honour> = [],
        unsatisfiable: UnsatisfiableReply? = nil, tunnel: Tunnel? = nil, pace: Pace? = nil, slicing: Slicing? = nil
    ) {
        (self.status, self.reason, self.version, self.headers, self.body) = (status, reason, version, headers, body)
        (self.framing, self.trailers, self.interim, self.coding) = (framing, trailers, interim, coding)
        (self.honours, self.unsatisfiable, self.tunnel, self.pace) = (honours, unsatisfiable, tunnel, pace)
        self.slicing = slicing
    }
}

extension StructuredReply {
    /// The value of its Content-Type; nil without one.
    package var contentType: Template? { headers.first { $0.isNamed("content-type") }?.value }

    /// Whether a Content-Type is JSON: application/json, or a subtype that ends with `+json`.
    package static func isJSON(_ contentType: [UInt8]) -> Bool {
        guard let type = MediaType(contentType) else { return false }
        return type.essence == "application/json" || type.subtype.hasSuffix("+json")
    }
}

/// An interim reply, or an effect, before the head.
package enum InterimPiece: Sendable {
    case reply(InterimReply)
    case effect(Effect.Action)
}

/// A 1xx reply sent before the final one (RFC 9110 §15.2).
package struct InterimReply: Sendable {
    /// 100 ... 199
    package let status: Int
    /// nil: the registered phrase.
    package let reason: String?
    package let headers: [ReplyField]

    package init(status: Int, reason: String?, headers: [ReplyField]) {
        (self.status, self.reason, self.headers) = (status, reason, headers)
    }
}

/// A field line of a reply, sent byte for byte, legal or not.
package struct ReplyField: Sendable {
    /// The name, in its letter case.
    package let name: [UInt8]
    /// The value, whose late-bound parts get their values when the reply is made.
    package let value: Template
    package let location: SourceLocation

    package init(name: [UInt8], value: Template, location: SourceLocation) {
        (self.name, self.value, self.location) = (name, value, location)
    }
}

/// A piece of a body: bytes, or an effect between bytes.
package enum BodyPiece: Sendable {
    case bytes(ByteSource)
    case effect(Effect.Action)
}

/// One step on a connection that is no longer HTTP.
package enum OpaqueStep: Sendable {
    /// An effect is played.
    case effect(Effect.Action)
    /// The next bytes of the peer must be these; other bytes fail the case and end the connection. nil: the server's
    /// time limit.
    case expect(ByteSource, within: Duration?)
    /// The peer must send this number of bytes, with any values.
    case read(byteCount: Int, within: Duration?)
    /// A whole conversation by WebSocket; nothing stands beside it.
    case webSocket(any WebSocketProgram)
}

extension StructuredReply {
    /// The bytes of content before framing, if known at loading.
    package var contentByteCount: Int? { body.byteCount }

    /// Whether the content is sent with the length of the fixture's body.
    package var knowsContentLength: Bool { coding == nil && !honours.contains(.ranges) }
}

extension ReplyField {
    /// `name` is in lower case; ignores letter case.
    package func isNamed(_ name: String) -> Bool {
        self.name.map(\.asciiLowercased).elementsEqual(name.utf8)
    }
}

extension StructuredReply.Framing {
    /// Whether the body is sent in chunks, and so may have trailers.
    package var isChunked: Bool {
        if case .chunked = self { return true }
        return false
    }
}
