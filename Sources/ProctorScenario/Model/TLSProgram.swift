/// How an origin speaks TLS, and with what certificate.
public struct TLSProgram: Sendable, Equatable {
    /// The name of a certificate profile; whether there is one of that name is known where the profiles are.
    public var certificate = "valid"
    /// A certificate and key of the fixture's own in its place; ``certificate`` is then ``GivenCertificate/name``.
    public var given: GivenCertificate?
    /// What happens to a client that speaks plain HTTP there.
    public var plainHTTP = PlainHTTP.answer
    /// The oldest version that is accepted.
    public var oldest = Version.tls12
    /// The newest version that is accepted.
    public var newest = Version.tls13
    /// OpenSSL's list of ciphers up to TLS 1.2; nil: its own choice.
    public var ciphers: String?
    /// OpenSSL's list of cipher suites of TLS 1.3; nil: its own choice.
    public var suites: String?
    /// OpenSSL's list of groups for key exchange; nil: its own choice.
    public var groups: String?
    /// Bits of the group of finite-field Diffie-Hellman; nil: none is offered beyond OpenSSL's own choice.
    public var dhBits: Int?
    /// What is said to the client's application protocols (RFC 7301).
    public var applicationProtocols = ApplicationProtocols.select(["http/1.1"])
    /// What is said to server_name (RFC 6066 §3).
    public var serverName = ServerName.accept
    /// Whether earlier sessions go on.
    public var resumption = Resumption.on
    /// Whether the client is asked for a certificate.
    public var clientCertificate = ClientCertificate.none
    /// Which authorities the question names.
    public var clientAuthorities = ClientAuthorities.ours

    /// A certificate and its key from files beside the fixture, as they were when it was loaded.
    public struct GivenCertificate: Sendable, Hashable {
        /// What facts and the journal call every such certificate.
        public static let name = "given"
        /// PEM; the server's own certificate first, then what it sends along.
        public let certificates: [UInt8]
        /// PEM, without a passphrase; a secret.
        public let key: [UInt8]

        /// What the files hold; whether that is any good is known where TLS is spoken.
        public init(certificates: [UInt8], key: [UInt8]) {
            self.certificates = certificates
            self.key = key
        }
    }

    /// Answers to a client that sends no ClientHello but a request.
    public enum PlainHTTP: String, Sendable, CaseIterable {
        /// A 400 in plain HTTP that says where to go.
        case answer
        /// The connection is closed without a word.
        case close
    }

    /// The versions of TLS, by age.
    public enum Version: String, Sendable, CaseIterable, Comparable {
        case tls10 = "1.0"
        case tls11 = "1.1"
        case tls12 = "1.2"
        case tls13 = "1.3"

        /// By age.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// Answers to application_layer_protocol_negotiation.
    public enum ApplicationProtocols: Sendable, Equatable {
        /// The first of these that the client offers; a client that offers others only gets no answer.
        case select([String])
        /// No answer.
        case ignore
        /// The fatal alert no_application_protocol.
        case refuse
        /// This one, whatever was offered.
        case force(String)
    }

    /// Answers to server_name.
    public enum ServerName: String, Sendable, CaseIterable {
        /// Any name, and none.
        case accept
        /// The fatal alert unrecognized_name.
        case refuse
        /// The same as a warning; the handshake goes on.
        case warn
    }

    /// What becomes of earlier sessions.
    public enum Resumption: String, Sendable, CaseIterable {
        /// Tickets are given and honoured.
        case on
        /// None are given.
        case off
        /// They are given, and none is honoured.
        case refuse
    }

    /// What is wanted of the client.
    public enum ClientCertificate: String, Sendable, CaseIterable {
        case none
        /// Without one the handshake goes on.
        case request
        /// Without one it fails.
        case require
        /// Asked for behind the handshake, before the first reply (RFC 8446 §4.6.2); TLS 1.3 alone.
        case afterHandshake = "after-handshake"
    }

    /// The names in a CertificateRequest.
    public enum ClientAuthorities: String, Sendable, CaseIterable {
        /// That of the authority which made the client identities.
        case ours
        /// One that nobody knows.
        case others
        /// No names.
        case none
    }

    /// A valid certificate, TLS 1.2 and 1.3, nothing special.
    public init() {}
}
