import ProctorBase

/// Judges Digest credentials against one challenge (RFC 7616, RFC 2617, RFC 2069); any thread may use it.
///
/// A judgement names every wrong parameter. A violation of a rule for the sender (MUST, MUST NOT) refuses the
/// credential; other violations are remarks.
///
/// An object, so that handing it on takes one retain.
package final class DigestJudge: Sendable {
    /// The algorithm of the challenge; nil if it names none, which means MD5.
    let offered: DigestAlgorithm?
    let qualities: [QualityOfProtection]
    let opaque: [UInt8]?
    let userhash: Bool?
    let realms: [[UInt8]]
    let accounts: [CredentialAccount]
    let tolerated: Set<Departure>
    let spaces: [ProtectionSpace]

    final class ProtectionSpace: Sendable {
        let realm: [UInt8]
        let secrets: [DigestSecret]
        let indexByUser: [[UInt8]: Int]
        let indexByUserhash: [[UInt8]: Int]

        init(
            realm: [UInt8], secrets: [DigestSecret] = [], indexByUser: [[UInt8]: Int] = [:],
            indexByUserhash: [[UInt8]: Int] = [:]
        ) {
            (self.realm, self.secrets) = (realm, secrets)
            (self.indexByUser, self.indexByUserhash) = (indexByUser, indexByUserhash)
        }
    }

    /// Computes the secret of every account in every realm.
    ///
    /// `realms` are those that the challenges name in turn; an empty list means one realm without a name. A departure
    /// in `tolerated` gives a remark instead of a fault.
    package init(
        algorithm: DigestAlgorithm?, qualities: [QualityOfProtection], opaque: [UInt8]?, userhash: Bool?,
        realms: [String], accounts: [CredentialAccount], tolerated: Set<Departure> = [], by hasher: some DigestHasher
    ) {
        offered = algorithm
        (self.qualities, self.opaque, self.userhash) = (qualities, opaque, userhash)
        self.realms = (realms.isEmpty ? [""] : realms).map { Array($0.utf8) }
        (self.accounts, self.tolerated) = (accounts, tolerated)
        let function = (algorithm ?? .md5).hash
        spaces = self.realms.map { realm in
            var (secrets, indexByUser, indexByUserhash) = ([DigestSecret](), [[UInt8]: Int](), [[UInt8]: Int]())
            for (index, account) in accounts.enumerated() {
                let user = Array(account.user.utf8)
                secrets.append(
                    DigestSecret(
                        user: user, realm: realm, password: account.password.utf8, function: function, by: hasher))
                indexByUser[user] = indexByUser[user] ?? index
                if userhash == true {
                    indexByUserhash[DigestText.hash(function, ofParts: [user, realm], by: hasher)] = index
                }
            }
            return ProtectionSpace(
                realm: realm, secrets: secrets, indexByUser: indexByUser, indexByUserhash: indexByUserhash)
        }
    }

    /// Reports every fault; a correct credential costs two hashes, three in a session.
    package func judge(
        _ credential: DigestCredential, of request: DigestRequest, nonce: NonceFinding, by hasher: some DigestHasher
    ) -> DigestJudgement {
        var judgement = DigestJudgement(tolerated: tolerated)
        guard credential.credentials.isScheme("Digest") else {
            judgement.faults = [.wrongScheme(credential.credentials, expected: "Digest")]
            return judgement
        }
        judgement.nonceCount = credential.nonceCount
        if !credential.credentials.violations.isEmpty {
            (judgement.faults, judgement.remarks) = credential.credentials.grammarFaults(tolerated: tolerated)
        }
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

    /// The protection space of the nonce's realm, else of the realm that the credential names.
    private func space(of credential: DigestCredential, _ nonce: NonceFinding) -> ProtectionSpace {
        if case .known(let known) = nonce, spaces.indices.contains(known.realm) { return spaces[known.realm] }
        let named = credential.realm?.bytes
        return spaces.first { $0.realm == named } ?? spaces.first
            ?? ProtectionSpace(realm: [])
    }
}

extension NonceFinding {
    var known: KnownNonce? { if case .known(let known) = self { known } else { nil } }
}

/// The parts of a request with which a Digest credential is compared.
package struct DigestRequest: Sendable {
    package var method: [UInt8]
    package var target: [UInt8]
    /// The content without transfer codings; nil if it was not kept, so that auth-int cannot be checked.
    package var content: [UInt8]?
    /// The most bytes of content that are kept; nil if unknown.
    package var contentLimit: Int?

    package init(method: [UInt8], target: [UInt8], content: [UInt8]?, contentLimit: Int? = nil) {
        (self.method, self.target, self.content, self.contentLimit) = (method, target, content, contentLimit)
    }
}

package struct DigestJudgement: Sendable {
    /// The account's name, or the received name if there is no such account; nil if none can be read.
    package internal(set) var user: String?
    package internal(set) var accountIndex: Int?
    /// nil if it is missing or malformed.
    package internal(set) var nonceCount: UInt32?
    /// Why the credential is refused, in a fixed order, the nonce last; empty if it is accepted.
    package internal(set) var faults: [CredentialFault] = []
    package internal(set) var remarks: [CredentialFault] = []
    /// The proof for the reply; nil if the response was wrong or could not be computed.
    package internal(set) var proof: DigestProof?

    let tolerated: Set<Departure>

    init(tolerated: Set<Departure>) {
        self.tolerated = tolerated
    }

    package var isAdmitted: Bool { faults.isEmpty }

    /// Whether the only fault is an old nonce, so that the challenge must have `stale=true` (RFC 7616 §3.3).
    package var isStale: Bool { !faults.isEmpty && faults.allSatisfy { $0.kind == .staleNonce } }

    mutating func refuse(_ kind: CredentialFault.Kind, _ sentence: String, section: String = "RFC 7616 §3.4") {
        faults.append(CredentialFault(kind, sentence, section: section))
    }

    mutating func remark(_ kind: CredentialFault.Kind, _ sentence: String, section: String = "RFC 7616 §3.4") {
        remarks.append(CredentialFault(kind, sentence, section: section))
    }

    /// Adds a remark if the departure is tolerated, otherwise a fault.
    mutating func judge(
        _ departure: Departure, _ kind: CredentialFault.Kind, _ sentence: String, section: String = "RFC 7616 §3.4"
    ) {
        let fault = CredentialFault(kind, sentence, section: section)
        if tolerated.contains(departure) { remarks.append(fault) } else { faults.append(fault) }
    }
}

/// What a server proves in Authentication-Info after a correct credential (RFC 7616 §3.5).
package struct DigestProof: Sendable {
    let input: DigestInput
    let quality: QualityOfProtection?

    /// The client's nonce, which the reply repeats; nil in the form of RFC 2069.
    package var clientNonce: [UInt8]? { input.protection?.clientNonce }

    /// `rspauth` for a reply with this content, in hexadecimal digits; the content is used for auth-int only.
    package func responseAuthentication(content: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        input.proof(ofContent: content, by: hasher)
    }

    /// The proof with the parameters that must be sent with it.
    package func info(content: [UInt8], nextNonce: [UInt8]? = nil, by hasher: some DigestHasher) -> AuthenticationInfo {
        AuthenticationInfo(
            nextNonce: nextNonce, rspauth: responseAuthentication(content: content, by: hasher), quality: quality,
            clientNonce: clientNonce, nonceCount: input.protection?.nonceCount)
    }
}

/// What the server knows of a credential's nonce; the issuer of nonces stores it.
package enum NonceFinding: Sendable, Equatable {
    case unknown
    case ofAnotherRealm(String)
    case ofAnotherAlgorithm(DigestAlgorithm)
    case known(KnownNonce)
}

/// The state of a nonce before this request is counted.
package struct KnownNonce: Sendable, Equatable {
    package var realm: Int
    package var age: Age
    package var count: Count
    /// For session algorithms: the nonce of the challenge that began the session; nil if it is this nonce.
    ///
    /// They differ if this nonce was sent as `nextnonce` (RFC 7616 §3.4.2, §3.6).
    package var sessionNonce: [UInt8]?
    /// For session algorithms: the client nonce of the session's first request; nil if this is the first.
    package var sessionClientNonce: [UInt8]?

    /// Whether a nonce may still be used.
    package enum Age: Sendable, Equatable {
        case fresh
        case usedUp(uses: Int)
        case tooOld(lifetime: Duration)
    }

    /// The result of checking a nonce count.
    package enum Count: Sendable, Equatable {
        /// Not received before; also for a credential without a count.
        case fresh
        case seen
        /// So far below the highest count that the server has no record of it.
        case tooLow(highest: UInt32)
        /// The client left out counts before this one.
        case skipped(expected: UInt32, isRefused: Bool)
    }

    package init(
        realm: Int = 0, age: Age = .fresh, count: Count = .fresh, sessionNonce: [UInt8]? = nil,
        sessionClientNonce: [UInt8]? = nil
    ) {
        (self.realm, self.age, self.count, self.sessionNonce) = (realm, age, count, sessionNonce)
        self.sessionClientNonce = sessionClientNonce
    }
}
