internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorScenario

struct BearerKeys: Sendable {
    let scope = Key<[String]>("scope") { $1.scopes($0) }
    let `in` = Key<Set<BearerPlace>>("in") { $1.places($0) }
    let says = SchemeKey.says("Bearer", ["realm", "scope", "error", "error_description", "error_uri"])
    let spelled = SchemeKey.spelled("Bearer")
}

/// A token with its scopes.
struct TokenKeys: Sendable {
    let token = Key<String>("token", isRequired: true) { $1.token68($0, "a token", in: "RFC 6750 §2.1") }
    let scope = Key<[String]>("scope") { $1.scopes($0) }
    let expired = UsualKey("expired", Shape<Bool>.boolean("expired"), usual: false)
    let lifetime = Key("lifetime", Shape<Duration>.lifetime("a lifetime"))
}

extension ScenarioReader {
    static let bearerTable = Table("bearer", BearerKeys())
    static let tokenTable = Table("a token", TokenKeys())

    /// The most tokens of one guard.
    private static let tokenBound = 100
    private static let scopeBound = 100

    func bearer(_ node: Node?) -> (any SchemeOffer)? {
        var offer = BearerOffer()
        guard let node else { return offer }
        guard let keys = Self.bearerTable.open(node, self) else { return nil }
        offer.scopes = keys[\.scope] ?? []
        if let places = keys[\.in] { offer.places = places }
        offer.overrides = keys[\.says] ?? []
        if let spelling = keys[\.spelled] { offer.spelling = spelling }
        return offer
    }

    fileprivate func places(_ node: Node) -> Set<BearerPlace> {
        Set(
            oneOrMore(node, "places", limit: Self.schemeBound)
                .compactMap { sink.choice($0, "a place of a token", among: BearerPlace.self) })
    }

    /// `tokens:` as one text or mapping, or as a list of them.
    func tokens(_ node: Node) -> [BearerToken] {
        var tokens: [BearerToken] = []
        for item in oneOrMore(node, "tokens", limit: Self.tokenBound) {
            guard let token = token(item) else { continue }
            if tokens.contains(where: { $0.text == token.text }) {
                sink.report(item, "the token \(quoted(token.text)) stands here twice")
            }
            tokens.append(token)
        }
        return tokens
    }

    private func token(_ node: Node) -> BearerToken? {
        guard node.entries != nil else {
            return token68(node, "a token", in: "RFC 6750 §2.1").map { BearerToken(text: $0) }
        }
        let known = Self.tokenTable.rows.map(\.name)
        if let entry = node.entries?.first, let scope = entry.value.text,
            node.entries?.allSatisfy({ !known.contains($0.key) && NearestName.find($0.key, in: known) == nil }) == true
        {
            return sink.refuse(
                entry.keyNode, "unknown key \(quoted(entry.key)) in a token",
                hint: "write { token: \(entry.key), scope: \(scope) }")
        }
        guard let keys = Self.tokenTable.open(node, self) else { return nil }
        let text = keys[\.token]
        let scopes = keys[\.scope] ?? []
        let isExpired = keys[\.expired]
        let lifetime = keys[\.lifetime]
        if isExpired, let entry = keys.entry(\.lifetime) {
            return sink.refuse(
                entry.keyNode, "a token that is expired has no lifetime left", hint: "write one of the two")
        }
        return text.map {
            BearerToken(text: $0, scopes: Set(scopes), lifetime: isExpired ? 0 : lifetime?.wholeNanoseconds)
        }
    }

    fileprivate func scopes(_ node: Node) -> [String] {
        var scopes: [String] = []
        for (text, node) in sink.texts(node, "a scope", limit: Self.scopeBound) {
            for word in text.split(separator: " ", omittingEmptySubsequences: false) {
                guard BearerText.isScope(word.utf8) else {
                    sink.report(
                        node,
                        "expected scopes parted by one space, of printable ASCII without \" and \\ (RFC 6750 §3), "
                            + "found \(quoted(text))")
                    break
                }
                guard !scopes.contains(String(word)) else { continue }
                scopes.append(String(word))
            }
        }
        guard scopes.count <= Self.scopeBound else {
            sink.report(node, "there are \(scopes.count) scopes; at most \(Self.scopeBound) are permitted")
            return []
        }
        return scopes
    }
}
