/// What a guard asks of a client, and what the client is told to do about it.
struct RealClientFeature: Sendable {
    /// As the page names it.
    let name: String
    let group: Group
    /// Items below `schemes:`.
    let schemes: [String]
    /// Keys of the guard beside its schemes and users, and those of the exchange's reply.
    let more: String
    let user: String
    let password: String
    /// What the client gives in its place, where it is wrong.
    let given: String?
    let target: String
    /// Sent by POST; nil: a GET.
    let body: String?
    /// Loads, one after the other.
    let count: Int

    /// Which clients have to do with it.
    enum Group: String, Sendable {
        case basic, digest, either, bearer, proxyBasic, proxyDigest, connectBasic, connectDigest
    }

    init(
        _ name: String, _ group: Group, _ schemes: String..., more: String = "", user: String = "user",
        password: String = "pass", given: String? = nil, target: String = "/page", body: String? = nil, count: Int = 1
    ) {
        self.name = name
        self.group = group
        self.schemes = schemes
        self.more = more
        self.user = user
        self.password = password
        self.given = given
        self.target = target
        self.body = body
        self.count = count
    }

    var isProxy: Bool { [.proxyBasic, .proxyDigest].contains(group) || isTunnel }
    var isTunnel: Bool { [.connectBasic, .connectDigest].contains(group) }

    var scenario: String {
        """
        summary: \(name)
        origins: { main: { role: \(isProxy ? "proxy" : "server") } }
        guards:
          lab:
            proxy: \(isProxy)
            \(group == .bearer ? "tokens: [\(password)]" : "users: { \(Self.quoted(user)): \(Self.quoted(password)) }")
            schemes:
        \(schemes.map { "      - \(Self.lax($0))" }.joined(separator: "\n"))
        \(more)
        auth: lab
        exchanges:
        \(exchanges)
        """
    }

    private var exchanges: String {
        if isTunnel { return "  - { request: \"CONNECT {host}:{port}\", reply: { status: 502, body: \"no tunnel\" } }" }
        if isProxy { return "  - { request: \"* http://lab.test/*\", reply: { status: 200, body: \"welcome\" } }" }
        return "  - { request: \"* /*\", reply: { status: 200, body: \"welcome\" } }"
    }

    /// Most libraries quote what must not be quoted; that is one row for each, so that the others can tell of the rest.
    private static func lax(_ scheme: String) -> String {
        if scheme == "digest" { return "digest: { quoting: any }" }
        return scheme.contains("quoting:") ? scheme : scheme.replacing("digest: {", with: "digest: { quoting: any,")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    static let all: [RealClientFeature] = [
        RealClientFeature("Basic", .basic, "basic"),
        RealClientFeature("Basic, empty user", .basic, "basic", user: ""),
        RealClientFeature("Basic, colon in the password", .basic, "basic", password: "pa:ss"),
        RealClientFeature(
            "Basic, UTF-8", .basic, "basic: { charset: UTF-8 }", user: "Jäsøn Doe", password: "Secret, or not?"),
        RealClientFeature("Basic, wrong password", .basic, "basic", given: "wrong"),
        RealClientFeature("Basic, POST", .basic, "basic", body: "a=1&b=2"),
        RealClientFeature("Basic, two loads", .basic, "basic", count: 2),

        RealClientFeature("Digest, quotes exact", .digest, "digest: { quoting: exact }"),
        RealClientFeature("Digest MD5", .digest, "digest: { opaque: kept-by-the-client }"),
        RealClientFeature("Digest, target with escapes and a query", .digest, "digest", target: "/a%20b/c?d=e%2Ff&g=1"),
        RealClientFeature("Digest, two loads", .digest, "digest", count: 2),
        RealClientFeature("Digest, POST", .digest, "digest", body: "a=1&b=2"),
        RealClientFeature("Digest, wrong password", .digest, "digest", given: "wrong"),
        RealClientFeature("Digest, no algorithm", .digest, "digest: { algorithm: null }"),
        RealClientFeature("Digest, no qop (RFC 2069)", .digest, "digest: { qop: none }"),
        RealClientFeature("Digest MD5-sess", .digest, "digest: { algorithm: MD5-sess }"),
        RealClientFeature("Digest MD5-sess, two loads", .digest, "digest: { algorithm: MD5-sess }", count: 2),
        RealClientFeature("Digest SHA-256", .digest, "digest: { algorithm: SHA-256 }"),
        RealClientFeature("Digest SHA-256-sess", .digest, "digest: { algorithm: SHA-256-sess }"),
        RealClientFeature("Digest SHA-512-256", .digest, "digest: { algorithm: SHA-512-256 }"),
        RealClientFeature("Digest, auth-int alone", .digest, "digest: { qop: auth-int }", body: "a=1&b=2"),
        RealClientFeature("Digest, auth or auth-int", .digest, "digest: { qop: [auth, auth-int] }", body: "a=1&b=2"),
        RealClientFeature("Digest, userhash", .digest, "digest: { algorithm: SHA-256, userhash: true }"),
        RealClientFeature(
            "Digest, UTF-8", .digest, "digest: { charset: UTF-8 }", user: "Jäsøn Doe", password: "Secret, or not?"),
        RealClientFeature("Digest, quotes in the user", .digest, "digest", user: #"a "b" \c"#),
        RealClientFeature("Digest, quotes in the realm", .digest, "digest", more: #"    realm: 'a "b" \c'"#),
        RealClientFeature("Digest, nonce for one request, two loads", .digest, "digest: { uses: 1 }", count: 2),
        RealClientFeature("Digest, nextnonce, two loads", .digest, "digest: { info: nextnonce }", count: 2),
        RealClientFeature("Digest, wrong rspauth", .digest, "digest: { info: wrong-rspauth }"),
        RealClientFeature("Digest, SHA-256 before MD5", .digest, "digest: { algorithm: SHA-256 }", "digest"),

        RealClientFeature("Basic before Digest", .either, "basic", "digest"),
        RealClientFeature("Digest before Basic", .either, "digest", "basic"),
        RealClientFeature("Basic and Digest in one line", .either, "basic", "digest", more: "    layout: one-line"),
        RealClientFeature("an unknown scheme before Basic", .either, "verbatim: 'Unheard a=\"b\"'", "basic"),

        RealClientFeature("Bearer", .bearer, "bearer", password: "mF_9.B5f-4.1JqM"),
        RealClientFeature("Bearer, unknown token", .bearer, "bearer", password: "mF_9.B5f-4.1JqM", given: "other"),

        RealClientFeature("proxy, Basic", .proxyBasic, "basic"),
        RealClientFeature("proxy, Digest", .proxyDigest, "digest"),
        RealClientFeature("proxy, Digest, two loads", .proxyDigest, "digest", count: 2),
        RealClientFeature("CONNECT, Basic", .connectBasic, "basic"),
        RealClientFeature("CONNECT, Digest", .connectDigest, "digest"),
    ]
}
