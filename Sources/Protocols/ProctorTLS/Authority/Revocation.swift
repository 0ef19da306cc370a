internal import ProctorBase

extension Authority {
    /// Days for which CRLs and OCSP responses are valid.
    private static let validity: Int64 = 7

    /// DER of a CertificateList (RFC 5280 §5) with the revoked certificates of this object.
    package func revocationList() throws(AuthorityError) -> [UInt8] {
        let today = today
        let revoked = state.withLock { $0.register.revoked }
        let entries = revoked.map { entry in
            // reasonCode keyCompromise (1), §5.3.1
            let reason = CertificateExtension.make("2.5.29.21", DER.enumerated(1))
            return DER.sequence(DER.integer(entry.serial), DER.time(entry.since), DER.sequence(reason))
        }
        let extensions = DER.sequence(
            CertificateExtension.authorityKey(root.key.identifier),
            CertificateExtension.make("2.5.29.20", DER.integer(UInt64(max(0, now())))))
        return try AuthorityError.notOffered("a CRL can't be offered: the system's OpenSSL says") {
            () throws(CallFailure) in
            try TBSCertificate.signed(by: root.key, .sha256) { algorithm in
                DER.sequence(
                    DER.integer(1), algorithm, root.name, DER.time(today), DER.time(today + Self.validity * DER.day),
                    entries.isEmpty ? [] : DER.sequence(of: entries), DER.context(0, extensions))
            }
        }
    }

    /// Answers any bytes: DER of an OCSPResponse (RFC 6960).
    package func ocspResponse(to request: [UInt8]) -> [UInt8] {
        guard let question = OCSPRequest(request) else { return OCSPResponse.malformedRequest }
        let singles = question.singles.map { OCSPResponse.Single(identifier: $0.identifier, status: status(of: $0)) }
        let answer = OCSPResponse(
            singles: singles, thisUpdate: today, nextUpdate: today + Self.validity * DER.day, nonce: question.nonce)
        return (try? answer.signed(by: root.key)) ?? OCSPResponse.internalError
    }

    private func status(of single: OCSPRequest.Single) -> OCSPResponse.Status {
        let hash: ([UInt8]) -> [UInt8]
        switch single.hash {
        case DER.oid("1.3.14.3.2.26"): hash = HashedBytes.sha1
        case DER.oid("2.16.840.1.101.3.4.2.1"): hash = HashedBytes.sha256
        default: return .unknown
        }
        guard single.issuerNameHash == hash(root.name), single.issuerKeyHash == hash(root.key.publicBits),
            let entry = state.withLock({ $0.register[single.serial] })
        else { return .unknown }
        return entry.isRevoked ? .revoked(entry.since) : .good
    }

    /// The OCSP response that is stapled to a certificate.
    func staple(
        _ staple: CertificateProfile.Staple, of serial: [UInt8], by issuer: CertificateIssuer
    ) throws(AuthorityError) -> [UInt8] {
        let today = today
        var number = serial
        if staple == .wrongSerial, let last = number.popLast() { number.append(last ^ 1) }
        let single = OCSPResponse.Single(
            identifier: OCSPResponse.identifier(issuer: issuer, serial: number),
            status: staple == .revoked ? .revoked(today - DER.day) : .good)
        let answer =
            staple == .expired
            ? OCSPResponse(singles: [single], thisUpdate: today - 20 * DER.day, nextUpdate: today - 10 * DER.day)
            : OCSPResponse(singles: [single], thisUpdate: today, nextUpdate: today + Self.validity * DER.day)
        return try AuthorityError.notOffered("an OCSP response can't be offered: the system's OpenSSL says") {
            () throws(CallFailure) in
            try answer.signed(by: issuer.key, with: issuer.certificate)
        }
    }
}

/// The server's revocation URLs, named in certificates of profiles with revocation.
package struct RevocationURLs: Sendable, Hashable {
    package let revocationList: String
    /// URL of the OCSP responder (RFC 5280 §4.2.2.1).
    package let responder: String

    package init(revocationList: String, responder: String) {
        (self.revocationList, self.responder) = (revocationList, responder)
    }
}

/// The certificates of this process with their revocation status.
struct RevocationRegister {
    struct Entry: Equatable {
        let isRevoked: Bool
        /// Seconds since 1970.
        let since: Int64
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// Oldest first.
    private var order: [[UInt8]] = []
    /// The most entries; the oldest are removed.
    static let limit = 4_096

    subscript(serial: [UInt8]) -> Entry? { entries[serial] }

    mutating func record(_ serial: [UInt8], isRevoked: Bool, since: Int64) {
        let serial = Array(serial.drop { $0 == 0 })
        if entries.updateValue(Entry(isRevoked: isRevoked, since: since), forKey: serial) == nil {
            order.append(serial)
        }
        while order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// In the order of minting.
    var revoked: [(serial: [UInt8], since: Int64)] {
        order.compactMap { serial in
            entries[serial].flatMap { $0.isRevoked ? (serial, $0.since) : nil }
        }
    }
}

/// An OCSP response about one certificate (RFC 6960 §4.2.1), before it is signed.
struct OCSPResponse {
    /// What the responder knows of a certificate.
    enum Status: Equatable {
        case good
        /// Revoked at this time, in seconds since 1970.
        case revoked(Int64)
        case unknown
    }

    struct Single {
        /// DER of the CertID, copied from the request.
        let identifier: [UInt8]
        let status: Status
    }

    let singles: [Single]
    /// Seconds since 1970.
    let thisUpdate: Int64
    /// Seconds since 1970.
    let nextUpdate: Int64
    /// DER of the whole nonce extension of the request (§4.4.1).
    var nonce: [UInt8]?

    /// responseStatus malformedRequest (1) and nothing else (§2.3).
    static let malformedRequest = DER.sequence(DER.enumerated(1))
    /// responseStatus internalError (2).
    static let internalError = DER.sequence(DER.enumerated(2))

    /// DER of the OCSPResponse, signed by the issuer itself.
    ///
    /// With `certificate` it includes the issuer's certificate, for clients such as curl that get it nowhere else.
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

    /// CertID with SHA-1, which all clients use (RFC 6960 §4.1.1, RFC 5019 §2.1.1).
    static func identifier(issuer: CertificateIssuer, serial: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid("1.3.14.3.2.26"), DER.null), DER.octets(HashedBytes.sha1(issuer.name)),
            DER.octets(HashedBytes.sha1(issuer.key.publicBits)), DER.integer(serial))
    }
}

/// The certificate about which an OCSPRequest asks (RFC 6960 §4.1.1).
struct OCSPRequest: Equatable {
    struct Single: Equatable {
        /// DER of the CertID, to be copied into the response.
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

    /// The most certificates of a request.
    static let limit = 100

    /// nil for malformed or trailing bytes and for too many certificates; never traps.
    init?(_ bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard let request = outer.readElement(0x30), outer.isAtEnd else { return nil }
        var fields = DERReader(request)
        guard let toBeSigned = fields.readElement(0x30) else { return nil }
        // A signature is not checked: every client may send requests.
        if !fields.isAtEnd { guard fields.readElement(0xA0) != nil, fields.isAtEnd else { return nil } }
        var reader = DERReader(toBeSigned)
        _ = reader.readElement(0xA0)
        _ = reader.readElement(0xA1)
        guard let list = reader.readElement(0x30) else { return nil }
        var requests = DERReader(list)
        var singles: [Single] = []
        while !requests.isAtEnd {
            guard let request = requests.readElement(0x30), let single = Self.single(request),
                singles.count < Self.limit
            else { return nil }
            singles.append(single)
        }
        guard !singles.isEmpty else { return nil }
        self.singles = singles
        guard let extensions = reader.readElement(0xA2) else {
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
        guard let algorithm = fields.readElement(0x30), let name = fields.readElement(0x04),
            let key = fields.readElement(0x04),
            let serial = fields.readElement(0x02), fields.isAtEnd
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
        guard let list = outer.readElement(0x30) else { return nil }
        var reader = DERReader(list)
        let oid = DER.oid("1.3.6.1.5.5.7.48.1.2")
        while let element = reader.next() {
            guard element.tag == 0x30, element.content.starts(with: oid) else { continue }
            return element.whole.count <= 160 ? Array(element.whole) : nil
        }
        return nil
    }
}
