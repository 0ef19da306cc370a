import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario

/// A token with its scopes.
struct TokenKeys: Sendable {
    let token = Key<String>("token", isRequired: true) { $1.token68($0, "a token", in: "RFC 6750 §2.1") }
    let scope = Key<[String]>("scope") { $1.scopes($0) }
    let expired = UsualKey("expired", Shape<Bool>.boolean("expired"), usual: false)
    let lifetime = Key("lifetime", Shape<Duration>.lifetime("a lifetime"))
}

extension ScenarioReader {
    static let tokenTable = Table("a token", TokenKeys())
    static let accountBound = 100
    static let scopeBound = 100

    /// `users:` as a mapping from name to password.
    func accounts(_ node: Node) -> [Guard.Account] {
        guard
            let entries = entries(
                node, "users", from: "name to password", limit: Self.accountBound, hint: "write users: { user: pass }")
        else { return [] }
        if entries.isEmpty { sink.report(node, "users need at least one") }
        return entries.compactMap { entry in
            let user = headText(entry.keyNode, "a user")
            guard !entry.value.isNull else {
                return sink.refuse(
                    entry.value, "expected the password of \(quoted(entry.key)), found nothing",
                    hint: "write \"\" for an empty one")
            }
            let password = boundedText(entry.value, "a password")
            guard let user, let password else { return nil }
            return Guard.Account(user: user, password: password)
        }
    }

    /// `tokens:` as one text or mapping, or as a list of them.
    func tokens(_ node: Node) -> [Guard.Token] {
        var tokens: [Guard.Token] = []
        for item in oneOrMore(node, "tokens", limit: Self.tokenBound) {
            guard let token = token(item) else { continue }
            if tokens.contains(where: { $0.text == token.text }) {
                sink.report(item, "the token \(quoted(token.text)) stands here twice")
            }
            tokens.append(token)
        }
        return tokens
    }

    private func token(_ node: Node) -> Guard.Token? {
        guard node.entries != nil else {
            return token68(node, "a token", in: "RFC 6750 §2.1").map { Guard.Token(text: $0) }
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
        return text.map { Guard.Token(text: $0, scopes: Set(scopes), isExpired: isExpired, lifetime: lifetime) }
    }

    /// A b64token (RFC 6750 §2.1), which is also a token68 (RFC 9110 §11.2).
    func token68(_ node: Node, _ what: String, in section: String) -> String? {
        guard let text = headText(node, what) else { return nil }
        guard BearerText.isToken(text.utf8) else {
            return sink.refuse(
                node,
                "expected \(what) of letters, digits and -._~+/ with = at its end only (\(section)), found "
                    + quoted(text))
        }
        return text
    }

    func scopes(_ node: Node) -> [String] {
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
