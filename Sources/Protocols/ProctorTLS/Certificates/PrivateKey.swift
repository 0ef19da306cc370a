internal import COpenSSL
import ProctorBase

/// A private key with its public half; safe from any thread.
@safe final class PrivateKey: Sendable {
    /// An `EVP_PKEY`.
    private let object: SharedObject
    /// Valid as long as this key.
    var handle: OpaquePointer { unsafe object.pointer }
    let der: [UInt8]
    /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    let publicDER: [UInt8]
    let family: Family

    enum Family {
        case rsa, curve, ed25519
    }

    init(der: [UInt8]) throws(CallFailure) {
        ERR_clear_error()
        guard let pointer = unsafe OpenSSLObjects.privateKey(der) else {
            throw OpenSSLErrors.failure("d2i_AutoPrivateKey")
        }
        object = unsafe SharedObject(owning: pointer) { unsafe EVP_PKEY_free($0) }
        self.der = der
        publicDER = unsafe OpenSSLObjects.encoded { unsafe i2d_PUBKEY(pointer, $0) }
        switch unsafe EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA: family = .rsa
        case EVP_PKEY_ED25519: family = .ed25519
        default: family = .curve
        }
    }

    /// The content of subjectPublicKey, without the byte that counts unused bits.
    var publicBits: [UInt8] {
        var outer = DERReader(publicDER[...])
        guard let fields = outer.readElement(0x30) else { return [] }
        var reader = DERReader(fields)
        _ = reader.next()
        return Array(reader.readElement(0x03)?.dropFirst() ?? [])
    }

    /// The key identifier of RFC 7093 §2, method 1.
    var identifier: [UInt8] { Array(HashedBytes.sha256(publicBits).prefix(20)) }

    /// In the encoding of a certificate's signatureValue.
    func signature(of bytes: [UInt8], digest: CertificateProfile.Digest) throws(CallFailure) -> [UInt8] {
        ERR_clear_error()
        guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLErrors.failure("EVP_MD_CTX_new") }
        defer { unsafe EVP_MD_CTX_free(context) }
        let function = unsafe family == .ed25519 ? nil : EVP_get_digestbyname(digest.rawValue)
        // Without a digest OpenSSL would choose one itself.
        guard unsafe family == .ed25519 || function != nil else {
            throw OpenSSLErrors.failure("EVP_get_digestbyname \(digest.rawValue)")
        }
        guard unsafe EVP_DigestSignInit(context, nil, function, nil, handle) == 1 else {
            throw OpenSSLErrors.failure("EVP_DigestSignInit with \(digest.rawValue)")
        }
        var count = 0
        guard unsafe EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1 else {
            throw OpenSSLErrors.failure("EVP_DigestSign with \(digest.rawValue)")
        }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw OpenSSLErrors.failure("EVP_DigestSign with \(digest.rawValue)")
        }
        return Array(signature.prefix(count))
    }

    /// The AlgorithmIdentifier of the key's signatures: RFC 4055 §5, RFC 5758 §3.2, RFC 8410 §3.
    func algorithm(_ digest: CertificateProfile.Digest) throws(CallFailure) -> [UInt8] {
        let number: String? =
            switch (family, digest) {
            case (.ed25519, _): "1.3.101.112"
            case (.rsa, .md5): "1.2.840.113549.1.1.4"
            case (.rsa, .sha1): "1.2.840.113549.1.1.5"
            case (.rsa, .sha256): "1.2.840.113549.1.1.11"
            case (.rsa, .sha384): "1.2.840.113549.1.1.12"
            case (.rsa, .sha512): "1.2.840.113549.1.1.13"
            case (.curve, .md5): nil
            case (.curve, .sha1): "1.2.840.10045.4.1"
            case (.curve, .sha256): "1.2.840.10045.4.3.2"
            case (.curve, .sha384): "1.2.840.10045.4.3.3"
            case (.curve, .sha512): "1.2.840.10045.4.3.4"
            }
        guard let number else { throw CallFailure(call: "ecdsa-with-md5", code: 0, text: "there is no such algorithm") }
        return family == .rsa ? DER.sequence(DER.oid(number), DER.null) : DER.sequence(DER.oid(number))
    }
}
