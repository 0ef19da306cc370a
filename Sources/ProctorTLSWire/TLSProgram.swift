/// A server's TLS settings and certificate.
package struct TLSProgram: Sendable, Hashable {
    /// The name of a certificate profile; its existence is checked elsewhere.
    package var certificate = "valid"
    package var given: GivenCertificate?
    /// The answer to a client that speaks plain HTTP.
    package var plainHTTP = PlainHTTP.answer
    package var oldest = Version.tls12
    package var newest = Version.tls13
    /// Ciphers up to TLS 1.2 in the syntax of `openssl ciphers`; nil: OpenSSL's default.
    package var ciphers: String?
    /// Cipher suites of TLS 1.3 by IANA's names with `:` between; nil: OpenSSL's default.
    package var suites: String?
    /// Groups by OpenSSL's names with `:` between, in order of preference; nil: OpenSSL's default.
    package var groups: String?
    /// Bits of the finite-field Diffie-Hellman group up to TLS 1.2; nil: by the certificate's key.
    package var dhBits: Int?
    /// The answer to the client's application protocols (RFC 7301).
    package var applicationProtocols = ApplicationProtocols.select(["http/1.1"])
    /// The answer to server_name (RFC 6066 §3).
    package var serverName = ServerName.accept
    /// What happens to earlier sessions.
    package var resumption = Resumption.on
    /// Whether and when the client is asked for a certificate.
    package var clientCertificate = ClientCertificate.none
    /// Which authorities the CertificateRequest names.
    package var clientAuthorities = ClientAuthorities.ours
    /// Whether the server keeps what it needs to encrypt the fixture's fatal alert; costs time in each handshake.
    package var canAlert = false

    /// Oldest to newest; a newest version older than the oldest is ignored.
    package var versions: ClosedRange<Version> {
        get { oldest...max(oldest, newest) }
        set { (oldest, newest) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// A certificate and its key from files beside the fixture, read at load.
    package struct GivenCertificate: Sendable, Hashable {
        /// The name of every such certificate in facts and in the journal.
        package static let name = "given"
        /// PEM; the server's own certificate first, then its chain.
        package let certificates: [UInt8]
        /// PEM, without a passphrase; a secret.
        package let key: [UInt8]

        /// The content of the files; OpenSSL checks it later.
        package init(certificates: [UInt8], key: [UInt8]) {
            self.certificates = certificates
            self.key = key
        }
    }

    package enum PlainHTTP: String, Sendable, CaseIterable {
        /// A 400 in plain HTTP that names the right URL.
        case answer
        case close
    }

    package typealias Version = TLSVersion

    package enum ApplicationProtocols: Sendable, Hashable {
        /// The first one that the client offers, else no_application_protocol (§3.2).
        case select([String])
        case ignore
        /// The fatal alert no_application_protocol to any offer.
        case refuse
        /// This protocol whatever was offered, a deliberate breach of §3.1; requires an offer.
        case force(String)
    }

    package enum ServerName: String, Sendable, CaseIterable {
        /// Accepts any name, and none.
        case accept
        /// The fatal alert unrecognized_name to any name.
        case refuse
        /// The alert as a warning; the handshake goes on.
        ///
        /// TLS 1.3 has no warnings, so nothing is sent there.
        case warn
    }

    /// What happens to earlier sessions, by ticket or by session identifier.
    package enum Resumption: String, Sendable, CaseIterable {
        /// Tickets are issued and accepted.
        case on
        case off
        /// Tickets are issued and never accepted: always a full handshake.
        case refuse
    }

    package enum ClientCertificate: String, Sendable, CaseIterable {
        case none
        /// The handshake goes on without one.
        case request
        case require
        /// Asked for after the handshake, before the first reply (RFC 8446 §4.6.2); TLS 1.3 only.
        case afterHandshake = "after-handshake"
    }

    /// The certificate_authorities of a CertificateRequest.
    package enum ClientAuthorities: String, Sendable, CaseIterable {
        /// The authority of the client identities.
        case ours
        /// An authority that no client has a certificate of.
        case others
        case none
    }

    package init(versions: ClosedRange<TLSVersion> = .tls12 ... .tls13) {
        self.versions = versions
    }
}
