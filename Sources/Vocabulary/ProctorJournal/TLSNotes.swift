/// What a ClientHello offered (RFC 8446 §4.1.2), by the names of IANA's registries.
///
/// An unknown number stands as `0x1301`, one of RFC 8701 as `GREASE`. Lists have the client's order.
public struct ClientHelloNote: Sendable, Equatable {
    /// `1.3`, `1.2`: from supported_versions, or else the version in the message.
    package var versions: [String]
    /// `TLS_AES_128_GCM_SHA256`.
    package var cipherSuites: [String]
    /// The name in server_name (RFC 6066 §3); nil where the client sent none.
    package var serverName: String?
    /// The protocols in application_layer_protocol_negotiation (RFC 7301).
    package var applicationProtocols: [String]
    package var extensions: [String]
    /// `x25519`.
    package var groups: [String]
    /// Bytes of the message, without record heads.
    package var byteCount: Int

    package init(
        versions: [String], cipherSuites: [String], serverName: String?, applicationProtocols: [String],
        extensions: [String], groups: [String], byteCount: Int
    ) {
        (self.versions, self.cipherSuites, self.serverName) = (versions, cipherSuites, serverName)
        (self.applicationProtocols, self.extensions, self.groups) = (applicationProtocols, extensions, groups)
        self.byteCount = byteCount
    }
}

/// What a completed handshake agreed on.
public struct HandshakeNote: Sendable, Equatable {
    package var version: String
    /// `TLS_AES_128_GCM_SHA256`.
    package var cipherSuite: String
    /// `x25519`; nil where no group was used.
    package var group: String?
    package var applicationProtocol: String?
    package var serverName: String?
    /// Whether an earlier session was resumed, so that no certificate was sent.
    package var isResumed: Bool
    /// The profile of the server's certificate.
    package var certificate: String
    /// The client's certificate: the name of one of our identities, or its subject; nil means that none came.
    package var clientCertificate: String?

    package init(
        version: String, cipherSuite: String, group: String? = nil, applicationProtocol: String? = nil,
        serverName: String? = nil, isResumed: Bool, certificate: String, clientCertificate: String? = nil
    ) {
        (self.version, self.cipherSuite, self.group) = (version, cipherSuite, group)
        (self.applicationProtocol, self.serverName, self.isResumed) = (applicationProtocol, serverName, isResumed)
        (self.certificate, self.clientCertificate) = (certificate, clientCertificate)
    }
}

/// An alert on the wire (RFC 8446 §6); close_notify is one too.
public struct AlertNote: Sendable, Equatable {
    package var party: JournalEvent.Party
    /// False means a warning.
    package var isFatal: Bool
    /// 0 is close_notify.
    package var number: UInt8
    /// `unknown_ca`.
    package var name: String

    package init(by party: JournalEvent.Party, isFatal: Bool, number: UInt8, name: String) {
        (self.party, self.isFatal, self.number, self.name) = (party, isFatal, number, name)
    }
}
