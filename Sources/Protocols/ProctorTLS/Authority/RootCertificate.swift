internal import ProctorBase

/// The name and key by which certificates are signed.
struct CertificateIssuer: Sendable {
    /// DER of the Name.
    let name: [UInt8]
    let key: PrivateKey
    /// DER of its own certificate.
    let certificate: [UInt8]
}

/// A self-signed root, valid for ten years.
enum RootCertificate {
    private static let dayCount: Int64 = 3_650
    private static let warning = "FOR TESTS ONLY - trust it on no machine that matters"

    /// What the name constraints extension of a root says (RFC 5280 §4.2.1.10).
    enum Constraints {
        case none
        /// BoringSSL knows no constraints of addresses, and refuses every certificate below a root that has them.
        case hosts
        case hostsAndNetworks

        fileprivate var extensions: [[UInt8]] {
            guard self != .none else { return [] }
            return [
                CertificateExtension.nameConstraints(
                    permitted: CertificateProfile.Subtrees(
                        hosts: NameConstraints.hosts, networks: self == .hosts ? [] : NameConstraints.networks))
            ]
        }
    }

    /// `name` is the end of the common name; `now` is in seconds since 1970.
    static func make(
        _ name: String, key: PrivateKey, serial: [UInt8], now: Int64, constraints: Constraints
    ) throws(CallFailure) -> CertificateIssuer {
        let today = now / DER.day * DER.day
        let name = DistinguishedName.make(
            organization: "Proctor", unit: warning, commonName: "Proctor LOCAL TEST \(name)")
        let certificate = try TBSCertificate(
            serial: serial, issuer: name, subject: name, notBefore: today - DER.day,
            notAfter: today + dayCount * DER.day, publicKey: key.publicDER,
            extensions: [
                CertificateExtension.basicConstraints(isAuthority: true),
                CertificateExtension.keyUsage([.keyCertSign, .crlSign]),
                CertificateExtension.subjectKey(key.identifier),
            ] + constraints.extensions
        ).signed(by: key, .sha256)
        guard let facts = X509Facts(certificate) else { throw OpenSSLErrors.failure("d2i_X509") }
        return CertificateIssuer(name: facts.subject, key: key, certificate: certificate)
    }

    /// Reads the text of ``file(_:)``; nil for other text or an expired root.
    static func read(_ text: String, now: Int64) -> CertificateIssuer? {
        guard let certificate = PEMText.block("CERTIFICATE", in: text),
            let secret = PEMText.block("PRIVATE KEY", in: text), let key = try? PrivateKey(der: secret),
            let facts = X509Facts(certificate), facts.publicKey == key.publicDER, facts.isValid(at: now)
        else { return nil }
        return CertificateIssuer(name: facts.subject, key: key, certificate: certificate)
    }

    /// The root's certificate and key in one file, so that other processes read both or neither.
    static func file(_ root: CertificateIssuer) -> String {
        PEMText.text("CERTIFICATE", root.certificate) + PEMText.text("PRIVATE KEY", root.key.der)
    }
}
