package import ProctorBase

/// A message and what happens while it is sent.
package struct Reply: Sendable {
    /// nil: only effects.
    package let message: Message?
    /// In the order of the file, which decides at equal positions.
    package let effects: [Effect]
    /// Of a raw message; a structured one has its own.
    package let rawSlicing: Slicing?
    /// Of a raw reply to CONNECT; a structured one has its own.
    package let rawTunnel: Tunnel?
    /// Whether the connection stays open.
    package let persistence: Persistence
    /// The script after the reply, when the connection is no longer HTTP; nil: input is read, nothing is sent.
    package let opaque: [OpaqueStep]?
    /// Changes of the state when the reply's turn is taken, in this order.
    package let sets: [StateSetting]
    package let location: SourceLocation

    package enum Message: Sendable {
        case structured(StructuredReply)
        /// Sent verbatim as head and body; effects stand where they happen.
        case raw([BodyPiece])
        /// A proxy forwards the request to the origin that it names; CONNECT opens a tunnel there.
        case forward
        /// A script makes the reply of each request.
        case script(ReplyScript)
    }

    /// Whether another request is read after the reply.
    package enum Persistence: String, Sendable, CaseIterable {
        /// As request and reply say (RFC 9112 §9.3).
        case usual
        /// The connection stays open, whatever the messages say; only an effect or the peer ends it.
        case keep
        case close
    }

    package init(
        message: Message?, effects: [Effect], rawSlicing: Slicing? = nil, rawTunnel: Tunnel? = nil,
        persistence: Persistence = .usual, opaque: [OpaqueStep]? = nil, sets: [StateSetting] = [],
        location: SourceLocation
    ) {
        self.opaque = opaque
        self.sets = sets
        self.message = message
        self.effects = effects
        self.rawSlicing = rawSlicing
        self.rawTunnel = rawTunnel
        self.persistence = persistence
        self.location = location
    }
}

/// Where a tunnel leads.
package struct Tunnel: Sendable, Equatable {
    /// Whose exchanges answer; the proxy's own too.
    package let origin: Int
    /// The origin whose TLS is spoken in the tunnel, if it has any.
    package let tlsOrigin: Int

    package init(to origin: Int, tlsOf tlsOrigin: Int? = nil) {
        self.origin = origin
        self.tlsOrigin = tlsOrigin ?? origin
    }
}

/// The fixture's reply when no range is satisfiable; a class, since a reply contains it.
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
    /// The first word of the status line: `HTTP/1.1`.
    package let version: String
    package let headers: [ReplyField]
    /// Empty when the fixture has no body.
    package let body: [BodyPiece]
    package let framing: Framing
    /// Sent after the last chunk; only with chunked framing.
    package let trailers: [ReplyField]
    /// In order, all before the head.
    package let interim: [InterimPiece]
    /// nil: the content is sent uncoded, whatever the fields say.
    package let coding: BodyCoding?
    /// The request fields that the server obeys; empty: the reply is sent as written.
    package let honours: Set<Honour>
    /// Sent when no requested range is satisfiable; nil: a 416.
    package let unsatisfiable: UnsatisfiableReply?
    /// What follows a 2xx to CONNECT (RFC 9110 §9.3.6); nil: no tunnel to an origin.
    package let tunnel: Tunnel?
    /// nil: as fast as the peer reads.
    package let pace: Pace?
    /// nil: as few writes as possible.
    package let slicing: Slicing?

    /// How the body ends; the framing field follows the fixture's fields.
    package enum Framing: Sendable, Equatable {
        /// `Content-Length` is added unless the fixture writes Content-Length or Transfer-Encoding, or the status has
        /// no body and none is given.
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

/// Part of what precedes the head: an interim reply, or an effect.
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
}

/// A field line of a reply, sent byte for byte, legal or not.
package struct ReplyField: Sendable {
    /// In its letter case.
    package let name: [UInt8]
    /// Late-bound parts are filled in when the reply is made.
    package let value: Template
    package let location: SourceLocation

    package init(name: [UInt8], value: Template, location: SourceLocation) {
        self.name = name
        self.value = value
        self.location = location
    }
}

/// A part of a body: bytes, or an effect between bytes.
package enum BodyPiece: Sendable {
    case bytes(ByteSource)
    case effect(Effect.Action)
}

/// One step of a script on a connection that is no longer HTTP.
package enum OpaqueStep: Sendable {
    /// Something is sent or done.
    case effect(Effect.Action)
    /// These bytes must come next; others fail the case and end the connection. nil: the server's bound of time.
    case expect(ByteSource, within: Duration?)
    /// Any bytes of this count must come next.
    case read(byteCount: Int, within: Duration?)
}
