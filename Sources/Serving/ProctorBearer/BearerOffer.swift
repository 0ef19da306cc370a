internal import ProctorBase
internal import ProctorDocument
internal import ProctorHTTP
internal import ProctorReplies
internal import ProctorScenario

/// Bearer as a guard offers it (RFC 6750).
struct BearerOffer: JudgedOffer {
    /// The scopes that a token must have; empty: any valid token is accepted.
    var scopes: [String] = []
    /// The places in a request where a token is accepted.
    var places: Set<BearerPlace> = [.header]
    var overrides: [Guard.ParameterOverride] = []
    var spelling = "Bearer"

    var scheme: String { "Bearer" }
    var isOfConnection: Bool { false }

    func challenge(realm: String) -> ChallengeText {
        var parameters: [(String, ChallengeText.Value)] = [("realm", ChallengeText.text(realm))]
        if !scopes.isEmpty { parameters.append(("scope", ChallengeText.text(scopes.joined(separator: " ")))) }
        parameters += [("error", .late), ("error_description", .late)]
        var challenge = ChallengeText(scheme: spelling, parameters)
        challenge.apply(overrides)
        return challenge
    }

    func judge(of rules: Guard, accounts: [CredentialAccount], tolerated: Set<Departure>) -> any OfferJudge {
        BearerFindings(
            judge: BearerJudge(
                tokens: rules.tokens as? [BearerToken] ?? [], scopes: scopes, places: places, tolerated: tolerated),
            acceptsForm: places.contains(.form))
    }

    func fault(of tokens: (any Sendable)?) -> (sentence: String, hint: String)? {
        let valid = (tokens as? [BearerToken] ?? []).filter { $0.lifetime != 0 }
        guard !valid.contains(where: { $0.scopes.isSuperset(of: scopes) }) else { return nil }
        let scope = scopes.joined(separator: " ")
        let written = scopes.count > 1 ? quoted(scope) : scope
        guard let token = valid.first else {
            return (
                "no request ever passes: every token is expired",
                "add a token without expired:" + (scope.isEmpty ? "" : " and with scope: \(written)")
            )
        }
        return (
            "no request ever passes: no token has the scope \(written)",
            "write { token: \(token.text), scope: \(written) }"
        )
    }
}

/// Judges the tokens of requests, wherever they stand, for the guard that offers Bearer.
private struct BearerFindings: OfferJudge {
    let judge: BearerJudge
    let acceptsForm: Bool

    var replies: [OwnReply] { BearerError.allCases.compactMap(\.reply) }

    func looksAtBody(of head: RequestHead?) -> Bool { acceptsForm && head?.hasForm != false }

    func finding(
        _ credentials: Credentials?, of request: RequestView, at moment: GuardMoment, after earlier: (any Sendable)?
    ) -> CredentialFinding? {
        let judgement = judge.judge(
            BearerRequest(
                method: Array(request.head.methodBytes), credentials: credentials,
                query: request.query.map { Array($0) },
                contentType: request.head.fields.first(named: "Content-Type").map { Array($0) },
                content: request.body), age: moment.age)
        guard credentials != nil || judgement.hasToken else { return nil }
        var finding = CredentialFinding(scheme: "Bearer", faults: judgement.faults, remarks: judgement.remarks)
        finding.reply = judgement.error?.reply
        if judgement.error != nil { finding.parameters = judge.parameters(for: judgement) }
        return finding
    }
}

extension BearerError {
    /// The server's own reply; nil: that of the challenge, which contains the error.
    fileprivate var reply: OwnReply? {
        switch self {
        case .invalidRequest: OwnReply(status: status, sentence: "can't read this request's token")
        case .insufficientScope: OwnReply(status: status, sentence: "wants a token that allows more")
        case .invalidToken: nil
        }
    }
}

extension RequestHead {
    /// Whether the media type is a form (RFC 6750 §2.2).
    fileprivate var hasForm: Bool {
        guard let type = fields.first(named: "Content-Type") else { return false }
        return MediaType(Array(type))?.essence == "application/x-www-form-urlencoded"
    }
}
