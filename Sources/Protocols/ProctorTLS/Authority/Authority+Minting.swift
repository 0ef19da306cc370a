internal import ProctorBase
internal import ProctorTLSWire

extension Authority {
    /// The identity if it is minted and not due for renewal, else nil; never waits.
    package func cachedIdentity(
        _ profile: String, names: CertificateNames, revocation: RevocationURLs? = nil
    ) -> ServerIdentity? {
        let key = AuthorityState.Key(profile: profile, names: names, revocation: revocation)
        let now = now()
        return state.withLock { $0.identity(key, at: now) }
    }

    /// Mints an identity, or waits while another caller mints it; renews it each day, long before expiry.
    ///
    /// Refuses names that are not permitted (``permits(host:)``).
    package func identity(
        _ profile: String, names: CertificateNames, revocation: RevocationURLs? = nil
    ) throws(AuthorityError) -> ServerIdentity {
        let description = try self.profile(profile)
        for name in names.hosts + names.addresses where !NameConstraints.permits(name) {
            throw AuthorityError(
                .nameNotPermitted,
                "the private authority vouches for no '\(name)'; it is constrained to loopback addresses and to names in "
                    + NameConstraints.hosts.joined(separator: ", "))
        }
        let key = AuthorityState.Key(profile: profile, names: names, revocation: revocation)
        let turn = state.withLock { $0.turn(key) }
        return try turn.isTaken.withLock { (_: inout Bool) throws(AuthorityError) -> ServerIdentity in
            if let identity = cachedIdentity(profile, names: names, revocation: revocation) { return identity }
            let identity = try mint(description, for: names, revocation: revocation)
            state.withLock { $0.store(identity, for: key) }
            return identity
        }
    }

    /// Whether this process has made or read the keys of a server's profile and of its issuers; never waits.
    package func hasKeys(of profile: String) -> Bool {
        guard let profile = catalog.profiles[profile] else { return false }
        return keys.has(Self.keyLabel(of: profile), profile.key)
            && profile.issuers.allSatisfy { keys.has(Self.keyLabel(of: $0), $0.key) }
    }

    private static func keyLabel(of profile: CertificateProfile) -> String { "server-\(profile.name)" }
    private static func keyLabel(of issuer: CertificateProfile.Issuer) -> String { "issuer-\(issuer.name)" }

    /// Throws for an unknown name; the error suggests the nearest one.
    func profile(_ name: String) throws(AuthorityError) -> CertificateProfile {
        if let profile = catalog.profiles[name] { return profile }
        let hint = catalog.nearest(to: name).map { "did you mean '\($0)'?" } ?? "see 'proctor ca profiles'"
        throw AuthorityError(.unknownName, "there is no certificate '\(name)'; \(hint)")
    }

    private func mint(
        _ profile: CertificateProfile, for names: CertificateNames, revocation: RevocationURLs?
    ) throws(AuthorityError) -> ServerIdentity {
        let minted = try mint(profile, for: names, revocation: revocation, keyLabel: Self.keyLabel(of: profile))
        var identity = ServerIdentity(
            chain: minted.chain, key: minted.key.der, profile: profile.name,
            neededSecurityLevel: profile.neededSecurityLevel, maximumVersion: profile.key == .rsa512 ? .tls12 : nil)
        identity.staple = try profile.staple.map { staple throws(AuthorityError) in
            try self.staple(staple, of: minted.serial, by: minted.issuer)
        }
        identity.serial = minted.serial
        identity.freshness = today..<today + DER.day
        return identity
    }

    struct Minted {
        /// The certificates in the order in which they are sent.
        let chain: [[UInt8]]
        let key: PrivateKey
        let serial: [UInt8]
        /// The issuer of the leaf, which also signs staples; the leaf's own key if it is self-signed.
        let issuer: CertificateIssuer
    }

    /// Mints an identity for a server or a client.
    func mint(
        _ profile: CertificateProfile, for names: CertificateNames, revocation: RevocationURLs? = nil, keyLabel: String
    ) throws(AuthorityError) -> Minted {
        let today = today
        let names = profile.role == .server ? names : CertificateNames(hosts: [], addresses: [])
        let place = revocation.map { "\($0)" } ?? ""
        let labels = "\(profile.role) \(profile.name) \(names.hosts) \(names.addresses) \(place) \(today)"
        let minting = LeafMinting(
            profile: profile, names: names, revocation: revocation, today: today,
            serial: { self.serial("\(labels) \($0)") })
        let key = try keys.key(keyLabel, profile.key)
        let number = profile.serial.map { Array($0.bigEndianBytes.drop { $0 == 0 }) }
        let serial = number ?? self.serial("\(labels) leaf")
        guard profile.anchor != .itself else {
            let leaf = try minting.leaf(key: key, issuer: nil, serial: serial)
            return Minted(
                chain: [leaf], key: key, serial: serial,
                issuer: CertificateIssuer(name: [], key: key, certificate: leaf))
        }
        let anchor = profile.anchor == .untrusted ? try untrustedRoot() : root
        let issuers = try minting.issuers(below: anchor) { issuer throws(AuthorityError) in
            try self.keys.key(Self.keyLabel(of: issuer), issuer.key)
        }
        let parent = issuers.last ?? anchor
        let leaf = try minting.leaf(key: key, issuer: parent, serial: serial)
        let since = today - DER.day
        state.withLock { $0.register.record(serial, isRevoked: profile.revocation == .revoked, since: since) }
        let between = issuers.map(\.certificate)
        let sent =
            switch profile.sends {
            case .leaf: [[UInt8]]()
            case .complete: Array(between.reversed())
            case .reversed: between
            case .withRoot: between.reversed() + [anchor.certificate]
            }
        let others = try profile.others.enumerated().map { index, other throws(AuthorityError) in
            try self.other(other, number: index, minting, below: issuers)
        }
        let first = zip(profile.others, others).filter(\.0.isFirst).map(\.1)
        let last = zip(profile.others, others).filter { !$0.0.isFirst }.map(\.1)
        return Minted(chain: [leaf] + first + sent + last, key: key, serial: serial, issuer: parent)
    }

    /// The certificate beside the path; `issuers` are those of the path from the top down.
    private func other(
        _ other: CertificateProfile.Other, number: Int, _ minting: LeafMinting, below issuers: [CertificateIssuer]
    ) throws(AuthorityError) -> [UInt8] {
        let signer =
            switch other.signer {
            case .authority: root
            case .untrusted: try untrustedRoot()
            case .issuer(let name):
                issuers.first { $0.name == minting.name(ofIssuer: name) } ?? root
            }
        let key = try keys.key(Self.keyLabel(of: other.issuer), other.issuer.key)
        return try minting.issuer(other.issuer, key: key, below: signer, label: "other \(number)").certificate
    }
}

extension CertificateProfile {
    /// The highest security level of OpenSSL that accepts the leaf's key and all digests.
    ///
    /// Level 1 requires 80 bits of security, level 2 requires 112 (SSL_CTX_set_security_level(3)); SHA-1 has 63.
    var neededSecurityLevel: Int {
        let all = issuers + others.map(\.issuer)
        let digests = [digest] + all.map(\.digest), keys = [key] + all.map(\.key)
        if digests.contains(.md5) || digests.contains(.sha1) || keys.contains(.rsa512) { return 0 }
        return keys.contains(.rsa1024) ? 1 : 2
    }
}

/// Mints one certificate and its issuers by a profile.
struct LeafMinting {
    let profile: CertificateProfile
    let names: CertificateNames
    let revocation: RevocationURLs?
    /// Midnight of the day of minting, UTC.
    let today: Int64
    /// The serial number of a certificate of this minting; the argument is a unique label.
    let serial: (String) -> [UInt8]

    /// The certificates of the issuers from the top down, and the issuer of the leaf.
    func issuers(
        below anchor: CertificateIssuer, key: (CertificateProfile.Issuer) throws(AuthorityError) -> PrivateKey
    ) throws(AuthorityError) -> [CertificateIssuer] {
        var chain: [CertificateIssuer] = []
        var parent = anchor
        for issuer in profile.issuers.reversed() {
            parent = try self.issuer(issuer, key: try key(issuer), below: parent, label: "issuer \(issuer.name)")
            chain.append(parent)
        }
        return chain
    }

    /// The distinguished name of an issuer of this profile.
    func name(ofIssuer name: String) -> [UInt8] {
        DistinguishedName.make(
            organization: "Proctor", commonName: "Proctor LOCAL TEST issuer \(profile.name)/\(name)")
    }

    /// The certificate of an issuer, by that signer; the label makes its serial number unique.
    func issuer(
        _ issuer: CertificateProfile.Issuer, key: PrivateKey, below parent: CertificateIssuer, label: String
    ) throws(AuthorityError) -> CertificateIssuer {
        let name = name(ofIssuer: issuer.name)
        var extensions =
            issuer.isAuthority.map { isAuthority in
                [
                    CertificateExtension.basicConstraints(
                        isAuthority: isAuthority, pathLength: isAuthority ? issuer.pathLength : nil)
                ]
            } ?? []
        if let usage = issuer.usage { extensions.append(CertificateExtension.keyUsage(usage)) }
        if let usage = issuer.extendedUsage { extensions.append(CertificateExtension.extendedKeyUsage(usage)) }
        if !issuer.permitted.isEmpty || !issuer.excluded.isEmpty {
            extensions.append(
                CertificateExtension.nameConstraints(permitted: issuer.permitted, excluded: issuer.excluded))
        }
        extensions.append(CertificateExtension.subjectKey(key.identifier))
        extensions.append(CertificateExtension.authorityKey(parent.key.identifier))
        extensions += issuer.extensions.map {
            CertificateExtension.make($0.oid, isCritical: $0.isCritical, $0.value)
        }
        let form = TBSCertificate(
            serial: serial(label), issuer: parent.name, subject: name, notBefore: date(issuer.validity.from),
            notAfter: date(issuer.validity.until), publicKey: key.publicDER, extensions: extensions)
        return CertificateIssuer(name: name, key: key, certificate: try signed(form, by: parent.key, issuer.digest))
    }

    /// `issuer` is nil for a self-signed leaf.
    func leaf(key: PrivateKey, issuer: CertificateIssuer?, serial number: [UInt8]) throws(AuthorityError) -> [UInt8] {
        let signer = issuer?.key ?? key
        let form = TBSCertificate(
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
        text.replacing(text: "{{name}}", with: names.hosts.first ?? names.addresses.first ?? profile.name)
            .replacing(text: "{{profile}}", with: profile.name)
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

    /// `a.b.test` becomes `*.b.test`; shorter names have no wildcard (RFC 9525 §6.3).
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
        _ form: TBSCertificate, by key: PrivateKey, _ digest: CertificateProfile.Digest
    ) throws(AuthorityError) -> [UInt8] {
        let refusal = "the certificate '\(profile.name)' can't be offered: the system's OpenSSL says"
        return try AuthorityError.notOffered(refusal) { () throws(CallFailure) in try form.signed(by: key, digest) }
    }
}

/// The minted certificates; all of them can be minted again.
struct AuthorityState {
    struct Key: Hashable {
        let profile: String
        let names: CertificateNames
        let revocation: RevocationURLs?
    }

    /// The lock of one minting, for which callers that need the same certificate wait.
    final class Turn: Sendable {
        let isTaken = Locked(false)
    }

    var untrustedRoot: CertificateIssuer?
    var clients: [String: ClientIdentity] = [:]
    /// The midnight of the day on which client files were written.
    var clientsDay: Int64 = 0
    /// Client identities by SubjectPublicKeyInfo: keys found at the start, or made since.
    var clientNames: [[UInt8]: String] = [:]
    var register = RevocationRegister()
    private var identities: [Key: ServerIdentity] = [:]
    /// Oldest first.
    private var order: [Key] = []
    private var turns: [Key: Turn] = [:]

    /// The most entries; the oldest are removed.
    static let limit = 64

    func identity(_ key: Key, at now: Int64) -> ServerIdentity? {
        identities[key].flatMap { $0.freshness.contains(now) ? $0 : nil }
    }

    mutating func store(_ identity: ServerIdentity, for key: Key) {
        turns[key] = nil
        if identities.updateValue(identity, forKey: key) == nil { order.append(key) }
        while order.count > Self.limit { identities[order.removeFirst()] = nil }
    }

    mutating func turn(_ key: Key) -> Turn {
        if let turn = turns[key] { return turn }
        // The rest are turns of failed mintings; their waiters retain them.
        if turns.count >= Self.limit { turns = [:] }
        let turn = Turn()
        turns[key] = turn
        return turn
    }
}
