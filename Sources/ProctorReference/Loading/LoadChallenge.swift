public import ProctorHTTP

/// A question for a credential (R10–R17), or of a handshake (R18).
public struct LoadChallenge: Sendable, Equatable {
    /// What is protected, and how.
    public var space: ProtectionSpace
    /// Credentials that were refused for this space in this load.
    public var previousFailureCount: Int
    /// The one that was refused last, or before any was refused the one that is stored.
    public var proposedCredential: LoadCredential?
    /// The reply that asks; nil where a handshake does.
    public var response: LoadResponse?
    /// What is known of the server, where it is the one to be trusted.
    public var trust: ServerTrust?
    /// Names in DER of the authorities that may vouch for the client, where its identity is asked for; empty: any.
    public var acceptableIssuers: [[UInt8]] = []
    /// Whose connection it is, of one that is on its way to a session's delegate.
    var taskNumber: Int?

    /// The parts as they are.
    package init(
        space: ProtectionSpace, previousFailureCount: Int, proposedCredential: LoadCredential? = nil,
        response: LoadResponse?
    ) {
        self.space = space
        self.previousFailureCount = previousFailureCount
        self.proposedCredential = proposedCredential
        self.response = response
    }

    /// What the credential is for (RFC 9110 §11.5).
    public struct ProtectionSpace: Sendable, Hashable {
        /// The short name of traces: `basic`, `digest`, `bearer`, `proxyBasic` or `proxyDigest`; of handshakes
        /// `serverTrust` or `clientCert`.
        public var kind: String
        /// Whose it is: the server's, or the proxy's.
        public var origin: Origin
        /// As the server spells it; empty when it names none, as only Bearer may.
        public var realm: String
        /// The challenge came in a 407, so that the credential is for the proxy alone (RFC 9110 §11.7).
        public var isProxy: Bool

        /// The parts as they are.
        public init(kind: String, origin: Origin, realm: String, isProxy: Bool = false) {
            self.kind = kind
            self.origin = origin
            self.realm = realm
            self.isProxy = isProxy
        }
    }
}

extension LoadChallenge {
    /// Whether this server is to be trusted.
    package init(_ trust: ServerTrust, at origin: Origin) {
        self.init(
            space: ProtectionSpace(kind: ProtectionSpace.serverTrust, origin: origin, realm: ""),
            previousFailureCount: 0, response: nil)
        self.trust = trust
    }

    /// Who the client is, for a server that accepts certificates of these authorities; names in DER (RFC 8446 §4.2.4).
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
