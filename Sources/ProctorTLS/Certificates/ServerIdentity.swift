/// What a server shows of itself: its certificate with what leads to a root, and the key to it.
public struct ServerIdentity: Sendable, Hashable {
    /// DER; the server's own first, then what it sends along, in the order in which it is sent.
    public var chain: [[UInt8]]
    /// PKCS#8 DER, without a passphrase.
    public var key: [UInt8]
    /// An OCSP response (RFC 6960) for clients that ask for one (RFC 6066 §8); DER, nil for none.
    public var staple: [UInt8]?
    /// Of the profile it was made by.
    public var profile: String
    /// What OpenSSL must not go beyond to use the key and the digests: 0 for weak ones, otherwise 1 or 2.
    public var neededSecurityLevel: Int
    /// The newest version that the key can serve; nil for all of them.
    public var maximumVersion: TLSVersion?
    /// Of the leaf; big-endian.
    public var serial: [UInt8] = []
    /// Seconds since 1970 from which on the authority mints it anew.
    public var freshUntil = Int64.max

    /// Parts as they are.
    public init(
        chain: [[UInt8]], key: [UInt8], staple: [UInt8]? = nil, profile: String, neededSecurityLevel: Int = 1,
        maximumVersion: TLSVersion? = nil
    ) {
        self.chain = chain
        self.key = key
        self.staple = staple
        self.profile = profile
        self.neededSecurityLevel = neededSecurityLevel
        self.maximumVersion = maximumVersion
    }

    /// All of ``chain`` as PEM.
    public var chainPEM: String { chain.map { PEMText.text("CERTIFICATE", $0) }.joined() }
    /// ``key`` as PEM.
    public var keyPEM: String { PEMText.text("PRIVATE KEY", key) }
}
