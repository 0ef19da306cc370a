internal import COpenSSL
internal import ProctorBase
public import ProctorTLSWire

/// What a server shows of itself: its certificate with what leads to a root, and the key to it.
public struct ServerIdentity: Sendable, Hashable {
    /// DER; the server's own first, then what it sends along, in the order in which it is sent.
    public var chain: [[UInt8]]
    /// PKCS#8 DER, without a passphrase.
    public var key: [UInt8]
    /// An OCSP response (RFC 6960) for clients that ask for one (RFC 6066 §8); DER, nil for none.
    public var staple: [UInt8]?
    /// The name of its profile.
    public var profile: String
    /// What OpenSSL must not go beyond to use the key and the digests: 0 for weak ones, otherwise 1 or 2.
    public var neededSecurityLevel: Int
    /// The newest version that the key can serve; nil for all of them.
    public var maximumVersion: TLSVersion?
    /// The leaf's serial number; big-endian.
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

extension ServerIdentity {
    /// What a server was given in files: certificates in PEM, its own first, and the key to that one.
    ///
    /// OpenSSL's own security level does not hold for it, so that weak keys can be shown too.
    public init(certificates: [UInt8], key: [UInt8], profile: String) throws(TLSSetupError) {
        let chain = try SSLContext.certificates(in: certificates)
        let text = String(decoding: key, as: UTF8.self)
        let blocks = Self.keyLabels.lazy.compactMap { PEMText.block($0, in: text) }
        guard let der = blocks.first else {
            throw TLSSetupError(
                "the key of \(profile) is none: there is no block of PEM called "
                    + Self.keyLabels.joined(separator: " or "))
        }
        self.init(chain: chain, key: der, profile: profile, neededSecurityLevel: 0)
    }

    /// PKCS#8 (RFC 5958), and what OpenSSL wrote before.
    private static let keyLabels = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]
}

/// What a client shows of itself when a server asks for a certificate, and the files that hold it.
public struct ClientIdentity: Sendable, Hashable {
    /// The name of its profile, as `alice`.
    public var name: String
    /// DER; the client's own first.
    public var chain: [[UInt8]]
    /// PKCS#8 DER, without a passphrase.
    public var key: [UInt8]
    /// PEM of ``chain``, its owner's alone like all three files; empty where no authority exported it.
    public var certificatePath = ""
    /// PEM of ``key``; empty where no authority exported it.
    public var keyPath = ""
    /// Both in one PKCS#12 file, under ``passphrase``; empty where no authority exported it.
    public var pkcs12Path = ""

    /// What the PKCS#12 files open with; the same for all, as what it protects is of no worth.
    public static let passphrase = "proctor"

    /// Parts as they are.
    public init(name: String, chain: [[UInt8]], key: [UInt8]) {
        self.name = name
        self.chain = chain
        self.key = key
    }
}

// A printed identity, as in a test's failed comparison, shows everything but the private key.

extension ServerIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The profile and the length of the chain.
    public var description: String { "server identity '\(profile)', \(chain.count) certificates" }
    /// The same.
    public var debugDescription: String { description }
    /// Without the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["profile": profile, "chain": chain, "serial": serial, "freshUntil": freshUntil])
    }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the length of the chain.
    public var description: String { "client identity '\(name)', \(chain.count) certificates" }
    /// The same.
    public var debugDescription: String { description }
    /// Without the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "chain": chain, "keyPath": keyPath])
    }
}

/// A PKCS#12 file (RFC 7292) with certificates, and a key where there is one.
enum PKCS12File {
    /// Triple DES, SHA-1 and 2048 rounds: what Apple's and Java's older readers open as well; the key is worth nothing.
    static func make(
        name: String, chain: [[UInt8]], key: PrivateKey?, passphrase: String
    ) throws(CallFailure) -> [UInt8] {
        ERR_clear_error()
        guard let others = unsafe proctor_sk_X509_new() else { throw OpenSSLErrors.failure("sk_X509_new") }
        defer { unsafe proctor_sk_X509_free(others) }
        var leaf: OpaquePointer?
        defer { unsafe X509_free(leaf) }
        for (index, der) in chain.enumerated() {
            guard let certificate = unsafe OpenSSLObjects.certificate(der) else {
                throw OpenSSLErrors.failure("d2i_X509")
            }
            if index == 0 { unsafe leaf = certificate } else { unsafe proctor_sk_X509_push(others, certificate) }
        }
        let algorithm = Int32(NID_pbe_WithSHA1And3_Key_TripleDES_CBC)
        // The MAC is set apart: this call's own would be SHA-256, which readers of that age do not know.
        let file = unsafe PKCS12_create(
            passphrase, name, key?.handle, leaf, others, key == nil ? -1 : algorithm, algorithm, 2_048, -1, 0)
        guard let file = unsafe file else { throw OpenSSLErrors.failure("PKCS12_create") }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_set_mac(file, passphrase, -1, nil, 0, 2_048, EVP_sha1()) == 1 else {
            throw OpenSSLErrors.failure("PKCS12_set_mac")
        }
        return unsafe OpenSSLObjects.encoded { unsafe i2d_PKCS12(file, $0) }
    }
}
