/// Why a datagram, or what is left of it, is not handed on; the packet is dropped, and nothing else changes.
package enum DatagramFault: String, Error, Sendable, CaseIterable {
    // The forms of headers.
    case empty = "empty"
    case headerCut = "header-cut"
    case idTooLong = "id-too-long"
    case fixedBitMissing = "fixed-bit-missing"
    case lengthCut = "length-cut"
    case lengthBeyondEnd = "length-beyond-end"
    case tokenBeyondEnd = "token-beyond-end"
    case packetTooShort = "packet-too-short"
    case retryCut = "retry-cut"
    case versionListCut = "version-list-cut"

    // Who sends what, and how long it is.
    case versionNegotiationByClient = "version-negotiation-by-client"
    case retryByClient = "retry-by-client"
    case tokenByServer = "token-by-server"
    case unknownVersion = "unknown-version"
    case initialTooSmall = "initial-too-small"
    case otherConnection = "other-connection"

    // Datagrams that open no connection.
    case idTooShort = "id-too-short"
    case unknownConnection = "unknown-connection"
    case otherAddress = "other-address"
    case notOpened = "not-opened"
    case beforeHandshake = "before-handshake"
    case tokenUsed = "token-used"

    /// The section that the datagram breaks, or by which it is dropped.
    package var section: String {
        switch self {
        case .empty, .headerCut: "RFC 8999 §5"
        case .idTooLong, .fixedBitMissing, .lengthCut, .lengthBeyondEnd: "RFC 9000 §17.2"
        case .tokenBeyondEnd, .tokenByServer: "RFC 9000 §17.2.2"
        case .packetTooShort: "RFC 9001 §5.4.2"
        case .retryCut, .retryByClient: "RFC 9000 §17.2.5"
        case .versionListCut, .versionNegotiationByClient: "RFC 9000 §17.2.1"
        case .unknownVersion: "RFC 9000 §6.1"
        case .initialTooSmall: "RFC 9000 §14.1"
        case .otherConnection: "RFC 9000 §12.2"
        case .idTooShort: "RFC 9000 §7.2"
        case .unknownConnection, .beforeHandshake: "RFC 9000 §5.2.2"
        case .otherAddress: "RFC 9000 §9"
        case .notOpened: "RFC 9001 §5.2"
        case .tokenUsed: "RFC 9000 §8.1.4"
        }
    }
}
