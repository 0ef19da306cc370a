/// All that a server's TLS can be told, but for its certificate; one SSL_CTX is made of each.
public struct TLSServerSetup: Sendable, Hashable {
    /// Oldest to newest.
    public var versions: ClosedRange<TLSVersion>
    /// Up to TLS 1.2, as `openssl ciphers` reads it; nil for OpenSSL's own choice.
    public var cipherList: String?
    /// For TLS 1.3, by IANA's names with `:` between; nil for OpenSSL's own choice.
    public var cipherSuites: String?
    /// By OpenSSL's names with `:` between, the best first; nil for OpenSSL's own choice.
    public var groups: String?
    /// Bits of the group for finite-field Diffie–Hellman up to TLS 1.2; nil: what suits the certificate's key.
    public var dhBits: Int?
    /// What is done with ALPN.
    public var applicationProtocols: ApplicationProtocols
    /// What is done with a server_name.
    public var serverName: ServerName
    /// What is done for sessions that could go on later.
    public var resumption: Resumption
    /// Whether, and when, the client is asked for a certificate.
    public var clientCertificate: ClientCertificate
    /// What the CertificateRequest lists.
    public var clientAuthorities: ClientAuthorities
    /// Keeps what ``TLSSession/send(alert:)`` needs to encrypt an alert itself; costs some time in each handshake.
    public var canAlert: Bool

    /// Application-layer protocol negotiation (RFC 7301).
    public enum ApplicationProtocols: Sendable, Hashable {
        /// The first of these that the client offers; if it offers none of them, no_application_protocol (§3.2).
        case select([String])
        /// The extension is not answered.
        case ignored
        /// A client that offers anything gets no_application_protocol.
        case refused
        /// Selected whatever the client offers, which is against §3.1 on purpose; it must have offered something.
        case forced(String)
    }

    /// Server name indication (RFC 6066 §3).
    public enum ServerName: Sendable, Hashable {
        case accepted
        /// A fatal unrecognized_name for whoever sends one.
        case refused
        /// A warning unrecognized_name, and on with it; TLS 1.3 has no warnings, so nothing is sent there.
        case warned
    }

    /// Session tickets and session identifiers.
    public enum Resumption: Sendable, Hashable {
        case on
        /// Nothing is given to resume with.
        case off
        /// Tickets are given, and never honoured: a full handshake each time.
        case refused
    }

    /// Authentication of the client by a certificate.
    public enum ClientCertificate: Sendable, Hashable {
        case none
        /// The client may come without one.
        case requested
        /// A client without one is refused.
        case required
        /// Later, by ``TLSSession/requestClientCertificate(within:)``; TLS 1.3 alone (RFC 8446 §4.6.2).
        case afterHandshake
    }

    /// The certificate_authorities of a CertificateRequest.
    public enum ClientAuthorities: Sendable, Hashable {
        /// The subject of the authority that clients' certificates are verified by.
        case ours
        /// One that nobody has a certificate of.
        case others
        /// An empty list.
        case none
    }

    /// TLS 1.2 and 1.3, `http/1.1`, and nothing unusual.
    public init(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, cipherList: String? = nil, cipherSuites: String? = nil,
        groups: String? = nil, dhBits: Int? = nil, applicationProtocols: ApplicationProtocols = .select(["http/1.1"]),
        serverName: ServerName = .accepted, resumption: Resumption = .on, clientCertificate: ClientCertificate = .none,
        clientAuthorities: ClientAuthorities = .ours, canAlert: Bool = false
    ) {
        self.versions = versions
        self.cipherList = cipherList
        self.cipherSuites = cipherSuites
        self.groups = groups
        self.dhBits = dhBits
        self.applicationProtocols = applicationProtocols
        self.serverName = serverName
        self.resumption = resumption
        self.clientCertificate = clientCertificate
        self.clientAuthorities = clientAuthorities
        self.canAlert = canAlert
    }
}
