internal import ProctorBase

extension Authority {
    /// How long what is said of revocation holds.
    private static let validity: Int64 = 7

    /// DER of a CertificateList (RFC 5280 §5) with what was minted as revoked by this object so far.
    public func revocationList() throws(AuthorityError) -> [UInt8] {
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
        return try offered("a CRL") { () throws(CallFailure) in
            try TBSCertificate.signed(by: root.key, .sha256) { algorithm in
                DER.sequence(
                    DER.integer(1), algorithm, root.name, DER.time(today), DER.time(today + Self.validity * DER.day),
                    entries.isEmpty ? [] : DER.sequence(of: entries), DER.context(0, extensions))
            }
        }
    }

    /// DER of an OCSPResponse to DER of an OCSPRequest (RFC 6960), whatever the bytes are.
    public func ocspResponse(to request: [UInt8]) -> [UInt8] {
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

    /// What is stapled to a certificate.
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
        return try offered("an OCSP response") { () throws(CallFailure) in
            try answer.signed(by: issuer.key, with: issuer.certificate)
        }
    }

    private func offered<Result>(
        _ what: String, _ body: () throws(CallFailure) -> Result
    ) throws(AuthorityError) -> Result {
        do throws(CallFailure) {
            return try body()
        } catch {
            throw AuthorityError(.notOffered, "\(what) can't be offered: the system's OpenSSL says: \(error)")
        }
    }
}

/// Where a server tells what was revoked; certificates of profiles that speak of revocation name it.
public struct RevocationURLs: Sendable, Hashable {
    /// URL of the CRL (RFC 5280 §4.2.1.13).
    public let revocationList: String
    /// URL of the OCSP responder (RFC 5280 §4.2.2.1).
    public let responder: String

    /// Both are absolute `http` URLs.
    public init(revocationList: String, responder: String) {
        self.revocationList = revocationList
        self.responder = responder
    }
}

/// Which certificates an authority has handed out in this process, and what became of them.
struct RevocationRegister {
    /// What is kept of one.
    struct Entry: Equatable {
        let isRevoked: Bool
        /// Seconds since 1970.
        let since: Int64
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// Oldest first.
    private var order: [[UInt8]] = []
    /// More are forgotten, the oldest first.
    static let limit = 4_096

    subscript(serial: [UInt8]) -> Entry? { entries[serial] }

    mutating func note(_ serial: [UInt8], isRevoked: Bool, since: Int64) {
        let serial = Array(serial.drop { $0 == 0 })
        if entries.updateValue(Entry(isRevoked: isRevoked, since: since), forKey: serial) == nil {
            order.append(serial)
        }
        while order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// In the order in which they were minted.
    var revoked: [(serial: [UInt8], since: Int64)] {
        order.compactMap { serial in
            entries[serial].flatMap { $0.isRevoked ? (serial, $0.since) : nil }
        }
    }
}
