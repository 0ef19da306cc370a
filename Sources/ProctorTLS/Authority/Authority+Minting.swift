import ProctorBase

extension Authority {
    /// Finished and not due to be minted anew; never waits for a minting.
    public func cachedIdentity(
        _ profile: String, names: CertificateNames, revocation: RevocationPlace? = nil
    ) -> ServerIdentity? {
        let key = AuthorityState.Key(profile: profile, names: names, revocation: revocation)
        let now = now()
        return state.withLock { $0.identity(key, at: now) }
    }

    /// Mints, or waits for another caller that mints the same; minted anew each day, long before it ends.
    ///
    /// Names that are not permitted (``permits(host:)``) are refused.
    public func identity(
        _ profile: String, names: CertificateNames, revocation: RevocationPlace? = nil
    ) throws(AuthorityRefusal) -> ServerIdentity {
        let description = try self.profile(profile)
        for name in names.hosts + names.addresses where !AuthorityNames.permits(name) {
            throw AuthorityRefusal(
                .nameNotPermitted,
                "the private authority vouches for no '\(name)'; it is constrained to loopback addresses and to names in "
                    + AuthorityNames.hosts.joined(separator: ", "))
        }
        let key = AuthorityState.Key(profile: profile, names: names, revocation: revocation)
        let turn = state.withLock { $0.turn(key) }
        return try turn.isTaken.withLock { (_: inout Void) throws(AuthorityRefusal) -> ServerIdentity in
            if let identity = cachedIdentity(profile, names: names, revocation: revocation) { return identity }
            let identity = try mint(description, names, revocation)
            state.withLock { $0.keep(identity, for: key) }
            return identity
        }
    }

    /// The description of a profile; names the nearest one for a slip of the finger.
    func profile(_ name: String) throws(AuthorityRefusal) -> CertificateProfile {
        if let profile = book.profiles[name] { return profile }
        let hint = book.nearest(to: name).map { "did you mean '\($0)'?" } ?? "see 'proctor ca profiles'"
        throw AuthorityRefusal(.unknownName, "there is no certificate '\(name)'; \(hint)")
    }

    private func mint(
        _ profile: CertificateProfile, _ names: CertificateNames, _ revocation: RevocationPlace?
    ) throws(AuthorityRefusal) -> ServerIdentity {
        let minted = try mint(profile, names, revocation, keyLabel: "server-\(profile.name)")
        var identity = ServerIdentity(
            chain: minted.chain, key: minted.key.der, profile: profile.name,
            neededSecurityLevel: profile.neededSecurityLevel, maximumVersion: profile.key == .rsa512 ? .tls12 : nil)
        identity.staple = try profile.staple.map { staple throws(AuthorityRefusal) in
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
        let issuer: Issuing
    }

    /// For servers and clients alike.
    func mint(
        _ profile: CertificateProfile, _ names: CertificateNames, _ revocation: RevocationPlace?, keyLabel: String
    ) throws(AuthorityRefusal) -> Minted {
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
                chain: [leaf], key: key, serial: serial, issuer: Issuing(name: [], key: key, certificate: leaf))
        }
        let anchor = profile.anchor == .stranger ? try stranger() : root
        let issuers = try minting.issuers(below: anchor) { issuer throws(AuthorityRefusal) in
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
