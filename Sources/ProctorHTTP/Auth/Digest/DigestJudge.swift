import ProctorBase

/// Judges credentials of Digest against one offer (RFC 7616, RFC 2617, RFC 2069); made once, asked from any thread.
///
/// A judgement names every part that is wrong. Rules that bind the sender (MUST, MUST NOT) refuse; the rest is remarked.
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
    let spaces: [ProtectionSpace]

    /// The users of one realm.
    struct ProtectionSpace: Sendable {
        var realm: [UInt8]
        /// One secret for each account, in their order.
        var secrets: [DigestSecret]
        var indexByUser: [[UInt8]: Int]
        /// Indexes of accounts by hashed name; empty unless the challenge wants hashed names.
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
        spaces = self.realms.map { realm in
            var space = ProtectionSpace(realm: realm, secrets: [], indexByUser: [:], indexByUserhash: [:])
            for (index, account) in accounts.enumerated() {
                let user = Array(account.user.utf8)
                space.secrets.append(
                    DigestSecret(
                        user: user, realm: realm, password: account.password.utf8, function: function, by: hasher))
                space.indexByUser[user] = space.indexByUser[user] ?? index
                if userhash == true {
                    space.indexByUserhash[DigestText.hash(function, ofParts: [user, realm], by: hasher)] = index
                }
            }
            return space
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
        let space = space(of: credential, nonce)
        let user = findUser(credential, space, into: &judgement, by: hasher)
        checkRealm(credential, space, into: &judgement)
        checkNonceParameter(credential, &judgement)
        checkURI(credential, request, into: &judgement)
        checkAlgorithm(credential, &judgement)
        checkOpaque(credential, &judgement)
        checkProtection(credential, &judgement)
        let trial = DigestTrial(
            judge: self, credential: credential, request: request, space: space, user: user,
            sessionNonce: nonce.known?.sessionNonce, sessionClientNonce: nonce.known?.sessionClientNonce)
        trial.checkResponse(&judgement, by: hasher)
        checkStanding(of: credential, nonce, &judgement)
        return judgement
    }

    /// Whose users are looked at: those of the realm that the nonce was given with, else of the one that is named.
    private func space(of credential: DigestCredential, _ nonce: NonceFinding) -> ProtectionSpace {
        if case .known(let known) = nonce, spaces.indices.contains(known.realm) { return spaces[known.realm] }
        let named = credential.realm?.bytes
        return spaces.first { $0.realm == named } ?? spaces.first
            ?? ProtectionSpace(realm: [], secrets: [], indexByUser: [:], indexByUserhash: [:])
    }
}

extension NonceFinding {
    var known: KnownNonce? { if case .known(let known) = self { known } else { nil } }
}

/// The parts of a request that a credential of Digest is compared with.
public struct DigestRequest: Sendable {
    /// The method as it came.
    public var method: [UInt8]
    /// The whole request-target, byte for byte as it came.
    public var target: [UInt8]
    /// Without its codings of transfer; nil where it was not kept, so that auth-int can't be checked.
    public var content: [UInt8]?
    /// The most bytes of content that are kept; nil: unknown.
    public var contentLimit: Int?

    /// The parts as they are.
    public init(method: [UInt8], target: [UInt8], content: [UInt8]?, contentLimit: Int? = nil) {
        self.method = method
        self.target = target
        self.content = content
        self.contentLimit = contentLimit
    }
}

/// What a credential of Digest is worth.
public struct DigestJudgement: Sendable {
    /// The account's name, or the one that came where there is no such account; nil where none can be read.
    public internal(set) var user: String?
    /// An index into the accounts that were given.
    public internal(set) var accountIndex: Int?
    /// nil where there is none that can be read.
    public internal(set) var nonceCount: UInt32?
    /// Why it is refused, part by part in a fixed order, the nonce last; empty: it is admitted.
    public internal(set) var faults: [CredentialFault] = []
    /// What is odd and refused by no rule.
    public internal(set) var remarks: [CredentialFault] = []
    /// What the reply can say of itself; nil where the response could not be computed or was wrong.
    public internal(set) var proof: DigestProof?

    init() {}

    /// Whether nothing is wrong with it.
    public var isAdmitted: Bool { faults.isEmpty }

    /// Whether nothing is wrong but the age of the nonce, so that `stale=true` is due (RFC 7616 §3.3).
    public var isStale: Bool { !faults.isEmpty && faults.allSatisfy { $0.kind == .staleNonce } }

    mutating func refuse(_ kind: CredentialFault.Kind, _ sentence: String, section: String = "RFC 7616 §3.4") {
        faults.append(CredentialFault(kind, sentence, section: section))
    }

    mutating func remark(_ kind: CredentialFault.Kind, _ sentence: String, section: String = "RFC 7616 §3.4") {
        remarks.append(CredentialFault(kind, sentence, section: section))
    }
}

/// What a server proves in Authentication-Info once a credential was right (RFC 7616 §3.5).
public struct DigestProof: Sendable {
    let input: DigestInput
    let quality: QualityOfProtection?

    /// Of the client, which the reply says again; nil in the form of RFC 2069.
    public var clientNonce: [UInt8]? { input.protection?.clientNonce }

    /// `rspauth` for a reply with this content, in hexadecimal digits; the content counts for auth-int only.
    public func responseAuthentication(content: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        input.proof(ofContent: content, by: hasher)
    }

    /// The proof with all that has to stand beside it.
    public func info(content: [UInt8], nextNonce: [UInt8]? = nil, by hasher: some DigestHasher) -> AuthenticationInfo {
        AuthenticationInfo(
            nextNonce: nextNonce, rspauth: responseAuthentication(content: content, by: hasher), quality: quality,
            clientNonce: clientNonce, nonceCount: input.protection?.nonceCount)
    }
}
