internal import COpenSSL
internal import ProctorBase
package import ProctorTLSWire

/// A server's certificate chain and key.
package struct ServerIdentity: Sendable, Hashable {
    /// DER of the certificates, the server's own first, in the order in which they are sent.
    package var chain: [[UInt8]]
    /// PKCS#8 DER, without a passphrase.
    package var key: [UInt8]
    /// DER of an OCSP response (RFC 6960), for clients that request one (RFC 6066 §8); nil for none.
    package var staple: [UInt8]?
    /// The name of the profile by which the identity was minted.
    package var profile: String
    /// The highest security level of OpenSSL that accepts key and digests: 0 for weak ones, else 1 or 2.
    package var neededSecurityLevel: Int
    /// The newest version that the key supports; nil if it supports all.
    package var maximumVersion: TLSVersion?
    /// The leaf's serial number, big-endian.
    package var serial: [UInt8] = []
    /// The times, in seconds since 1970, outside of which the authority renews the identity: the day of its making.
    package var freshness = Int64.min..<Int64.max

    package init(
        chain: [[UInt8]], key: [UInt8], staple: [UInt8]? = nil, profile: String, neededSecurityLevel: Int = 1,
        maximumVersion: TLSVersion? = nil
    ) {
        (self.chain, self.key, self.staple, self.profile) = (chain, key, staple, profile)
        (self.neededSecurityLevel, self.maximumVersion) = (neededSecurityLevel, maximumVersion)
    }

    package var chainPEM: String { chain.map { PEMText.text("CERTIFICATE", $0) }.joined() }
    package var keyPEM: String { PEMText.text("PRIVATE KEY", key) }
}

extension ServerIdentity {
    /// Reads an identity from files: certificates in PEM, the server's own first, and its key.
    ///
    /// Lowers OpenSSL's security level, so that weak keys are accepted.
    package init(certificates: [UInt8], key: [UInt8], profile: String) throws(TLSSetupError) {
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

    /// The labels of PKCS#8 (RFC 5958), and of OpenSSL's older formats.
    private static let keyLabels = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]
}

/// A client's certificate chain and key, with their files.
package struct ClientIdentity: Sendable, Hashable {
    package var name: String
    /// DER of the certificates, the client's own first.
    package var chain: [[UInt8]]
    /// PKCS#8 DER, without a passphrase.
    package var key: [UInt8]
    /// The path of ``chain`` in PEM, readable by the owner only; empty if it was not exported.
    package var certificatePath = ""
    /// The path of ``key`` in PEM; empty if it was not exported.
    package var keyPath = ""
    /// The path of both in PKCS#12 under ``passphrase``; empty if they were not exported.
    package var pkcs12Path = ""

    /// The passphrase of all PKCS#12 files; the keys protect nothing of value.
    package static let passphrase = "proctor"

    package init(name: String, chain: [[UInt8]], key: [UInt8]) {
        (self.name, self.chain, self.key) = (name, chain, key)
    }
}

// Printed identities, for example in failed test comparisons, must not contain the private key.

extension ServerIdentity: CustomStringConvertible, CustomReflectable {
    /// Without the key.
    package var description: String { "server identity '\(profile)', \(chain.count) certificates" }
    /// Without the key.
    package var customMirror: Mirror {
        Mirror(self, children: ["profile": profile, "chain": chain, "serial": serial, "freshness": freshness])
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    package var description: String { "client identity '\(name)', \(chain.count) certificates" }
    /// Without the key.
    package var customMirror: Mirror {
        Mirror(self, children: ["name": name, "chain": chain, "keyPath": keyPath])
    }
}

/// A PKCS#12 file (RFC 7292) with certificates and an optional key.
enum PKCS12File {
    /// Triple DES, SHA-1 and 2048 rounds, which older readers of Apple and Java accept; the key protects nothing of
    /// value.
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
        // The MAC is set separately: the default SHA-256 is unknown to those readers.
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
