package import ProctorBase

/// A departure of an opening handshake from RFC 6455 §4, RFC 7692 §7.1 or RFC 8441 §5.
///
/// Its place counts from the first byte of the head; of something that is missing it is the end of the head.
package typealias HandshakeViolation = MessageViolation<HandshakeViolationKind>

/// The names are stable for ever.
package enum HandshakeViolationKind: String, MessageViolationKind {
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

    package static let table = ContainedTable<Self, MessageViolationRow>("websocket-handshake-violations") {
        MessageViolationRow($0)
    }
}

extension HandshakeViolation {
    /// `detail` is what came: quoted bytes, or words; empty: nothing is said of it.
    init(_ kind: Kind, at offset: Int, detail: String) {
        let usual = Self(kind, at: offset)
        self = detail.isEmpty ? usual : Self(kind, at: offset, "\(usual.sentence); here it is \(detail)")
    }
}
