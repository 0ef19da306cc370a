import ProctorBase
import ProctorHTTP

// Connections, their handshakes, and what comes on them.
extension JournalTable {
    // MARK: Connections and TLS

    static let connectionOpened = JournalShape<(origin: String, peer: String, local: String), JournalEvent>(
        named: "connectionOpened", says: "a connection was accepted",
        fields: JournalKey.text("origin", says: "the name of the origin", of: \.origin),
        JournalKey.text("peer", says: "the client's end as `address:port`", of: \.peer),
        JournalKey.text("local", says: "the server's end as `address:port`", of: \.local)
    ) { .connectionOpened(origin: $0, peer: $1, local: $2) }

    static let clientHello = JournalShape<ClientHelloNote, JournalEvent>(
        named: "clientHello", says: "the first message of TLS has come whole: what the client offers, in its order",
        fields: JournalKey.texts("versions", says: "versions of TLS", of: \.versions),
        JournalKey.texts("cipherSuites", says: "cipher suites", of: \.cipherSuites),
        JournalKey.text(
            "serverName", says: "the name of the server", when: "where the client sent one", of: \.serverName),
        JournalKey.texts("applicationProtocols", says: "the protocols of ALPN", of: \.applicationProtocols),
        JournalKey.texts("extensions", says: "extensions", of: \.extensions),
        JournalKey.texts("groups", says: "groups for the key exchange", of: \.groups),
        JournalKey.integer("byteCount", says: "bytes of the message, without record heads", of: \.byteCount)
    ) {
        .clientHello(
            ClientHelloNote(
                versions: $0, cipherSuites: $1, serverName: $2, applicationProtocols: $3, extensions: $4, groups: $5,
                byteCount: $6))
    }

    static let secured = JournalShape<HandshakeNote, JournalEvent>(
        named: "secured", says: "a handshake of TLS is complete: what was agreed on",
        fields: JournalKey.text("version", says: "the version of TLS", of: \.version),
        JournalKey.text("cipherSuite", says: "the cipher suite", of: \.cipherSuite),
        JournalKey.text("group", says: "the group of the key exchange", when: "where one was used", of: \.group),
        JournalKey.text(
            "applicationProtocol", says: "the protocol of ALPN", when: "where one was selected",
            of: \.applicationProtocol),
        JournalKey.text(
            "serverName", says: "the name of the server, as the client sent it", when: "where the client sent one",
            of: \.serverName),
        JournalKey.flag("isResumed", says: "an earlier session goes on", of: \.isResumed),
        JournalKey.text("certificate", says: "the profile of the server's certificate", of: \.certificate),
        JournalKey.text(
            "clientCertificate", says: "the name of an identity of the scenario, or the subject of another certificate",
            when: "where the client sent a certificate", of: \.clientCertificate)
    ) {
        .secured(
            HandshakeNote(
                version: $0, cipherSuite: $1, group: $2, applicationProtocol: $3, serverName: $4, isResumed: $5,
                certificate: $6, clientCertificate: $7))
    }

    static let handshakeFailed = JournalShape<(moment: String, reason: String), JournalEvent>(
        named: "handshakeFailed", says: "a handshake of TLS ended without success",
        fields: JournalKey.text(
            "moment", says: "the moment that it had come to, in the words of a fixture", of: \.moment),
        JournalKey.text("reason", says: "a sentence", of: \.reason)
    ) { .handshakeFailed(moment: $0, reason: $1) }

    static let alert = JournalShape<AlertNote, JournalEvent>(
        named: "alert", says: "an alert of TLS was sent or has come",
        fields: JournalKey.word("by", says: "who sent it", of: \.party),
        JournalKey.flag("isFatal", says: "otherwise it is a warning", of: \.isFatal),
        JournalKey.integer("number", says: "its number from 0 to 255; 0 is close_notify", of: { Int($0.number) }),
        JournalKey.text("name", says: "its name in IANA's registry", of: \.name)
    ) { (party, isFatal, number, name) throws(LineFault) in
        guard let number = UInt8(exactly: number) else {
            throw LineFault(0, "'number' of an alert is a whole number from 0 to 255")
        }
        return .alert(AlertNote(by: party, isFatal: isFatal, number: number, name: name))
    }

    static let connectionClosed = JournalShape<(party: JournalEvent.Party, how: JournalEvent.Ending), JournalEvent>(
        named: "connectionClosed", says: "a connection has ended",
        fields: JournalKey.word("by", says: "who ended it", of: \.party),
        JournalKey.word("how", says: "how it ended", of: \.how)
    ) { .connectionClosed(by: $0, how: $1) }

    // MARK: Requests

    static let requestHead = JournalShape<(head: RequestHead, target: [UInt8]), JournalEvent>(
        named: "requestHead", says: "the head of a request has come whole",
        fields: JournalKey.bytes("method", orBase64: "methodBase64", says: "the method", of: { $0.head.methodBytes })
            .writtenOnly,
        JournalKey.bytes(
            "target", orBase64: "targetBase64", says: "the request-target as the scenario sees it",
            of: { $0.target[...] }),
        JournalKey.text(
            "version", says: "the version, as `HTTP/1.1`",
            of: { "HTTP/\($0.head.version.major).\($0.head.version.minor)" }
        ).writtenOnly,
        JournalKey.text(
            "framing", says: "how the content is framed: `none`, `length` or `chunked`",
            of: {
                switch $0.head.framing {
                case .none: "none"
                case .length: "length"
                case .chunked: "chunked"
                }
            }
        ).writtenOnly,
        JournalKey.integer(
            "contentLength", says: "bytes of the content", when: "where `framing` is `length`",
            of: { if case .length(let count) = $0.head.framing { count } else { nil } }
        ).writtenOnly,
        JournalKey.fieldLines("fields", says: "the field lines", when: nil, of: { $0.head.fields }).writtenOnly,
        JournalKey.bytes(
            "bytes", orBase64: "bytesBase64", says: "exactly what arrived; the head is read from them again",
            of: { $0.head.bytes[...] })
    ) { (_, target, _, _, _, _, bytes) throws(LineFault) in
        .requestHead(try readAgain(bytes), target: target)
    }

    /// Reads a head by the server's own reader, whatever limits the server had and whatever it accepted.
    private static func readAgain(_ bytes: [UInt8]) throws(LineFault) -> RequestHead {
        var reader = RequestReader(
            limits: RequestLimits(
                emptyLineCount: bytes.count, methodByteCount: bytes.count, targetByteCount: bytes.count,
                fieldLineByteCount: bytes.count, fieldCount: bytes.count, headByteCount: bytes.count),
            acceptsAnything: true)
        var offset = 0
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else {
            throw LineFault(0, "'bytes' of a requestHead hold no complete request head")
        }
        return head
    }

    static let requestBody = JournalShape<RequestBody, JournalEvent>(
        named: "requestBody", says: "the end of a request: its content",
        fields: JournalKey.bytes(
            "body", orBase64: "bodyBase64", says: "the content as far as it is kept, 1 MiB", of: { $0.kept[...] }),
        JournalKey.integer(
            "byteCount", says: "bytes of the whole content, without the heads of chunks", of: \.byteCount),
        JournalKey.flag(
            "isComplete", says: "false where the client left before, or where the server read no further",
            of: \.isComplete),
        JournalKey.byteList("trailers", says: "the trailer field lines, without line ends", of: \.trailers),
        JournalKey.integers(
            "chunks", says: "the bytes of each chunk in order, the last chunk left out; the first 1,000",
            when: "where it came in chunks", of: \.chunks),
        JournalKey.byteList(
            "chunkLines",
            says:
                "the lines before the chunks as they came, that of the last chunk too, without line ends; the first 64 KiB",
            when: "where it came in chunks", of: \.chunkLines),
        JournalKey.flag(
            "isWithheld", says: "the client kept the body back: see [below](#what-was-not-read)",
            whenTrue: "only where it is true", of: \.isWithheld)
    ) {
        .requestBody(
            RequestBody(
                kept: $0, byteCount: $1, isComplete: $2, trailers: $3, chunks: $4, chunkLines: $5, isWithheld: $6))
    }

    static let routed = JournalShape<(origin: String, routing: JournalEvent.Routing), JournalEvent>(
        named: "routed", says: "another origin than the connection's own answers the request, or its tunnel",
        fields: JournalKey.text("origin", says: "the origin that answers", of: \.origin),
        JournalKey.word(
            "by", says: "what of the request names it: its Host, its target in absolute-form, or its CONNECT",
            of: \.routing)
    ) { .routed(origin: $0, by: $1) }

    static let tunnelOpened = JournalShape<(authority: String, origin: String, connection: Int), JournalEvent>(
        named: "tunnelOpened",
        says: "a proxy has opened a tunnel; `connection` is the one on which the tunnel was asked for",
        fields: JournalKey.text("authority", says: "the authority that was asked for", of: \.authority),
        JournalKey.text("origin", says: "the origin that the tunnel leads to", of: \.origin),
        JournalKey.integer(
            "tunnelConnection", says: "the number by which what comes through the tunnel is told", of: \.connection)
    ) { .tunnelOpened(authority: $0, origin: $1, connection: $2) }

    static let bytesReceived = JournalShape<ReceivedBytes, JournalEvent>(
        named: "bytesReceived", says: "bytes have come that no other line holds: see [below](#what-was-not-read)",
        fields: JournalKey.word("of", says: "what the bytes are a part of", of: \.kind),
        JournalKey.bytes("bytes", orBase64: "bytesBase64", says: "the first 64 KiB", of: { $0.kept[...] }),
        JournalKey.integer("byteCount", says: "how many came", of: \.byteCount)
    ) { .bytesReceived(ReceivedBytes($0, kept: $1, byteCount: $2)) }

    static let bytesExpected = JournalShape<ExpectedBytes, JournalEvent>(
        named: "bytesExpected",
        says: "a step of a script has ended that expects bytes where the connection is no HTTP any more",
        fields: JournalKey.word("how", says: "how the step ended", of: \.outcome),
        JournalKey.integer("byteCount", says: "how many bytes the step expects", of: \.byteCount),
        JournalKey.integer("metByteCount", says: "how many came as expected", of: \.metByteCount),
        JournalKey.bytes(
            "wanted", orBase64: "wantedBase64", says: "what was expected behind those, the first 64 bytes",
            when: "where `how` is not `met` and the step names bytes",
            of: { $0.outcome == .met ? nil : $0.wanted?[...] }),
        JournalKey.bytes(
            "got", orBase64: "gotBase64", says: "what came in their place, the first 64 bytes",
            when: "where `how` is not `met`", of: { $0.outcome == .met ? nil : $0.got[...] })
    ) { (outcome, byteCount, metByteCount, wanted, got) throws(LineFault) in
        guard outcome != .met else {
            return .bytesExpected(ExpectedBytes(byteCount: byteCount, metByteCount: metByteCount, outcome: .met))
        }
        guard let got else { throw JournalFields.missing("got") }
        return .bytesExpected(
            ExpectedBytes(
                byteCount: byteCount, metByteCount: metByteCount, outcome: outcome, wanted: wanted, got: got))
    }

    static let violation = JournalShape<Violation, JournalEvent>(
        named: "violation",
        says: "a departure from the specification. Of `bytes-after-request`, `request-after-close` and "
            + "`unanswered-request` the line has the request before them, and it may stand behind `connectionClosed`, "
            + "for the server reads on for a while",
        fields: JournalKey.kind(
            "kind", unknown: "there is no violation of kind", says: "its name", of: \.kind),
        JournalKey.integer("offset", says: "where it stands, in bytes from the first one of the request", of: \.offset),
        JournalKey.flag(
            "isFatal",
            says: "the server read no further; false also where an origin `accepts: anything` and read over it",
            ifMissing: true, of: \.isFatal),
        JournalKey.integer(
            "status", says: "the status that answers it", when: "where it is fatal",
            of: { $0.isFatal ? $0.status : nil }
        ).writtenOnly,
        JournalKey.text("section", says: "the section of the specification", of: \.section).writtenOnly,
        JournalKey.text("sentence", says: "what is wrong, for a person", of: \.sentence).writtenOnly
    ) { kind, offset, isFatal, _, _, _ in
        .violation(Violation(kind, at: offset, isReadOver: kind.isFatal(in: .request) && !isFatal))
    }
}
