import ProctorBase

/// Judges credentials of Digest against one offer (RFC 7616, RFC 2617, RFC 2069); made once, asked from any thread.
///
/// A judgement names every part that is wrong. Rules that bind who sends (MUST, MUST NOT) refuse; the rest is remarked.
public struct DigestJudge: Sendable {
    /// What the challenge named; nil: nothing, which means MD5.
    let offered: DigestAlgorithm?
    let qualities: [QualityOfProtection]
    let opaque: [UInt8]?
    let userhash: Bool?
    let realms: [[UInt8]]
    let accounts: [CredentialAccount]
    let toleratesQuoting: Bool
    /// One for each realm.
    let rooms: [Room]

    /// The users of one realm.
    struct Room: Sendable {
        var realm: [UInt8]
        /// By account.
        var secrets: [DigestSecret]
        var indexByUser: [[UInt8]: Int]
        /// Empty unless hashed names are wanted.
        var indexByUserhash: [[UInt8]: Int]
    }

    /// Computes the secret of every account in every realm.
    ///
    /// `realms` are those that challenges of this offer name by turn, at least one; an empty list is a realm without a
    /// name. With `toleratesQuoting` quotes where they may not stand, or none where they must, are only remarked.
    public init(
        algorithm: DigestAlgorithm?, qualities: [QualityOfProtection], opaque: [UInt8]?, userhash: Bool?,
        realms: [String], accounts: [CredentialAccount], toleratesQuoting: Bool = false, by hasher: some DigestHasher
    ) {
        offered = algorithm
        self.qualities = qualities
        self.opaque = opaque
        self.userhash = userhash
        self.realms = (realms.isEmpty ? [""] : realms).map { Array($0.utf8) }
        self.accounts = accounts
        self.toleratesQuoting = toleratesQuoting
        let function = (algorithm ?? .md5).hash
        rooms = self.realms.map { realm in
            var room = Room(realm: realm, secrets: [], indexByUser: [:], indexByUserhash: [:])
            for (index, account) in accounts.enumerated() {
                let user = Array(account.user.utf8)
                room.secrets.append(
                    DigestSecret(
                        user: user, realm: realm, password: account.password.utf8, function: function, by: hasher))
                room.indexByUser[user] = room.indexByUser[user] ?? index
                if userhash == true {
                    room.indexByUserhash[DigestText.hash(function, ofParts: [user, realm], by: hasher)] = index
                }
            }
            return room
        }
    }

    /// Says all that is wrong with a credential.
    ///
    /// Cheap where nothing is: two hashes, three for a session.
    public func judge(
        _ credential: DigestCredential, of request: DigestRequest, nonce: NonceFinding, by hasher: some DigestHasher
    ) -> DigestJudgement {
        var judgement = DigestJudgement()
        guard credential.credentials.isScheme("Digest") else {
            judgement.faults = [.wrongScheme(credential.credentials, expected: "Digest")]
            return judgement
        }
        judgement.nonceCount = credential.nonceCount
        if !credential.credentials.violations.isEmpty { judgement.faults = credential.credentials.grammarFaults }
        let room = room(of: credential, nonce)
        let user = findUser(credential, room, &judgement, by: hasher)
        checkRealm(credential, room, &judgement)
        checkNonceParameter(credential, &judgement)
        checkURI(credential, request, &judgement)
        checkAlgorithm(credential, &judgement)
        checkOpaque(credential, &judgement)
        checkProtection(credential, &judgement)
        let trial = DigestTrial(
            judge: self, credential: credential, request: request, room: room, user: user,
            sessionNonce: nonce.known?.sessionNonce, sessionClientNonce: nonce.known?.sessionClientNonce)
        trial.checkResponse(&judgement, by: hasher)
        checkStanding(of: credential, nonce, &judgement)
        return judgement
    }

    /// Whose users are looked at: those of the realm that the nonce was given with, else of the one that is named.
    private func room(of credential: DigestCredential, _ nonce: NonceFinding) -> Room {
        if case .known(let known) = nonce, rooms.indices.contains(known.realm) { return rooms[known.realm] }
        let named = credential.realm?.bytes
        return rooms.first { $0.realm == named } ?? rooms.first
            ?? Room(realm: [], secrets: [], indexByUser: [:], indexByUserhash: [:])
    }
}

extension NonceFinding {
    var known: KnownNonce? { if case .known(let known) = self { known } else { nil } }
}
