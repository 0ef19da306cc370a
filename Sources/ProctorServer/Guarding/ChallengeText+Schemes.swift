internal import ProctorHTTP
internal import ProctorScenario

extension ChallengeText {
    /// The challenge of one offer; what a scheme quotes is quoted (RFC 7616 §3.3, RFC 7617 §2, RFC 6750 §3).
    init(_ scheme: Guard.Scheme, realm: String) {
        switch scheme {
        case .basic(let offer): self = Self.basic(offer, realm)
        case .digest(let offer): self = Self.digest(offer, realm)
        case .bearer(let offer): self = Self.bearer(offer, realm)
        case .messages(let offer): self.init(scheme: offer.scheme)
        case .verbatim(let text): self.init(scheme: text)
        }
    }

    private static func basic(_ offer: Guard.BasicOffer, _ realm: String) -> ChallengeText {
        var parameters: [(String, Value)] = [("realm", text(realm))]
        if let charset = offer.charset { parameters.append(("charset", text(charset))) }
        var challenge = ChallengeText(scheme: offer.spelling ?? "Basic", parameters)
        challenge.apply(offer.overrides)
        return challenge
    }

    private static func digest(_ offer: Guard.DigestOffer, _ realm: String) -> ChallengeText {
        var parameters: [(String, Value)] = [("realm", text(realm))]
        if !offer.domain.isEmpty { parameters.append(("domain", .uris(offer.domain))) }
        parameters.append(("nonce", .nonce))
        if let opaque = offer.opaque { parameters.append(("opaque", text(opaque))) }
        parameters.append(("stale", .stale))
        if let algorithm = offer.algorithm { parameters.append(("algorithm", .raw(Array(algorithm.rawValue.utf8)))) }
        if !offer.qops.isEmpty {
            parameters.append(("qop", text(offer.qops.map(\.rawValue).joined(separator: ", "))))
        }
        if let charset = offer.charset { parameters.append(("charset", .raw(Array(charset.utf8)))) }
        if let userhash = offer.userhash { parameters.append(("userhash", .raw(Array("\(userhash)".utf8)))) }
        var challenge = ChallengeText(scheme: offer.spelling ?? "Digest", parameters)
        challenge.apply(offer.overrides)
        return challenge
    }

    private static func bearer(_ offer: Guard.BearerOffer, _ realm: String) -> ChallengeText {
        var parameters: [(String, Value)] = [("realm", text(realm))]
        if !offer.scopes.isEmpty { parameters.append(("scope", text(offer.scopes.joined(separator: " ")))) }
        parameters += [("error", .error), ("error_description", .errorDescription)]
        var challenge = ChallengeText(scheme: offer.spelling ?? "Bearer", parameters)
        challenge.apply(offer.overrides)
        return challenge
    }

    private static func text(_ text: String) -> Value { .raw(quoted(Array(text.utf8))) }
}
