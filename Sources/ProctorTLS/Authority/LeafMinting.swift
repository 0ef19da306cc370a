import ProctorBase

/// One certificate and its issuers, minted by a profile; a value that lives as long as one minting.
struct LeafMinting {
    let profile: CertificateProfile
    let names: CertificateNames
    let revocation: RevocationPlace?
    /// Midnight of the day of minting.
    let today: Int64
    /// Gives the serial of one certificate of this minting; the label tells them apart.
    let serial: (String) -> [UInt8]

    /// The issuers' certificates from the top down, and the one who signs the leaf.
    func issuers(
        below anchor: Issuing, key: (CertificateProfile.Issuer) throws(AuthorityRefusal) -> PrivateKey
    ) throws(AuthorityRefusal) -> [Issuing] {
        var chain: [Issuing] = []
        var parent = anchor
        for issuer in profile.issuers.reversed() {
            let key = try key(issuer)
            let name = DistinguishedName.make(
                organization: "Proctor", commonName: "Proctor LOCAL TEST issuer \(profile.name)/\(issuer.name)")
            var extensions = [
                CertificateExtension.keyUsage([.keyCertSign, .crlSign]),
                CertificateExtension.subjectKey(key.identifier),
                CertificateExtension.authorityKey(parent.key.identifier),
            ]
            extensions.insert(
                CertificateExtension.basicConstraints(
                    isAuthority: issuer.isAuthority, pathLength: issuer.isAuthority ? issuer.pathLength : nil), at: 0)
            let form = CertificateForm(
                serial: serial("issuer \(issuer.name)"), issuer: parent.name, subject: name,
                notBefore: date(issuer.validity.from), notAfter: date(issuer.validity.until),
                publicKey: key.publicDER, extensions: extensions)
            let certificate = try signed(form, by: parent.key, issuer.digest)
            parent = Issuing(name: name, key: key, certificate: certificate)
            chain.append(parent)
        }
        return chain
    }

    /// The leaf's certificate; `issuer` is nil for one that signs itself.
    func leaf(key: PrivateKey, issuer: Issuing?, serial number: [UInt8]) throws(AuthorityRefusal) -> [UInt8] {
        let signer = issuer?.key ?? key
        let form = CertificateForm(
            serial: number, issuer: issuer?.name ?? subject, subject: subject, notBefore: date(profile.validity.from),
            notAfter: date(profile.validity.until), publicKey: key.publicDER,
            extensions: extensions(key: key, issuer: signer))
        return try signed(form, by: signer, profile.digest)
    }

    private func date(_ days: Int) -> Int64 { today + Int64(days) * DER.day }

    private var subject: [UInt8] {
        DistinguishedName.make(
            organization: profile.subject.organization, commonName: profile.subject.commonName.map(filled))
    }

    private func filled(_ text: String) -> String {
        text.replacing("{{name}}", with: names.hosts.first ?? names.addresses.first ?? profile.name)
            .replacing("{{profile}}", with: profile.name)
    }

    private func extensions(key: PrivateKey, issuer: PrivateKey) -> [[UInt8]] {
        var list = [CertificateExtension.basicConstraints(isAuthority: false)]
        if let usage = profile.usage { list.append(CertificateExtension.keyUsage(usage)) }
        if let usage = profile.extendedUsage { list.append(CertificateExtension.extendedKeyUsage(usage)) }
        list.append(CertificateExtension.subjectKey(key.identifier))
        list.append(CertificateExtension.authorityKey(issuer.identifier))
        if profile.role == .server, !profile.names.isNone {
            let isNameless = profile.subject.commonName == nil && profile.subject.organization == nil
            list.append(
                CertificateExtension.alternativeNames(hosts: hosts, addresses: addresses, isCritical: isNameless))
        }
        if profile.revocation != nil, let revocation { list += CertificateExtension.revocation(revocation) }
        if profile.mustStaple { list.append(CertificateExtension.mustStaple) }
        for extra in profile.extensions {
            list.append(CertificateExtension.make(extra.oid, isCritical: extra.isCritical, extra.value))
        }
        return list
    }

    private var hosts: [String] {
        let filler = (0..<profile.names.fillerCount).map { "\($0).filler.example.org" }
        switch profile.names.hosts {
        case .own: return names.hosts + filler
        case .list(let list): return list + filler
        case .wildcard: return names.hosts.map(Self.wildcard) + filler
        }
    }

    /// `a.b.test` as `*.b.test`; shorter names can't be had with a wildcard (RFC 9525 §6.3).
    private static func wildcard(_ host: String) -> String {
        let labels = host.split(separator: ".")
        return labels.count < 3 ? host : (["*"] + labels.dropFirst()).joined(separator: ".")
    }

    private var addresses: [String] {
        switch profile.names.addresses {
        case .own, .wildcard: names.addresses
        case .list(let list): list
        }
    }

    private func signed(
        _ form: CertificateForm, by key: PrivateKey, _ digest: CertificateProfile.Digest
    ) throws(AuthorityRefusal) -> [UInt8] {
        do throws(CallFailure) {
            return try form.signed(by: key, digest)
        } catch {
            throw AuthorityRefusal(
                .notOffered,
                "the certificate '\(profile.name)' can't be offered: the system's OpenSSL says: \(error)")
        }
    }
}
