internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
internal import ProctorScenario

/// How a wire carries a reply: as bytes with their framing, or as field sections beside content.
package enum WireLayout: Sendable {
    case bytes, sections
}

/// What a reply says and does, with all text bound, before a wire lays it out.
struct ReplyPlan {
    let message: Message
    /// The effects that stand at a position of the message.
    let effects: PendingEffects
    /// The request's method, on which the end of a reply depends.
    let method: [UInt8]
    /// Whether a 2xx makes the connection or the stream something else than HTTP: the request is CONNECT.
    let isToConnect: Bool
    let slicing: Slicing?
    let pace: Pace?
    let tunnel: Tunnel?
    let opaque: [OpaqueStep]?
    /// nil where the reply opens no WebSocket.
    let opening: WebSocketOpening?
    let persistence: Reply.Persistence
    /// Cookies are judged, and the reply may set some.
    let mentionsSetCookie: Bool

    /// What it says of itself, whatever the wire is.
    var traits: LaidOutReply.Traits {
        var traits = LaidOutReply.Traits(opaque: opaque, persistence: persistence)
        traits.handshakeViolations = opening?.violations ?? []
        return traits
    }

    enum Message {
        /// Effects alone, in the order of the file.
        case effects([PendingEffects.Item])
        /// Bytes that the fixture writes, with head and framing.
        case raw(ReplyContent)
        case structured(Structured)
    }

    struct Structured {
        let interim: [Interim]
        let head: ReplySection
        let content: ReplyContent
        /// The framing that HTTP/1.1 writes; nil: none.
        let chunks: ChunkStyle?
        /// False where the method or the status exclude content.
        let hasContent: Bool
        /// Empty unless the content has chunks.
        let trailers: [ReplySection.Field]
        /// The end of the content is the end of the connection.
        let endsByClose: Bool
        /// The reply ends with its head, and a tunnel follows.
        let opensTunnel: Bool
        /// The content without its coding; nil where a client can't undo that, or there is none.
        let uncoded: [ContentPiece]?
    }

    enum Interim {
        case reply(ReplySection)
        case effect(Effect.Action)
    }
}

/// A status and fields of a reply.
package struct ReplySection: Sendable {
    package let version: [UInt8]
    package let status: Int
    package let reason: [UInt8]
    /// In order, duplicates kept.
    package let fields: [Field]

    package struct Field: Sendable {
        package let name: [UInt8]
        package var value: [UInt8]

        package func isNamed(_ other: String) -> Bool { name.isNamed(other) }

        package init(_ name: [UInt8], _ value: [UInt8]) {
            (self.name, self.value) = (name, value)
        }

        package init(_ name: String, _ value: [UInt8]) {
            self.init(Array(name.utf8), value)
        }
    }

    static let usualVersion = Array("HTTP/1.1".utf8)

    /// `reason` is nil for the registered phrase.
    package init(version: [UInt8] = usualVersion, status: Int, reason: String? = nil, fields: [Field] = []) {
        self.init(version, status, Self.reason(of: status, given: reason), fields)
    }

    package init(_ version: [UInt8], _ status: Int, _ reason: [UInt8], _ fields: [Field]) {
        (self.version, self.status, self.reason, self.fields) = (version, status, reason, fields)
    }

    package static func reason(of status: Int, given: String? = nil) -> [UInt8] {
        Array((given ?? StatusPhrase.registered(status) ?? "").utf8)
    }

    /// As HTTP/1.1 writes it.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(version: version, status: status, reason: reason, into: &bytes)
        for field in fields { ReplyWriter.fieldLine(name: field.name, value: field.value, into: &bytes) }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    /// As HTTP/2 has it: without connection-specific fields (RFC 9113 §8.2.2), the version and the reason phrase (§8.3.2).
    var headerFields: [HeaderField] {
        var section = [HeaderField(Array(":status".utf8), Array(String(status).utf8))]
        section.reserveCapacity(fields.count + 1)
        for field in fields where !ConnectionSpecificFields.contain(field.name) {
            section.append(HeaderField(field.name.lowercasedASCII, field.value))
        }
        return section
    }

    /// What the journal says of it, sent as bytes.
    package func sent(content: SentContent?, coded: SentContent? = nil, headByteCount: Int) -> SentReply {
        SentReply(
            status: status, fields: FieldSection(fields.map { ($0.name, $0.value) }), headByteCount: headByteCount,
            content: content, codedContent: coded)
    }
}

/// The meaning of a reply's Connection fields (RFC 9110 §7.6.1).
struct ConnectionField {
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false

    init(_ values: some Sequence<[UInt8]>) {
        for value in values {
            let field = HTTPField(name: "Connection", bytes: value)
            if field.lists("close") { saysClose = true }
            if field.lists("keep-alive") { saysKeepAlive = true }
        }
    }
}
