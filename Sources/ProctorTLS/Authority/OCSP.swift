internal import ProctorBase

/// An OCSP response with one signature (RFC 6960 §4.2.1), as a value before it is signed.
struct OCSPResponse {
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
    /// A client that was not sent the issuer's own certificate and looks for it nowhere else, as curl, has to be given it.
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
    static func identifier(issuer: CertificateIssuer, serial: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid("1.3.14.3.2.26"), DER.null), DER.octets(HashedBytes.sha1(issuer.name)),
            DER.octets(HashedBytes.sha1(issuer.key.publicBits)), DER.integer(serial))
    }
}

/// What an OCSPRequest asks (RFC 6960 §4.1.1).
struct OCSPRequest: Equatable {
    /// One certificate.
    struct Single: Equatable {
        /// DER of the CertID, to be repeated.
        let identifier: [UInt8]
        /// DER of the algorithm's OBJECT IDENTIFIER.
        let hash: [UInt8]
        let issuerNameHash: [UInt8]
        let issuerKeyHash: [UInt8]
        /// Without leading zeros.
        let serial: [UInt8]
    }

    let singles: [Single]
    /// DER of the whole extension.
    let nonce: [UInt8]?

    /// More are not answered.
    static let limit = 100

    /// nil for what is no request, is followed by something, or asks about too many; never traps.
    init?(_ bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard let request = outer.take(0x30), outer.isAtEnd else { return nil }
        var fields = DERReader(request)
        guard let toBeSigned = fields.take(0x30) else { return nil }
        // A signature is not looked at: every client may ask.
        if !fields.isAtEnd { guard fields.take(0xA0) != nil, fields.isAtEnd else { return nil } }
        var reader = DERReader(toBeSigned)
        _ = reader.take(0xA0)
        _ = reader.take(0xA1)
        guard let list = reader.take(0x30) else { return nil }
        var requests = DERReader(list)
        var singles: [Single] = []
        while !requests.isAtEnd {
            guard let request = requests.take(0x30), let single = Self.single(request), singles.count < Self.limit
            else { return nil }
            singles.append(single)
        }
        guard !singles.isEmpty else { return nil }
        self.singles = singles
        guard let extensions = reader.take(0xA2) else {
            nonce = nil
            if !reader.isAtEnd { return nil }
            return
        }
        guard reader.isAtEnd else { return nil }
        nonce = Self.nonce(extensions)
    }

    private static func single(_ request: ArraySlice<UInt8>) -> Single? {
        var reader = DERReader(request)
        guard let identifier = reader.next(), identifier.tag == 0x30 else { return nil }
        var fields = DERReader(identifier.content)
        guard let algorithm = fields.take(0x30), let name = fields.take(0x04), let key = fields.take(0x04),
            let serial = fields.take(0x02), fields.isAtEnd
        else { return nil }
        var parts = DERReader(algorithm)
        guard let hash = parts.next(), hash.tag == 0x06 else { return nil }
        return Single(
            identifier: Array(identifier.whole), hash: Array(hash.whole), issuerNameHash: Array(name),
            issuerKeyHash: Array(key), serial: Array(serial.drop { $0 == 0 }))
    }

    /// id-pkix-ocsp-nonce, at most 128 bytes (RFC 9654 §2.1).
    private static func nonce(_ extensions: ArraySlice<UInt8>) -> [UInt8]? {
        var outer = DERReader(extensions)
        guard let list = outer.take(0x30) else { return nil }
        var reader = DERReader(list)
        let oid = DER.oid("1.3.6.1.5.5.7.48.1.2")
        while let element = reader.next() {
            guard element.tag == 0x30, element.content.starts(with: oid) else { continue }
            return element.whole.count <= 160 ? Array(element.whole) : nil
        }
        return nil
    }
}
