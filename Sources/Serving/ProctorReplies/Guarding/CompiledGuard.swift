internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
package import ProctorScenario

/// A guard with everything computed that is the same for all requests.
package final class CompiledGuard: Sendable {
    let rules: Guard
    let replies: GuardReplies
    /// By realm, then by scheme.
    let challenges: [[ChallengeText]]
    /// By scheme.
    let judges: [SchemeJudge]
    private let basic: BasicJudge?
    let hasFreshNonces: Bool
    /// Whether a scheme authenticates the connection.
    let hasMessages: Bool
    /// Whether credentials are verified for which MD4 is needed.
    let verifiesNTLM: Bool
    private let offersIntegrity: Bool
    private let acceptsForm: Bool

    enum SchemeJudge: Sendable {
        case basic(BasicJudge)
        case digest(DigestJudge, Guard.DigestOffer)
        case bearer(BearerJudge)
        case messages(Guard.MessageOffer)
        case token(any TokenJudge)
        case none
    }

    /// A departure in `tolerated` is a remark of the guard, not a fault.
    init(_ rules: Guard, tolerated: Set<Departure>) {
        self.rules = rules
        replies = GuardReplies(rules)
        challenges = rules.realms.map { realm in rules.schemes.map { ChallengeText($0, realm: realm) } }
        judges = rules.schemes.map { SchemeJudge($0, of: rules, tolerated: tolerated) }
        basic = judges.lazy.compactMap { if case .basic(let judge) = $0 { judge } else { nil } }.first
        let digests = rules.schemes.compactMap(\.digest)
        hasFreshNonces = digests.contains { if case .fixed = $0.nonces.source { false } else { true } }
        offersIntegrity = digests.contains { $0.qops.contains(.integrity) }
        verifiesNTLM = rules.schemes.contains { scheme in
            switch scheme {
            case .ntlm: true
            case .negotiate(let offer): offer.mechanisms.contains(.ntlm)
            case .basic, .digest, .bearer, .messages, .verbatim: false
            }
        }
        hasMessages = rules.schemes.contains { scheme in
            switch scheme {
            case .ntlm, .negotiate, .messages: true
            case .basic, .digest, .bearer, .verbatim: false
            }
        }
        acceptsForm = rules.schemes.contains { scheme in
            if case .bearer(let offer) = scheme { offer.places.contains(.form) } else { false }
        }
    }

    /// The field of the credentials (RFC 9110 §11.6.2, §11.7.2).
    var credentialsField: StaticString { rules.isProxy ? "Proxy-Authorization" : "Authorization" }

    var challengeField: String { rules.isProxy ? "Proxy-Authenticate" : "WWW-Authenticate" }

    var infoField: String { rules.isProxy ? "Proxy-Authentication-Info" : "Authentication-Info" }

    var hashFunctions: [HashFunction] {
        rules.schemes.compactMap(\.digest).map { ($0.algorithm ?? .md5).hash }
    }

    /// A fast path for the usual credential; nil: the full check is needed.
    func userOfBasic(_ value: ArraySlice<UInt8>) -> String? {
        guard let basic, let index = basic.accountIndex(ofFieldValue: Array(value)) else { return nil }
        return rules.accounts[index].user
    }

    // MARK: Content

    /// Whether some credentials can be judged only with the content.
    var looksAtBodies: Bool { offersIntegrity || acceptsForm }

    /// Whether the credentials of this request can be judged only with the content.
    func looksAtBody(of head: RequestHead) -> Bool {
        if acceptsForm, head.hasForm { return true }
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
            self = .digest(
                DigestJudge(
                    algorithm: offer.algorithm, qualities: offer.qops, opaque: offer.opaque.map { Array($0.utf8) },
                    userhash: offer.userhash, realms: rules.realms, accounts: accounts,
                    tolerated: tolerated, by: OpenSSLHasher()),
                offer)
        case .bearer(let offer):
            let tokens = rules.tokens.map {
                BearerToken(
                    text: $0.text, scopes: $0.scopes,
                    lifetime: $0.isExpired ? 0 : $0.lifetime?.wholeNanoseconds)
            }
            self = .bearer(
                BearerJudge(
                    tokens: tokens, scopes: offer.scopes, places: Set(offer.places.map(BearerPlace.init)),
                    tolerated: tolerated))
        case .messages(let offer): self = .messages(offer)
        case .ntlm(let offer): self.init(TokenSchemes.slot.part?.ntlm(offer, accounts))
        case .negotiate(let offer): self.init(TokenSchemes.slot.part?.negotiate(offer, accounts))
        case .verbatim: self = .none
        }
    }
}

extension CompiledGuard.SchemeJudge {
    /// nil: the program has no module for the scheme, and the reader refuses scenarios that offer it.
    private init(_ judge: (any TokenJudge)?) { self = judge.map { .token($0) } ?? .none }
}

extension Guard.Scheme {
    package var digest: Guard.DigestOffer? {
        if case .digest(let offer) = self { offer } else { nil }
    }
}

extension BearerPlace {
    fileprivate init(_ place: Guard.BearerOffer.Place) {
        self =
            switch place {
            case .header: .header
            case .form: .form
            case .query: .query
            }
    }
}

extension RequestHead {
    /// Whether the media type is a form (RFC 6750 §2.2).
    var hasForm: Bool {
        guard let type = fields.first(named: "Content-Type") else { return false }
        return MediaType(Array(type))?.essence == "application/x-www-form-urlencoded"
    }
}
