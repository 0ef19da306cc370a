/// What the guard offers that a mutated answer is sent to.
enum MutationOffer: String, Sendable, CaseIterable {
    /// MD5, qop auth.
    case plain
    case md5Session, sha256, sha256Session, sha512t256
    /// qop auth-int alone, with a body.
    case integrity
    /// qop auth and auth-int, with a body.
    case both
    /// No qop: RFC 2069.
    case old
    /// No algorithm in the challenge, which means MD5.
    case unnamed
    /// A gap in the count is refused.
    case gapless
    /// A nonce is good for one request.
    case singleUse
    case userhash
    /// charset UTF-8, so that a name may be given as username*.
    case utf8
    /// The realm has a quote and a backslash.
    case quotedRealm
    /// Another realm with each challenge: lab, then attic.
    case changingRealm
    /// MD5 and SHA-256, each with nonces of its own.
    case several

    /// Items below `schemes:`.
    private var schemes: [String] {
        switch self {
        case .plain: ["digest: { algorithm: MD5, qop: auth, opaque: 5ccc069c403ebaf9f0171e9517f40e41 }"]
        case .md5Session: ["digest: { algorithm: MD5-sess, qop: auth }"]
        case .sha256:
            ["digest: { algorithm: SHA-256, qop: auth, opaque: \"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS\" }"]
        case .sha256Session: ["digest: { algorithm: SHA-256-sess, qop: auth }"]
        case .sha512t256: ["digest: { algorithm: SHA-512-256, qop: auth }"]
        case .integrity: ["digest: { algorithm: MD5, qop: auth-int }"]
        case .both: ["digest: { algorithm: SHA-256, qop: [auth, auth-int] }"]
        case .old: ["digest: { algorithm: MD5, qop: none }"]
        case .unnamed: ["digest: { algorithm: null, qop: auth }"]
        case .gapless: ["digest: { algorithm: MD5, qop: auth, nonce-count: gapless }"]
        case .singleUse: ["digest: { algorithm: MD5, qop: auth, uses: 1 }"]
        case .userhash: ["digest: { algorithm: SHA-256, qop: auth, userhash: true, charset: UTF-8 }"]
        case .utf8: ["digest: { algorithm: MD5, qop: auth, charset: UTF-8 }"]
        case .quotedRealm, .changingRealm: ["digest: { algorithm: MD5, qop: auth }"]
        case .several: ["digest: { algorithm: SHA-256, qop: auth }", "digest: { algorithm: MD5, qop: auth }"]
        }
    }

    private var realm: String {
        switch self {
        case .quotedRealm: #"'the "lab" \ cellar'"#
        case .changingRealm: "[lab, attic]"
        default: "lab"
        }
    }

    var method: String { self == .integrity || self == .both ? "POST" : "GET" }
    var content: String { self == .integrity || self == .both ? "a=1&b=2" : "" }

    /// Two guards: `lab` before everything, `cellar` before one path.
    var scenario: String {
        """
        summary: A guard for answers that are a little wrong
        guards:
          lab:
            realm: \(realm)
            users: { user: pass, other: word, "Jäsøn Doe": "Secret, or not?" }
            schemes:
        \(schemes.map { "      - \($0)" }.joined(separator: "\n"))
          cellar:
            realm: cellar
            users: { user: pass }
            schemes: [digest]
        auth: lab
        exchanges:
          - request: GET /cellar
            auth: cellar
            reply: { status: 200, body: "cellar" }
          - request: "* /*"
            reply: { status: 200, body: "open" }
        """
    }
}
