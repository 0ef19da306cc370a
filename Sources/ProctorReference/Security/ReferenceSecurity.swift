import ProctorTLS
public import ProctorTLSWire

/// What a client wants of TLS.
public struct ReferenceSecurity: Sendable, Hashable {
    /// Certificates that a server's chain may end at, each as DER, or any number of them as PEM.
    ///
    /// The system's anchors are not trusted: a client that reaches loopback alone meets no certificate of theirs.
    public var anchors: [[UInt8]] = []
    /// Shown to servers that ask for a certificate, where the delegate leaves that to default handling; nil: nothing.
    public var identity: LoadIdentity?
    /// Oldest to newest.
    public var versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    /// Sessions that are kept to be gone on with over new connections (RFC 8446 §2.2), one for each origin; 0: none.
    public var keptSessions = 64

    /// What is done wrong, by clients that are broken on purpose.
    package var fault: Fault?

    /// One thing that is done wrong.
    package enum Fault: Sendable, Hashable {
        /// Every server is trusted, and no delegate is asked.
        case trustsEverybody
        /// A server that asks for a certificate gets none, and no delegate is asked.
        case showsNoCertificate
        /// TLS 1.0 is the newest that is offered.
        case offersOldVersions
        /// No session is gone on with, whatever was kept.
        case keepsNoSessions
    }

    /// Trusts no server, and shows no certificate.
    public init() {}

    /// As the TLS layer wants it.
    var setup: TLSClientSetup {
        // Key transfer by RSA alone has no forward secrecy (RFC 9325 §4.1).
        var setup = TLSClientSetup(versions: versions, ciphers: "DEFAULT:!kRSA", anchors: anchors)
        if fault == .offersOldVersions {
            setup.versions = .tls10 ... .tls11
            setup.securityLevel = 0
        }
        return setup
    }
}

/// What is to be known of a server's certificate before it is trusted (RFC 8446 §4.4.2).
public struct ServerTrust: Sendable, Equatable {
    /// Whether the chain leads to an anchor of the configuration, holds now, and is for this host.
    public var isTrusted: Bool
    /// Why not, in the words of OpenSSL; `ok` where it is.
    public var reason: String
    /// What the load fails with when no delegate trusts the server all the same; nil where it is trusted.
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
