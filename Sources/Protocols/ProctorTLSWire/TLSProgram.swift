/// A server's TLS settings and certificate.
package struct TLSProgram: Sendable, Hashable {
    /// The name of a certificate profile; other code checks that it exists.
    package var certificate = "valid"
    package var given: GivenCertificate?
    /// The answer to a client that sends plain HTTP.
    package var plainHTTP = PlainHTTP.answer
    package var oldest = Version.tls12
    package var newest = Version.tls13
    /// Ciphers for TLS 1.2 and older, in the syntax of `openssl ciphers`; nil for OpenSSL's default.
    package var ciphers: String?
    /// Cipher suites for TLS 1.3, by IANA's names separated by `:`; nil for OpenSSL's default.
    package var suites: String?
    /// Groups by OpenSSL's names separated by `:`, in order of preference; nil for OpenSSL's default.
    package var groups: String?
    /// Bits of the finite-field Diffie-Hellman group for TLS 1.2 and older; nil to choose by the certificate's key.
    package var dhBits: Int?
    /// The answer to the client's application protocols (RFC 7301).
    package var applicationProtocols = ApplicationProtocols.select(["http/1.1"])
    /// The answer to server_name (RFC 6066 §3).
    package var serverName = ServerName.accept
    /// How the server treats earlier sessions.
    package var resumption = Resumption.on
    /// Whether and when the server requests the client's certificate.
    package var clientCertificate = ClientCertificate.none
    /// Which authorities the CertificateRequest names.
    package var clientAuthorities = ClientAuthorities.ours
    /// Whether the server stores what it needs to encrypt a scenario's fatal alert; that costs time in each handshake.
    package var canAlert = false

    /// From the oldest to the newest; a newest version older than the oldest is ignored.
    package var versions: ClosedRange<Version> {
        get { oldest...max(oldest, newest) }
        set { (oldest, newest) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// A certificate and its key from files next to the fixture, read at load.
    package struct GivenCertificate: Sendable, Hashable {
        /// The name of every such certificate, in facts and in the journal.
        package static let name = "given"
        /// In PEM, the server's own certificate first, then its chain.
        package let certificates: [UInt8]
        /// In PEM, without a passphrase; a secret.
        package let key: [UInt8]

        /// The contents of the files, which OpenSSL checks later.
        package init(certificates: [UInt8], key: [UInt8]) {
            (self.certificates, self.key) = (certificates, key)
        }
    }

    package enum PlainHTTP: String, Sendable, CaseIterable {
        /// A 400 in plain HTTP that contains the correct URL.
        case answer
        case close
        /// The reply of the fixture, in the clear: the port speaks both.
        case serve
    }

    package typealias Version = TLSVersion

    package enum ApplicationProtocols: Sendable, Hashable {
        /// The first of these that the client offers, else the alert no_application_protocol (§3.2).
        case select([String])
        case ignore
        /// The fatal alert no_application_protocol, whatever is offered.
        case refuse
        /// This protocol, whatever was offered, a deliberate violation of §3.1; the client must offer some protocol.
        case force(String)
    }

    package enum ServerName: String, Sendable, CaseIterable {
        /// Accepts any name, and a ClientHello without one.
        case accept
        /// The fatal alert unrecognized_name, for any name.
        case refuse
        /// The alert as a warning; the handshake continues.
        ///
        /// TLS 1.3 has no warnings, so nothing is sent there.
        case warn
    }

    /// How the server treats earlier sessions, by ticket or by session identifier.
    package enum Resumption: String, Sendable, CaseIterable {
        /// Tickets are issued and accepted.
        case on
        case off
        /// Tickets are issued but never accepted: every handshake is a full one.
        case refuse
    }

    package enum ClientCertificate: String, Sendable, CaseIterable {
        case none
        /// The handshake continues without a certificate.
        case request
        case require
        /// Requested after the handshake, before the first reply (RFC 8446 §4.6.2); TLS 1.3 only.
        case afterHandshake = "after-handshake"
    }

    /// The certificate_authorities of a CertificateRequest.
    package enum ClientAuthorities: String, Sendable, CaseIterable {
        /// The authority of the client identities.
        case ours
        /// An authority from which no client has a certificate.
        case others
        case none
    }

    package init(versions: ClosedRange<TLSVersion> = .tls12 ... .tls13) {
        self.versions = versions
    }
}
