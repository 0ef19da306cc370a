internal import ProctorHTTP
package import ProctorScenario

/// One challenge as its guard writes it, with holes for values that differ by refusal (RFC 9110 §11.6.1).
package struct ChallengeText: Sendable {
    /// `Digest`, or the whole challenge where the fixture has it literally; nil: none is sent.
    private let scheme: [UInt8]?
    private var parameters: [Parameter]

    package enum Value: Sendable {
        /// Literal bytes, with any quotes.
        case raw([UInt8])
        case nonce
        /// URIs, bound late and quoted together.
        case uris([Template])
        /// Quoted; the parameter of the refusal that has the name, and left out without one.
        case late
        /// `true`; left out unless the nonce is stale.
        case stale
    }

    struct Parameter: Sendable {
        let name: [UInt8]
        var value: Value
    }

    /// No challenge is sent for the scheme.
    package static let nothing = ChallengeText()

    private init() { (scheme, parameters) = (nil, []) }

    /// Without parameters the challenge is the scheme alone.
    package init(scheme: String, _ parameters: [(name: String, value: Value)] = []) {
        self.scheme = Array(scheme.utf8)
        self.parameters = parameters.map { Parameter(name: Array($0.name.utf8), value: $0.value) }
    }

    /// Replaces parameters; a new one is added at the end.
    package mutating func apply(_ overrides: [Guard.ParameterOverride]) {
        for override in overrides {
            let index = parameters.firstIndex {
                String(decoding: $0.name, as: UTF8.self).lowercased() == override.name.lowercased()
            }
            switch (index, override.raw) {
            case (let index?, let raw?): parameters[index].value = .raw(Array(raw.utf8))
            case (let index?, nil): parameters.remove(at: index)
            case (nil, let raw?):
                parameters.append(Parameter(name: Array(override.name.utf8), value: .raw(Array(raw.utf8))))
            case (nil, nil): break
            }
        }
    }

    /// The challenge of one refusal, nil where none is sent; `bind` returns the text of a URI.
    func bytes(
        nonce: [UInt8], isStale: Bool, late: [AuthenticationParameter], _ bind: (Template) -> [UInt8]
    ) -> [UInt8]? {
        guard var bytes = scheme else { return nil }
        var separator: [UInt8] = [UInt8(ascii: " ")]
        for parameter in parameters {
            let value: [UInt8]
            switch parameter.value {
            case .raw(let bytes): value = bytes
            case .nonce: value = Self.quoted(nonce)
            case .uris(let uris): value = Self.quoted(Array(uris.map(bind).joined(separator: [UInt8(ascii: " ")])))
            case .late:
                guard let given = late.first(where: { $0.name.utf8.elementsEqual(parameter.name) }) else { continue }
                value = Self.quoted(given.bytes)
            case .stale:
                guard isStale else { continue }
                value = Array("true".utf8)
            }
            bytes += separator
            bytes += parameter.name
            bytes.append(UInt8(ascii: "="))
            bytes += value
            separator = Array(", ".utf8)
        }
        return bytes
    }

    /// A quoted-string (RFC 9110 §5.6.4).
    static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        AuthenticationParameter.appendQuoted(bytes, to: &result)
        return result
    }
}

extension ChallengeText {
    /// The challenge of one offer, quoted by its scheme's rules (RFC 7616 §3.3, RFC 7617 §2, RFC 6750 §3).
    init(_ scheme: Guard.Scheme, realm: String) {
        switch scheme {
        case .basic(let offer): self = Self.basic(offer, realm)
        case .digest(let offer): self = Self.digest(offer, realm)
        case .other(let offer):
            self = (offer as? any JudgedOffer)?.challenge(realm: realm) ?? Self(scheme: offer.spelling)
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

    /// Quoted.
    package static func text(_ text: String) -> Value { .raw(quoted(Array(text.utf8))) }
}
