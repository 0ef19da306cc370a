public import ProctorTLS

/// What a client wants of TLS.
public struct ReferenceSecurity: Sendable, Hashable {
    /// Certificates that a server's chain may end at, each as DER, or any number of them as PEM.
    ///
    /// Nobody else is trusted, those of the system neither: a client that reaches loopback alone meets none of them.
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
        /// Every server is trusted, and nobody is asked.
        case trustsEverybody
        /// A server that asks for a certificate gets none, and nobody is asked.
        case showsNoCertificate
        /// TLS 1.0 is the newest that is offered.
        case offersOldVersions
        /// No session is gone on with, whatever was kept.
        case keepsNoSessions
    }

    /// Trusts nobody, and shows nothing.
    public init() {}

    /// As the TLS layer wants it.
    var setup: TLSClientSetup {
        // Key exchange by RSA alone has no forward secrecy (RFC 9325 §4.1).
        var setup = TLSClientSetup(versions: versions, cipherList: "DEFAULT:!kRSA", anchors: anchors)
        if fault == .offersOldVersions {
            setup.versions = .tls10 ... .tls11
            setup.securityLevel = 0
        }
        return setup
    }
}
