/// All that a client's TLS can be told before it knows the server.
public struct TLSClientSetup: Sendable, Hashable {
    /// Oldest to newest.
    public var versions: ClosedRange<TLSVersion>
    /// Up to TLS 1.2, as `openssl ciphers` reads it; nil for OpenSSL's own choice.
    public var cipherList: String?
    /// For TLS 1.3, by IANA's names with `:` between; nil for OpenSSL's own choice.
    public var cipherSuites: String?
    /// Certificates that a server's chain may end at, each as DER, or any number of them as PEM; nothing else is trusted.
    public var anchors: [[UInt8]]
    /// Given to every server that asks for a certificate, unless ``TLSClientQuestions`` are there to say which.
    public var identity: ClientIdentity?
    /// Offered by ALPN, the best first; none: the extension is not sent.
    public var applicationProtocols: [String]
    /// Whether a server that is not trusted ends the handshake, where nobody is asked.
    public var verifies: Bool
    /// Of OpenSSL: 1 as it comes, 2 for keys of at least 2,048 bits and no SHA-1, 0 for everything.
    public var securityLevel: Int
    /// Whether a stapled OCSP response is asked for (RFC 6066 §8).
    public var wantsStaple: Bool

    /// TLS 1.2 and 1.3, `http/1.1`, and trust in nobody but `anchors`.
    public init(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, cipherList: String? = nil, cipherSuites: String? = nil,
        anchors: [[UInt8]] = [], identity: ClientIdentity? = nil, applicationProtocols: [String] = ["http/1.1"],
        verifies: Bool = true, securityLevel: Int = 2, wantsStaple: Bool = false
    ) {
        self.versions = versions
        self.cipherList = cipherList
        self.cipherSuites = cipherSuites
        self.anchors = anchors
        self.identity = identity
        self.applicationProtocols = applicationProtocols
        self.verifies = verifies
        self.securityLevel = securityLevel
        self.wantsStaple = wantsStaple
    }
}
