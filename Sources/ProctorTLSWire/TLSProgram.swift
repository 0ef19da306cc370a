/// How a server shakes hands in TLS, and with what certificate.
public struct TLSProgram: Sendable, Hashable {
    /// The name of a certificate profile; the reader of profiles knows whether there is one of that name.
    public var certificate = "valid"
    /// A certificate and key of the fixture's own in its place; ``certificate`` is then ``GivenCertificate/name``.
    public var given: GivenCertificate?
    /// What happens to a client that speaks plain HTTP there.
    public var plainHTTP = PlainHTTP.answer
    /// The oldest version that is accepted.
    public var oldest = Version.tls12
    /// The newest version that is accepted.
    public var newest = Version.tls13
    /// Ciphers up to TLS 1.2 as `openssl ciphers` reads them; nil: OpenSSL's own choice.
    public var ciphers: String?
    /// Cipher suites of TLS 1.3 by IANA's names with `:` between; nil: OpenSSL's own choice.
    public var suites: String?
    /// Groups for key exchange by OpenSSL's names with `:` between, the best first; nil: OpenSSL's own choice.
    public var groups: String?
    /// Bits of the group for finite-field Diffie-Hellman up to TLS 1.2; nil: what suits the certificate's key.
    public var dhBits: Int?
    /// The answer to the client's application protocols (RFC 7301).
    public var applicationProtocols = ApplicationProtocols.select(["http/1.1"])
    /// The answer to server_name (RFC 6066 §3).
    public var serverName = ServerName.accept
    /// What becomes of earlier sessions.
    public var resumption = Resumption.on
    /// Whether, and when, the client is asked for a certificate.
    public var clientCertificate = ClientCertificate.none
    /// Which authorities the CertificateRequest names.
    public var clientAuthorities = ClientAuthorities.ours
    /// Whether the server keeps what it needs to encrypt a fatal alert of the fixture's own; takes some time in each
    /// handshake.
    public var canAlert = false

    /// The versions that are accepted, oldest to newest; a newest version that is older than the oldest does not count.
    package var versions: ClosedRange<Version> {
        get { oldest...max(oldest, newest) }
        set { (oldest, newest) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// A certificate and its key from files beside the fixture, as they were when it was loaded.
    public struct GivenCertificate: Sendable, Hashable {
        /// What facts and the journal call every such certificate.
        public static let name = "given"
        /// PEM; the server's own certificate first, then what it sends along.
        public let certificates: [UInt8]
        /// PEM, without a passphrase; a secret.
        public let key: [UInt8]

        /// What the files hold; OpenSSL says later whether it can use them.
        public init(certificates: [UInt8], key: [UInt8]) {
            self.certificates = certificates
            self.key = key
        }
    }

    /// Answers to a client that sends no ClientHello but a request.
    public enum PlainHTTP: String, Sendable, CaseIterable {
        /// A 400 in plain HTTP that says where to go.
        case answer
        /// The connection is closed without an answer.
        case close
    }

    /// The versions of TLS that can be accepted.
    public typealias Version = TLSVersion

    /// Answers to application_layer_protocol_negotiation (RFC 7301).
    public enum ApplicationProtocols: Sendable, Hashable {
        /// The first of these that the client offers; if it offers none of them, no_application_protocol (§3.2).
        case select([String])
        /// No answer.
        case ignore
        /// The fatal alert no_application_protocol to a client that offers anything.
        case refuse
        /// This one, whatever was offered, which breaks §3.1 on purpose; the client must have offered something.
        case force(String)
    }

    /// Answers to server_name (RFC 6066 §3).
    public enum ServerName: String, Sendable, CaseIterable {
        /// Any name, and none.
        case accept
        /// The fatal alert unrecognized_name to a client that sends a name.
        case refuse
        /// The same as a warning; the handshake goes on. TLS 1.3 has no warnings, so nothing is sent there.
        case warn
    }

    /// What becomes of earlier sessions, be it by ticket or by session identifier.
    public enum Resumption: String, Sendable, CaseIterable {
        /// Tickets are given and honoured.
        case on
        /// None are given.
        case off
        /// Tickets are given, and none is honoured: a full handshake each time.
        case refuse
    }

    /// Authentication of the client by a certificate.
    public enum ClientCertificate: String, Sendable, CaseIterable {
        case none
        /// Without one the handshake goes on.
        case request
        /// Without one it fails.
        case require
        /// Asked for behind the handshake, before the first reply (RFC 8446 §4.6.2); TLS 1.3 alone.
        case afterHandshake = "after-handshake"
    }

    /// The certificate_authorities of a CertificateRequest.
    public enum ClientAuthorities: String, Sendable, CaseIterable {
        /// The authority that made the client identities, by which they are verified.
        case ours
        /// An authority that no client has a certificate of.
        case others
        /// An empty list.
        case none
    }

    /// A valid certificate, `http/1.1`, nothing special.
    public init(versions: ClosedRange<TLSVersion> = .tls12 ... .tls13) {
        self.versions = versions
    }
}
