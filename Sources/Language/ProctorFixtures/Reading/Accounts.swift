import ProctorBase
package import ProctorDocument
import ProctorHTTP
import ProctorScenario

extension ScenarioReader {
    static let accountBound = 100

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

    /// A b64token (RFC 6750 §2.1), which is also a token68 (RFC 9110 §11.2).
    package func token68(_ node: Node, _ what: String, in section: String) -> String? {
        guard let text = headText(node, what) else { return nil }
        guard BearerText.isToken(text.utf8) else {
            return sink.refuse(
                node,
                "expected \(what) of letters, digits and -._~+/ with = at its end only (\(section)), found "
                    + quoted(text))
        }
        return text
    }
}
