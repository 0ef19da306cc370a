import ProctorBase

/// An OCSP response with one signature (RFC 6960 §4.2.1), as a value before it is signed.
struct OCSPAnswer {
    /// What is known of a certificate.
    enum Status: Equatable {
        case good
        /// Since when, in seconds.
        case revoked(Int64)
        case unknown
    }

    /// One certificate that was asked about.
    struct Single {
        /// DER of the CertID; as the request has it.
        let identifier: [UInt8]
        let status: Status
    }

    let singles: [Single]
    /// Seconds since 1970.
    let thisUpdate: Int64
    /// Seconds since 1970.
    let nextUpdate: Int64
    /// DER of the whole extension of the request (§4.4.1).
    var nonce: [UInt8]?

    /// responseStatus malformedRequest (1) and nothing else (§2.3).
    static let malformedRequest = DER.sequence(DER.enumerated(1))
    /// responseStatus internalError (2).
    static let internalError = DER.sequence(DER.enumerated(2))

    /// DER of the OCSPResponse; the issuer answers itself, which needs no certificate beside.
    ///
    /// Who was not sent the issuer's own certificate, and looks for it nowhere else, as curl does, has to be given it.
    func signed(by issuer: PrivateKey, with certificate: [UInt8]? = nil) throws(CallFailure) -> [UInt8] {
        let data = DER.sequence(
            DER.context(2, DER.octets(HashedBytes.sha1(issuer.publicBits))), DER.generalizedTime(thisUpdate),
            DER.sequence(of: singles.map(encoded)),
            nonce.map { DER.context(1, DER.sequence($0)) } ?? [])
        let algorithm = try issuer.algorithm(.sha256)
        let basic = DER.sequence(
            data, algorithm, DER.bits(try issuer.signature(of: data, digest: .sha256)),
            certificate.map { DER.context(0, DER.sequence($0)) } ?? [])
        return DER.sequence(
            DER.enumerated(0),
            DER.context(0, DER.sequence(DER.oid("1.3.6.1.5.5.7.48.1.1"), DER.octets(basic))))
    }

    private func encoded(_ single: Single) -> [UInt8] {
        let status =
            switch single.status {
            case .good: DER.primitive(0, [])
            case .revoked(let since):
                // keyCompromise (1)
                DER.context(1, DER.generalizedTime(since) + DER.context(0, DER.enumerated(1)))
            case .unknown: DER.primitive(2, [])
            }
        return DER.sequence(
            single.identifier, status, DER.generalizedTime(thisUpdate),
            DER.context(0, DER.generalizedTime(nextUpdate)))
    }

    /// CertID with SHA-1, which all clients ask with (RFC 6960 §4.1.1, RFC 5019 §2.1.1).
    static func identifier(issuer: Issuing, serial: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid("1.3.14.3.2.26"), DER.null), DER.octets(HashedBytes.sha1(issuer.name)),
            DER.octets(HashedBytes.sha1(issuer.key.publicBits)), DER.integer(serial))
    }
}
