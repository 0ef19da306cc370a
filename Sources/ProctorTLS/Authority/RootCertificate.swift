internal import COpenSSL
import ProctorBase

/// The root of an authority: made once, ten years valid, constrained, and loud in its name.
enum RootCertificate {
    private static let dayCount: Int64 = 3_650
    private static let warning = "FOR TESTS ONLY - trust it on no machine that matters"

    /// `whose` says whose machine it belongs to: `ann@laptop`.
    static func make(key: PrivateKey, whose: String, serial: [UInt8], now: Int64) throws(CallFailure) -> [UInt8] {
        let today = now / DER.day * DER.day
        let name = DistinguishedName.make(
            organization: "Proctor", unit: warning, commonName: "Proctor LOCAL TEST authority of \(whose)")
        return try CertificateForm(
            serial: serial, issuer: name, subject: name, notBefore: today - DER.day,
            notAfter: today + dayCount * DER.day, publicKey: key.publicDER,
            extensions: [
                CertificateExtension.basicConstraints(isAuthority: true),
                CertificateExtension.keyUsage([.keyCertSign, .crlSign]),
                CertificateExtension.subjectKey(key.identifier),
                CertificateExtension.nameConstraints(hosts: AuthorityNames.hosts, networks: AuthorityNames.networks),
            ]
        ).signed(by: key, .sha256)
    }

    /// A root that nobody trusts, without constraints.
    static func stranger(key: PrivateKey, serial: [UInt8], now: Int64) throws(CallFailure) -> [UInt8] {
        let today = now / DER.day * DER.day
        let name = DistinguishedName.make(
            organization: "Proctor", unit: warning, commonName: "Proctor LOCAL TEST stranger")
        return try CertificateForm(
            serial: serial, issuer: name, subject: name, notBefore: today - DER.day,
            notAfter: today + dayCount * DER.day, publicKey: key.publicDER,
            extensions: [
                CertificateExtension.basicConstraints(isAuthority: true),
                CertificateExtension.keyUsage([.keyCertSign, .crlSign]),
                CertificateExtension.subjectKey(key.identifier),
            ]
        ).signed(by: key, .sha256)
    }

    /// Certificate and key from the text of ``file(_:_:)``; nil when it holds something else, or an expired one.
    static func read(_ text: String, now: Int64) -> Issuing? {
        guard let certificate = PEMText.block("CERTIFICATE", in: text),
            let secret = PEMText.block("PRIVATE KEY", in: text), let key = try? PrivateKey(der: secret),
            let facts = X509Facts(certificate), facts.publicKey == key.publicDER, facts.isValid(at: now)
        else { return nil }
        return Issuing(name: facts.subject, key: key, certificate: certificate)
    }

    /// Both in one file, so that no other process sees one without the other.
    static func file(_ certificate: [UInt8], _ key: PrivateKey) -> String {
        PEMText.text("CERTIFICATE", certificate) + PEMText.text("PRIVATE KEY", key.der)
    }
}
