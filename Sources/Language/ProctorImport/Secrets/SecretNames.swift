import ProctorBase

/// Names whose values are secrets, in fields, queries, forms and JSON.
enum SecretNames {
    private static let whole: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "key", "sig", "signature", "pass", "pwd", "jwt",
        "sid", "sessionid", "phpsessid", "jsessionid", "otp", "pin", "code", "authcode", "assertion", "nonceassertion",
    ]
    private static let parts = [
        "token", "secret", "password", "passwd", "apikey", "accesskey", "privatekey", "credential",
    ]
    /// Names that hold one of `parts` and are no secrets.
    private static let harmless: Set<String> = ["tokentype", "tokenendpoint", "maxtokens", "tokens", "credentials"]

    /// Compares without regard to letter case, `-` and `_`.
    static func contains(_ name: String) -> Bool {
        let plain = plain(name)
        guard !harmless.contains(plain), !plain.hasSuffix("tokens") else { return false }
        return whole.contains(plain) && !["key", "code", "pin"].contains(plain)
            || parts.contains { plain.contains(text: $0) }
    }

    /// Whether a parameter of a query with that name holds a secret; such a name may be `key` or `code` as well.
    static func containsParameter(_ name: String) -> Bool {
        contains(name) || ["key", "code"].contains(plain(name))
    }

    private static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "." })
    }
}
