/// What a ClientHello offered (RFC 8446 §4.1.2), by the names of IANA's registries.
///
/// An unknown number stands as `0x1301`, one of RFC 8701 as `GREASE`. Orders are the client's.
public struct ClientHelloNote: Sendable, Equatable {
    /// `1.3`, `1.2`: of supported_versions, or the one of the head.
    public var versions: [String]
    /// `TLS_AES_128_GCM_SHA256`.
    public var cipherSuites: [String]
    /// The name in server_name (RFC 6066 §3); nil where the client sent none.
    public var serverName: String?
    /// The protocols in application_layer_protocol_negotiation (RFC 7301).
    public var applicationProtocols: [String]
    /// `server_name`.
    public var extensions: [String]
    /// `x25519`.
    public var groups: [String]
    /// Bytes of the message, without record heads.
    public var byteCount: Int

    /// Parts as they are.
    public init(
        versions: [String], cipherSuites: [String], serverName: String?, applicationProtocols: [String],
        extensions: [String], groups: [String], byteCount: Int
    ) {
        self.versions = versions
        self.cipherSuites = cipherSuites
        self.serverName = serverName
        self.applicationProtocols = applicationProtocols
        self.extensions = extensions
        self.groups = groups
        self.byteCount = byteCount
    }
}

/// What a completed handshake agreed on.
public struct HandshakeNote: Sendable, Equatable {
    /// `1.3`.
    public var version: String
    /// `TLS_AES_128_GCM_SHA256`.
    public var cipherSuite: String
    /// `x25519`; nil where no group was used.
    public var group: String?
    /// The protocol that was selected; nil where none was.
    public var applicationProtocol: String?
    /// The server's name as the client sent it.
    public var serverName: String?
    /// An earlier session goes on, so that no certificate was shown.
    public var isResumed: Bool
    /// The profile of the server's certificate.
    public var certificate: String
    /// What is known of the client's certificate: the name of an identity of ours, or its subject; nil: none came.
    public var clientCertificate: String?

    /// Parts as they are.
    public init(
        version: String, cipherSuite: String, group: String? = nil, applicationProtocol: String? = nil,
        serverName: String? = nil, isResumed: Bool, certificate: String, clientCertificate: String? = nil
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.group = group
        self.applicationProtocol = applicationProtocol
        self.serverName = serverName
        self.isResumed = isResumed
        self.certificate = certificate
        self.clientCertificate = clientCertificate
    }
}

/// An alert on the wire (RFC 8446 §6); close_notify is one too.
public struct AlertNote: Sendable, Equatable {
    /// Who sent it.
    public var party: JournalEvent.Party
    /// Otherwise it is a warning.
    public var isFatal: Bool
    /// 0 is close_notify.
    public var number: UInt8
    /// `unknown_ca`.
    public var name: String

    /// Parts as they are.
    public init(by party: JournalEvent.Party, isFatal: Bool, number: UInt8, name: String) {
        self.party = party
        self.isFatal = isFatal
        self.number = number
        self.name = name
    }
}
