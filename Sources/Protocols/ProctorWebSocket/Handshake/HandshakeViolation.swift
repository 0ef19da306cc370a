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
    var row: (section: String, sentence: String) {
        switch self {
        case .methodNotGET: ("RFC 6455 §4.1", "the method is GET")
        case .versionBelowHTTP11: ("RFC 6455 §4.1", "the version of HTTP is 1.1 at least")
        case .hostMissing: ("RFC 6455 §4.1", "the request has Host")
        case .upgradeMissing: ("RFC 6455 §4.1", "Upgrade has websocket")
        case .connectionMissing: ("RFC 6455 §4.1", "Connection has Upgrade")
        case .keyMissing: ("RFC 6455 §4.1", "the request has Sec-WebSocket-Key")
        case .keyTwice: ("RFC 6455 §11.3.1", "Sec-WebSocket-Key comes once")
        case .keyNotBase64: ("RFC 6455 §4.1", "Sec-WebSocket-Key is base64 with its padding (RFC 4648 §4)")
        case .keyWrongLength: ("RFC 6455 §4.1", "Sec-WebSocket-Key stands for 16 bytes")
        case .versionMissing: ("RFC 6455 §4.1", "the request has Sec-WebSocket-Version")
        case .versionTwice: ("RFC 6455 §11.3.5", "Sec-WebSocket-Version comes once in a request")
        case .versionNot13: ("RFC 6455 §4.1", "Sec-WebSocket-Version is 13")
        case .acceptInRequest: ("RFC 6455 §11.3.3", "a request has no Sec-WebSocket-Accept")
        case .protocolNotToken: ("RFC 6455 §4.1", "each element of Sec-WebSocket-Protocol is a token")
        case .protocolRepeated: ("RFC 6455 §4.1", "each element of Sec-WebSocket-Protocol comes once")
        case .methodNotCONNECT: ("RFC 8441 §4", "the method is CONNECT")
        case .protocolPseudoFieldOther: ("RFC 8441 §5", ":protocol is websocket")
        case .upgradeOnStream: ("RFC 8441 §5", "neither Upgrade nor Connection comes on a stream")
        case .emptyList: ("RFC 6455 §9.1", "a list has one element at least")
        case .extensionMalformed:
            (
                "RFC 6455 §9.1",
                "an element of Sec-WebSocket-Extensions is a token, and parameters: a semicolon, a token, and maybe = and "
                    + "a token or a quoted string"
            )
        case .extensionValueNotToken: ("RFC 6455 §9.1", "what a quoted string says is a token")
        case .deflateUnknownParameter:
            (
                "RFC 7692 §7.1",
                "the parameters of permessage-deflate are server_no_context_takeover, client_no_context_takeover, "
                    + "server_max_window_bits and client_max_window_bits"
            )
        case .deflateParameterTwice: ("RFC 7692 §7.1", "a parameter of permessage-deflate comes once")
        case .deflateBadValue:
            (
                "RFC 7692 §7.1",
                "server_max_window_bits and client_max_window_bits are 8 to 15 without a zero before them (a client may "
                    + "offer the second one without a value), and the others have no value"
            )
        case .statusNot101: ("RFC 6455 §4.1", "the status is 101")
        case .statusNot2xx: ("RFC 8441 §5", "the status is 2xx")
        case .upgradeNotWebSocket: ("RFC 6455 §4.1", "Upgrade is websocket")
        case .acceptMissing: ("RFC 6455 §4.1", "the reply has Sec-WebSocket-Accept")
        case .acceptTwice: ("RFC 6455 §11.3.3", "Sec-WebSocket-Accept comes once")
        case .acceptWrong:
            (
                "RFC 6455 §4.1",
                "Sec-WebSocket-Accept is base64 of the SHA-1 of Sec-WebSocket-Key and \(OpeningKey.identifier)"
            )
        case .protocolNotOffered: ("RFC 6455 §4.1", "Sec-WebSocket-Protocol is one of those that the client offered")
        case .severalProtocols: ("RFC 6455 §11.3.4", "a reply has one Sec-WebSocket-Protocol with one element")
        case .extensionNotOffered: ("RFC 6455 §4.1", "each extension of the reply is one that the client offered")
        case .deflateServerContextKept:
            (
                "RFC 7692 §7.1.1.1",
                "a reply to an offer with server_no_context_takeover has that parameter"
            )
        case .deflateServerWindowWider:
            (
                "RFC 7692 §7.1.2.1",
                "a reply to an offer with server_max_window_bits has that parameter with the same number or a smaller one"
            )
        case .deflateClientWindowNotOffered:
            (
                "RFC 7692 §7.1.2.2",
                "a reply has client_max_window_bits only where the offer has it"
            )
        case .deflateClientWindowWider:
            (
                "RFC 7692 §7.1.2.2",
                "client_max_window_bits of a reply is the number of the offer or a smaller one"
            )
        }
    }
}
