package import ProctorHTTP

extension LoadChallenge {
    /// Whether this server is to be trusted.
    package init(_ trust: ServerTrust, at origin: Origin) {
        self.init(
            space: ProtectionSpace(kind: ProtectionSpace.serverTrust, origin: origin, realm: ""),
            previousFailureCount: 0, response: nil)
        self.trust = trust
    }

    /// Who the client is, for a server that lets in whom these vouch for; names in DER (RFC 8446 §4.2.4).
    package init(acceptableIssuers: [[UInt8]], at origin: Origin) {
        self.init(
            space: ProtectionSpace(kind: ProtectionSpace.clientCertificate, origin: origin, realm: ""),
            previousFailureCount: 0, response: nil)
        self.acceptableIssuers = acceptableIssuers
    }
}

extension LoadChallenge.ProtectionSpace {
    /// The kind of the question whether a server is trusted.
    static let serverTrust = "serverTrust"
    /// The kind of the question who the client is.
    static let clientCertificate = "clientCert"

    /// Whether it is a question of a connection, for the session's method before the task's (R18).
    public var isOfConnection: Bool { kind == Self.serverTrust || kind == Self.clientCertificate }
}
