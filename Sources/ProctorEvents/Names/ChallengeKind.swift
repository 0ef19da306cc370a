/// The short names of authentication methods, which are the arguments of `challenge` and `askCanAuth`.
public enum ChallengeKind {
    /// The short name of a value of NSURLAuthenticationMethod; what has none keeps the name it has.
    ///
    /// A challenge of a proxy has `proxy` in front: `proxyBasic`.
    public static func name(authenticationMethod: String, isProxy: Bool = false) -> String {
        let name = byMethod[authenticationMethod] ?? authenticationMethod
        guard isProxy, let first = name.first else { return name }
        return "proxy" + first.uppercased() + name.dropFirst()
    }

    /// The names of Foundation's constants, without proxies.
    public static let names: [String] = rows.map(\.name)

    /// The other direction, for a protocol that asks by itself; nil for a name that is none of ``names``.
    public static func authenticationMethod(named name: String) -> String? {
        rows.first { $0.name == name }?.method
    }

    private static let rows: [(method: String, name: String)] = [
        ("NSURLAuthenticationMethodHTTPBasic", "basic"),
        ("NSURLAuthenticationMethodHTTPDigest", "digest"),
        ("NSURLAuthenticationMethodNTLM", "ntlm"),
        ("NSURLAuthenticationMethodNegotiate", "negotiate"),
        ("NSURLAuthenticationMethodHTMLForm", "form"),
        ("NSURLAuthenticationMethodDefault", "default"),
        ("NSURLAuthenticationMethodServerTrust", "serverTrust"),
        ("NSURLAuthenticationMethodClientCertificate", "clientCert"),
    ]

    private static let byMethod = Dictionary(uniqueKeysWithValues: rows.map { ($0.method, $0.name) })
}
