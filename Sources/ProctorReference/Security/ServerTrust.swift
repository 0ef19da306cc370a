internal import ProctorTLS

/// What is to be known of a server's certificate before it is trusted (RFC 8446 §4.4.2).
public struct ServerTrust: Sendable, Equatable {
    /// Whether the chain leads to an anchor of the configuration, holds now, and is for this host.
    public var isTrusted: Bool
    /// Why not, in the words of OpenSSL; `ok` where it is.
    public var reason: String
    /// What the load fails with when nobody trusts it all the same; nil where it is trusted.
    public var errorKind: LoadError.Kind?
    /// DER, as the server sent it, its own certificate first; peer's bytes.
    public var chain: [[UInt8]]
    /// What the certificate has to be for: a name or an address.
    public var host: String

    /// The parts as they are.
    public init(
        isTrusted: Bool, reason: String = "ok", errorKind: LoadError.Kind? = nil, chain: [[UInt8]] = [], host: String
    ) {
        self.isTrusted = isTrusted
        self.reason = reason
        self.errorKind = errorKind
        self.chain = chain
        self.host = host
    }

    /// As the handshake found it.
    init(_ trust: TLSTrust, host: String) {
        self.init(
            isTrusted: trust.isTrusted, reason: trust.reason, errorKind: Self.kind(of: trust.verdict),
            chain: trust.chain, host: host)
    }

    /// As CFNetwork has it, which tells the dates apart and nothing else.
    static func kind(of verdict: TLSTrust.Verdict) -> LoadError.Kind? {
        switch verdict {
        case .trusted: nil
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        case .unknownRoot, .selfSigned, .wrongHost, .revoked, .other: .serverCertificateUntrusted
        }
    }
}
