internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorScenario

/// A guard with everything worked out that no request changes.
final class CompiledGuard: Sendable {
    let rules: Guard
    let replies: GuardReplies
    /// By realm, then by scheme.
    let challenges: [[ChallengeText]]
    /// By scheme.
    let judges: [SchemeJudge]
    private let basic: BasicJudge?
    /// Whether each refusal says something that was never said before.
    let hasFreshNonces: Bool
    /// Whether a scheme is bound to its connection.
    let hasMessages: Bool
    private let offersIntegrity: Bool
    private let acceptsForm: Bool

    /// Who judges the credentials of one scheme.
    enum SchemeJudge: Sendable {
        case basic(BasicJudge)
        case digest(DigestJudge, Guard.DigestOffer)
        case bearer(BearerJudge)
        case messages(Guard.MessageOffer)
        /// Nothing is accepted.
        case none
    }

    init(_ rules: Guard) {
        self.rules = rules
        replies = GuardReplies(rules)
        challenges = rules.realms.map { realm in rules.schemes.map { ChallengeText($0, realm: realm) } }
        judges = rules.schemes.map { SchemeJudge($0, of: rules) }
        basic = judges.lazy.compactMap { if case .basic(let judge) = $0 { judge } else { nil } }.first
        var hasFreshNonces = false
        var hasMessages = false
        var offersIntegrity = false
        var acceptsForm = false
        for scheme in rules.schemes {
            switch scheme {
            case .digest(let offer):
                if case .fixed = offer.nonces.source {} else { hasFreshNonces = true }
                offersIntegrity = offersIntegrity || offer.qops.contains(.integrity)
            case .bearer(let offer): acceptsForm = acceptsForm || offer.places.contains(.form)
            case .messages: hasMessages = true
            case .basic, .verbatim: break
            }
        }
        self.hasFreshNonces = hasFreshNonces
        self.hasMessages = hasMessages
        self.offersIntegrity = offersIntegrity
        self.acceptsForm = acceptsForm
    }

    /// Where credentials are looked for (RFC 9110 §11.6.2, §11.7.2).
    var credentialsField: StaticString { rules.isProxy ? "Proxy-Authorization" : "Authorization" }

    var challengeField: String { rules.isProxy ? "Proxy-Authenticate" : "WWW-Authenticate" }

    var infoField: String { rules.isProxy ? "Proxy-Authentication-Info" : "Authentication-Info" }

    /// What it must be able to hash with.
    var hashFunctions: [HashFunction] {
        rules.schemes.compactMap { scheme in
            guard case .digest(let offer) = scheme else { return nil }
            return (offer.algorithm ?? .md5).hash
        }
    }

    /// The usual case at the price of a comparison; nil says nothing.
    func userOfBasic(_ value: ArraySlice<UInt8>) -> String? {
        guard let basic, let index = basic.accountIndex(ofFieldValue: Array(value)) else { return nil }
        return rules.accounts[index].user
    }

    // MARK: Content

    /// Whether some credentials can't be judged without the content.
    var looksAtBodies: Bool { offersIntegrity || acceptsForm }

    /// Whether those of this request can't.
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
    fileprivate init(_ scheme: Guard.Scheme, of rules: Guard) {
        let accounts = rules.accounts.map { CredentialAccount(user: $0.user, password: $0.password) }
        switch scheme {
        case .basic: self = .basic(BasicJudge(accounts: accounts))
        case .digest(let offer):
            self = .digest(
                DigestJudge(
                    algorithm: offer.algorithm, qualities: offer.qops, opaque: offer.opaque.map { Array($0.utf8) },
                    userhash: offer.userhash, realms: rules.realms, accounts: accounts,
                    toleratesQuoting: offer.quoting == .any, by: OpenSSLHasher()),
                offer)
        case .bearer(let offer):
            let tokens = rules.tokens.map { BearerToken(text: $0.text, scopes: $0.scopes, isExpired: $0.isExpired) }
            self = .bearer(
                BearerJudge(tokens: tokens, scopes: offer.scopes, places: Set(offer.places.map(BearerPlace.init))))
        case .messages(let offer): self = .messages(offer)
        case .verbatim: self = .none
        }
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
    /// Whether the content says of itself that it is a form (RFC 6750 §2.2).
    var hasForm: Bool {
        guard let type = fields.first(named: "Content-Type") else { return false }
        return MediaType(Array(type))?.essence == "application/x-www-form-urlencoded"
    }
}
