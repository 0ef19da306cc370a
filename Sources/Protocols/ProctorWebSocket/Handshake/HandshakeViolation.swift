import ProctorBase

/// A departure of an opening handshake from RFC 6455 §4, RFC 7692 §7.1 or RFC 8441 §5.
package struct HandshakeViolation: Error, Sendable, Equatable {
    package let kind: Kind
    /// Bytes from the first byte of the head; of something that is missing, the end of the head.
    package let offset: Int
    /// What came, for the sentence: quoted bytes, or words.
    package let detail: String

    init(_ kind: Kind, at offset: Int, _ detail: String = "") {
        self.kind = kind
        self.offset = offset
        self.detail = detail
    }

    /// The section of the rule, such as `RFC 6455 §4.1`.
    package var section: String { kind.row.section }

    /// The error and what is right.
    package var sentence: String { "\(kind.row.sentence)\(detail.isEmpty ? "" : "; here it is \(detail)")" }
}

extension HandshakeViolation: CustomStringConvertible {
    /// `accept-wrong at byte 98: … (RFC 6455 §4.1)`.
    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}

extension HandshakeViolation {
    /// One name for each departure; the raw values are stable for ever, fixtures and journals hold them.
    package enum Kind: String, Sendable, CaseIterable {
        // A client's request.
        case methodNotGET = "method-not-get"
        case versionBelowHTTP11 = "version-below-http11"
        case hostMissing = "host-missing"
        case upgradeMissing = "upgrade-missing"
        case connectionMissing = "connection-missing"
        case keyMissing = "key-missing"
        case keyTwice = "key-twice"
        case keyNotBase64 = "key-not-base64"
        case keyWrongLength = "key-wrong-length"
        case versionMissing = "version-missing"
        case versionTwice = "version-twice"
        case versionNot13 = "version-not-13"
        case acceptInRequest = "accept-in-request"
        case protocolNotToken = "protocol-not-token"
        case protocolRepeated = "protocol-repeated"

        // The same as an extended CONNECT.
        case methodNotCONNECT = "method-not-connect"
        case protocolPseudoFieldOther = "protocol-pseudo-field-other"
        case upgradeOnStream = "upgrade-on-stream"

        // Both ways.
        case emptyList = "empty-list"
        case extensionMalformed = "extension-malformed"
        case extensionValueNotToken = "extension-value-not-token"
        case deflateUnknownParameter = "deflate-unknown-parameter"
        case deflateParameterTwice = "deflate-parameter-twice"
        case deflateBadValue = "deflate-bad-value"

        // A server's reply.
        case statusNot101 = "status-not-101"
        case statusNot2xx = "status-not-2xx"
        case upgradeNotWebSocket = "upgrade-not-websocket"
        case acceptMissing = "accept-missing"
        case acceptTwice = "accept-twice"
        case acceptWrong = "accept-wrong"
        case protocolNotOffered = "protocol-not-offered"
        case severalProtocols = "several-protocols"
        case extensionNotOffered = "extension-not-offered"
        case deflateServerContextKept = "deflate-server-context-kept"
        case deflateServerWindowWider = "deflate-server-window-wider"
        case deflateClientWindowNotOffered = "deflate-client-window-not-offered"
        case deflateClientWindowWider = "deflate-client-window-wider"
    }
}

extension HandshakeViolation.Kind {
    private static let table = ContainedTable<Self, (section: String, sentence: String)>(
        "websocket-handshake-violations"
    ) { ($0["section"], $0["sentence"]) }

    var row: (section: String, sentence: String) { Self.table[self] }
}
