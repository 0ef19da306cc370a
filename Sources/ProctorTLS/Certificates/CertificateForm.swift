import ProctorBase

/// A certificate before it is signed (RFC 5280 §4.1.2).
struct CertificateForm {
    var serial: [UInt8]
    /// DER of the issuer's Name.
    var issuer: [UInt8]
    /// DER of the subject's Name.
    var subject: [UInt8]
    /// Seconds since 1970.
    var notBefore: Int64
    /// Seconds since 1970.
    var notAfter: Int64
    /// DER of SubjectPublicKeyInfo.
    var publicKey: [UInt8]
    /// DER of each, in order.
    var extensions: [[UInt8]]

    /// DER of the Certificate.
    func signed(by key: PrivateKey, _ digest: CertificateProfile.Digest) throws(CallFailure) -> [UInt8] {
        try Self.signed(by: key, digest) { algorithm in
            DER.sequence(
                DER.context(0, DER.integer(2)), DER.integer(serial), algorithm, issuer,
                DER.sequence(DER.time(notBefore), DER.time(notAfter)), subject, publicKey,
                extensions.isEmpty ? [] : DER.context(3, DER.sequence(of: extensions)))
        }
    }

    /// The form of certificates and lists alike: what is signed, how, and the signature.
    static func signed(
        by key: PrivateKey, _ digest: CertificateProfile.Digest, _ content: ([UInt8]) -> [UInt8]
    ) throws(CallFailure) -> [UInt8] {
        // The algorithm stands within what is signed as well, so it must be known before.
        let algorithm = try key.algorithm(digest)
        let bytes = content(algorithm)
        return DER.sequence(bytes, algorithm, DER.bits(try key.signature(of: bytes, digest: digest)))
    }
}
