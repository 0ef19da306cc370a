internal import ProctorBase
internal import ProctorTLSWire

extension Authority {
    /// Finished and not due to be minted anew; never waits for a minting.
    public func cachedIdentity(
        _ profile: String, names: CertificateNames, revocation: RevocationURLs? = nil
    ) -> ServerIdentity? {
        let key = AuthorityState.Key(profile: profile, names: names, revocation: revocation)
        let now = now()
        return state.withLock { $0.identity(key, at: now) }
    }

    /// Mints, or waits for another caller that mints the same; minted anew each day, long before it ends.
    ///
    /// Names that are not permitted (``permits(host:)``) are refused.
    public func identity(
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
        return try turn.isTaken.withLock { (_: inout Void) throws(AuthorityError) -> ServerIdentity in
            if let identity = cachedIdentity(profile, names: names, revocation: revocation) { return identity }
            let identity = try mint(description, for: names, revocation: revocation)
            state.withLock { $0.keep(identity, for: key) }
            return identity
        }
    }

    /// The description of a profile; names the nearest one for a slip of the finger.
    func profile(_ name: String) throws(AuthorityError) -> CertificateProfile {
        if let profile = catalog.profiles[name] { return profile }
        let hint = catalog.nearest(to: name).map { "did you mean '\($0)'?" } ?? "see 'proctor ca profiles'"
        throw AuthorityError(.unknownName, "there is no certificate '\(name)'; \(hint)")
    }

    private func mint(
        _ profile: CertificateProfile, for names: CertificateNames, revocation: RevocationURLs?
    ) throws(AuthorityError) -> ServerIdentity {
        let minted = try mint(profile, for: names, revocation: revocation, keyLabel: "server-\(profile.name)")
        var identity = ServerIdentity(
            chain: minted.chain, key: minted.key.der, profile: profile.name,
            neededSecurityLevel: profile.neededSecurityLevel, maximumVersion: profile.key == .rsa512 ? .tls12 : nil)
        identity.staple = try profile.staple.map { staple throws(AuthorityError) in
            try self.staple(staple, of: minted.serial, by: minted.issuer)
        }
        identity.serial = minted.serial
        identity.freshUntil = today + DER.day
        return identity
    }

    /// What comes of one minting.
    struct Minted {
        /// As it is sent.
        let chain: [[UInt8]]
        let key: PrivateKey
        let serial: [UInt8]
        /// The leaf's own key signs staples of one that signed itself.
        let issuer: CertificateIssuer
    }

    /// For servers and clients alike.
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
        let number = profile.serial.map { value in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }.drop { $0 == 0 }.map { $0 }
        }
        let serial = number ?? self.serial("\(labels) leaf")
        guard profile.anchor != .itself else {
            let leaf = try minting.leaf(key: key, issuer: nil, serial: serial)
            return Minted(
                chain: [leaf], key: key, serial: serial,
                issuer: CertificateIssuer(name: [], key: key, certificate: leaf))
        }
        let anchor = profile.anchor == .stranger ? try untrustedRoot() : root
        let issuers = try minting.issuers(below: anchor) { issuer throws(AuthorityError) in
            try self.keys.key("issuer-\(issuer.name)", issuer.key)
        }
        let parent = issuers.last ?? anchor
        let leaf = try minting.leaf(key: key, issuer: parent, serial: serial)
        let since = today - DER.day
        state.withLock { $0.register.note(serial, isRevoked: profile.revocation == .revoked, since: since) }
        let between = issuers.map(\.certificate)
        let chain =
            switch profile.sends {
            case .leaf: [leaf]
            case .complete: [leaf] + between.reversed()
            case .reversed: [leaf] + between
            case .withRoot: [leaf] + between.reversed() + [anchor.certificate]
            }
        return Minted(chain: chain, key: key, serial: serial, issuer: parent)
    }
}

extension CertificateProfile {
    /// OpenSSL's level at which keys and digests of the leaf, and digests of its issuers, are still taken.
    ///
    /// Level 1 wants 80 bits of security and level 2 wants 112 (SSL_CTX_set_security_level(3)); SHA-1 has 63.
    var neededSecurityLevel: Int {
        let digests = [digest] + issuers.map(\.digest)
        if digests.contains(.md5) || digests.contains(.sha1) || key == .rsa512 { return 0 }
        return key == .rsa1024 ? 1 : 2
    }
}

/// One certificate and its issuers, minted by a profile; a value that lives as long as one minting.
struct LeafMinting {
    let profile: CertificateProfile
    let names: CertificateNames
    let revocation: RevocationURLs?
    /// Midnight of the day of minting.
    let today: Int64
    /// Gives the serial of one certificate of this minting; the label tells them apart.
    let serial: (String) -> [UInt8]

    /// The issuers' certificates from the top down, and the one who signs the leaf.
    func issuers(
        below anchor: CertificateIssuer, key: (CertificateProfile.Issuer) throws(AuthorityError) -> PrivateKey
    ) throws(AuthorityError) -> [CertificateIssuer] {
        var chain: [CertificateIssuer] = []
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
            let form = TBSCertificate(
                serial: serial("issuer \(issuer.name)"), issuer: parent.name, subject: name,
                notBefore: date(issuer.validity.from), notAfter: date(issuer.validity.until),
                publicKey: key.publicDER, extensions: extensions)
            let certificate = try signed(form, by: parent.key, issuer.digest)
            parent = CertificateIssuer(name: name, key: key, certificate: certificate)
            chain.append(parent)
        }
        return chain
    }

    /// The leaf's certificate; `issuer` is nil for one that signs itself.
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
        _ form: TBSCertificate, by key: PrivateKey, _ digest: CertificateProfile.Digest
    ) throws(AuthorityError) -> [UInt8] {
        do throws(CallFailure) {
            return try form.signed(by: key, digest)
        } catch {
            throw AuthorityError(
                .notOffered,
                "the certificate '\(profile.name)' can't be offered: the system's OpenSSL says: \(error)")
        }
    }
}

/// What an authority remembers of what it minted; short-lived, all of it can be made again.
struct AuthorityState {
    /// Which minting it was.
    struct Key: Hashable {
        let profile: String
        let names: CertificateNames
        let revocation: RevocationURLs?
    }

    /// The lock of one minting, held while it lasts; callers that want the same certificate wait for it.
    final class Turn: Sendable {
        let isTaken = Locked(())
    }

    var stranger: CertificateIssuer?
    var clients: [String: ClientIdentity] = [:]
    /// On which the files of clients were written, its midnight.
    var clientsDay: Int64 = 0
    /// Names of client identities by SubjectPublicKeyInfo: those whose keys were there at the opening, or made since.
    var clientNames: [[UInt8]: String] = [:]
    var register = RevocationRegister()
    private var identities: [Key: ServerIdentity] = [:]
    /// Oldest first.
    private var order: [Key] = []
    private var turns: [Key: Turn] = [:]

    /// More are forgotten, the oldest first.
    static let limit = 64

    func identity(_ key: Key, at now: Int64) -> ServerIdentity? {
        identities[key].flatMap { $0.freshUntil > now ? $0 : nil }
    }

    mutating func keep(_ identity: ServerIdentity, for key: Key) {
        turns[key] = nil
        if identities.updateValue(identity, forKey: key) == nil { order.append(key) }
        while order.count > Self.limit { identities[order.removeFirst()] = nil }
    }

    mutating func turn(_ key: Key) -> Turn {
        if let turn = turns[key] { return turn }
        // Turns of mintings that failed; those who wait for one hold it.
        if turns.count >= Self.limit { turns = [:] }
        let turn = Turn()
        turns[key] = turn
        return turn
    }
}
