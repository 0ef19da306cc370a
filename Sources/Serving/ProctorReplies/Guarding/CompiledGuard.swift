internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
package import ProctorScenario

/// A guard with everything computed that is the same for all requests.
package final class CompiledGuard: Sendable {
    let rules: Guard
    let replies: GuardReplies
    /// The texts of the challenges, by realm, then by scheme.
    let challenges: [[ChallengeText]]
    /// What judges the credentials of a scheme, by scheme.
    let judges: [SchemeJudge]
    private let basic: BasicJudge?
    let hasFreshNonces: Bool
    /// Whether a scheme authenticates the connection.
    let hasMessages: Bool
    private let offersIntegrity: Bool
    /// The judged offers of Digest, by scheme; nil for a scheme that is not Digest.
    let digests: [JudgedDigest?]
    /// The judges of the schemes that modules judge.
    let others: [any OfferJudge]

    enum SchemeJudge: Sendable {
        case basic(BasicJudge)
        case digest(JudgedDigest)
        case other(any OfferJudge, any JudgedOffer)
        case none
    }

    /// An offer of Digest with its judge; an object, which each request takes out whole.
    final class JudgedDigest: Sendable {
        let offer: Guard.DigestOffer
        let judge: DigestJudge

        init(_ offer: Guard.DigestOffer, _ judge: DigestJudge) { (self.offer, self.judge) = (offer, judge) }
    }

    /// A departure in `tolerated` is a remark of the guard, not a fault.
    init(_ rules: Guard, tolerated: Set<Departure>) {
        self.rules = rules
        challenges = rules.realms.map { realm in rules.schemes.map { ChallengeText($0, realm: realm) } }
        judges = rules.schemes.map { SchemeJudge($0, of: rules, tolerated: tolerated) }
        basic = judges.lazy.compactMap { if case .basic(let judge) = $0 { judge } else { nil } }.first
        digests = judges.map { if case .digest(let digest) = $0 { digest } else { nil } }
        let offers = digests.compactMap { $0?.offer }
        hasFreshNonces = offers.contains { if case .fixed = $0.nonces.source { false } else { true } }
        offersIntegrity = offers.contains { $0.qops.contains(.integrity) }
        hasMessages = rules.schemes.contains { if case .other(let offer) = $0 { offer.isOfConnection } else { false } }
        others = judges.compactMap { if case .other(let judge, _) = $0 { judge } else { nil } }
        replies = GuardReplies(
            rules, own: others.flatMap(\.replies), asking: rules.schemes.count == 1 ? others.first?.asking : nil)
    }

    /// The field of the credentials (RFC 9110 §11.6.2, §11.7.2).
    var credentialsField: StaticString { rules.isProxy ? "Proxy-Authorization" : "Authorization" }

    var challengeField: String { rules.isProxy ? "Proxy-Authenticate" : "WWW-Authenticate" }

    var infoField: String { rules.isProxy ? "Proxy-Authentication-Info" : "Authentication-Info" }

    var hashFunctions: [HashFunction] {
        digests.compactMap { $0.map { ($0.offer.algorithm ?? .md5).hash } }
    }

    /// A fast path for the usual credential; nil: the full check is needed.
    func userOfBasic(_ value: ArraySlice<UInt8>) -> String? {
        guard let basic, let index = basic.accountIndex(ofFieldValue: Array(value)) else { return nil }
        return rules.accounts[index].user
    }

    // MARK: Content

    /// Whether some credentials can be judged only with the content.
    var looksAtBodies: Bool { offersIntegrity || others.contains { $0.looksAtBody(of: nil) } }

    /// Whether the credentials of this request can be judged only with the content.
    func looksAtBody(of head: RequestHead) -> Bool {
        if others.contains(where: { $0.looksAtBody(of: head) }) { return true }
        guard offersIntegrity else { return false }
        return head.fields.values(named: credentialsField).contains { value in
            let credentials = Credentials(Array(value))
            return credentials.isScheme("Digest") && DigestCredential(credentials).quality == .integrity
        }
    }
}

extension CompiledGuard.SchemeJudge {
    fileprivate init(_ scheme: Guard.Scheme, of rules: Guard, tolerated: Set<Departure>) {
        let accounts = rules.accounts.map { CredentialAccount(user: $0.user, password: $0.password) }
        switch scheme {
        case .basic: self = .basic(BasicJudge(accounts: accounts, tolerated: tolerated))
        case .digest(let offer):
            let judge = DigestJudge(
                algorithm: offer.algorithm, qualities: offer.qops, opaque: offer.opaque.map { Array($0.utf8) },
                userhash: offer.userhash, realms: rules.realms, accounts: accounts, tolerated: tolerated,
                by: OpenSSLHasher())
            self = .digest(CompiledGuard.JudgedDigest(offer, judge))
        case .other(let offer):
            // Every module's offers are judged by it.
            guard let offer = offer as? any JudgedOffer else {
                self = .none
                return
            }
            self = .other(offer.judge(of: rules, accounts: accounts, tolerated: tolerated), offer)
        case .verbatim: self = .none
        }
    }
}

extension Guard.Scheme {
    package var digest: Guard.DigestOffer? {
        if case .digest(let offer) = self { offer } else { nil }
    }
}
