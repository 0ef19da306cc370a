/// The short names of authentication methods, which are the arguments of `challenge` and `askCanAuth`.
package enum ChallengeKind {
    /// The short name of a value of NSURLAuthenticationMethod; an unknown value is its own name.
    ///
    /// A challenge of a proxy has the prefix `proxy`: `proxyBasic`.
    package static func name(authenticationMethod: String, isProxy: Bool = false) -> String {
        let name = byMethod[authenticationMethod] ?? authenticationMethod
        guard isProxy, let first = name.first else { return name }
        return "proxy" + first.uppercased() + name.dropFirst()
    }

    /// The names of Foundation's constants, without proxies.
    package static let names: [String] = rows.map(\.name)

    /// The authentication method of a short name; nil for a name that is not in ``names``.
    package static func authenticationMethod(named name: String) -> String? {
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
