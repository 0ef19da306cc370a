import ProctorHTTP
import Testing

@testable import ProctorReference

/// Which of several challenges is asked about, and in which order (R15, R16).
struct LoaderNegotiationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let challenges: [String]
        /// What is asked while each is rejected; the response comes then.
        let asked: [String]
        var body = RequestBody.none

        init(_ description: String, _ challenges: [String], asked: [String], body: RequestBody = .none) {
            testDescription = description
            self.challenges = challenges
            self.asked = asked
            self.body = body
        }
    }

    private static let md5 = AuthenticationScript.digest("m", "qop=\"auth\", algorithm=MD5")
    private static let sha256 = AuthenticationScript.digest("s", realm: "sha", "qop=\"auth\", algorithm=SHA-256")
    private static let sha512 = AuthenticationScript.digest("t", realm: "big", "qop=\"auth\", algorithm=SHA-512-256")
    private static let integrity = AuthenticationScript.digest("i", "qop=\"auth-int\"")
    private static let basic = AuthenticationScript.basic

    static let rows = [
        Row(
            "the strongest first", [basic, md5, sha512, sha256],
            asked: ["digest(big)", "digest(sha)", "digest(it)", "basic(it)"]),
        Row("in one line", ["\(basic), \(md5)"], asked: ["digest(it)", "basic(it)"]),
        Row(
            "of two algorithms of a realm the stronger alone",
            [
                md5, AuthenticationScript.digest("s", "qop=\"auth\", algorithm=SHA-256-sess"),
            ], asked: ["digest(it)"]),
        Row(
            "a token where it stands first", ["Bearer realm=it", basic, md5],
            asked: ["bearer(it)", "digest(it)", "basic(it)"]),
        Row("a token behind what it stands behind", [basic, "Bearer"], asked: ["basic(it)", "bearer()"]),
        Row("unknown schemes are passed over", ["Negotiate", "Moon realm=it", basic, "NTLM"], asked: ["basic(it)"]),
        Row("two realms", ["Basic realm=a", "Basic realm=b"], asked: ["basic(a)", "basic(b)"]),
        Row("an empty realm is one", ["Basic realm=\"\""], asked: ["basic()"]),
        Row("Basic without a realm", ["Basic", "Basic charset=\"UTF-8\""], asked: []),
        Row("Digest without a nonce", ["Digest realm=it", basic], asked: ["basic(it)"]),
        Row("Digest without a realm", ["Digest nonce=n"], asked: []),
        Row(
            "Digest with an algorithm that is not known", [AuthenticationScript.digest("n", "algorithm=MOON")],
            asked: []),
        Row("Digest with a quality that is not known", [AuthenticationScript.digest("n", "qop=\"moon\"")], asked: []),
        Row("Digest without a quality", [AuthenticationScript.digest("n", "")], asked: ["digest(it)"]),
        Row("nothing", [""], asked: []),
        Row("integrity of what is known", [integrity, basic], asked: ["digest(it)", "basic(it)"], body: .bytes([1])),
        Row("integrity of what can't be hashed", [integrity, basic], asked: ["basic(it)"], body: .streamOnDemand),
    ]

    private struct WithoutMD5: DigestHasher {
        func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
            if function != .md5 { AuthenticationMemory.none.hasher.appendHash(function, of: bytes, to: &output) }
        }
    }

    @Test func `a Digest whose hash this system has not is passed over`() throws {
        for (challenges, expected) in [
            ([Self.md5, Self.basic], "basic(it) 0"), ([Self.md5, Self.sha256, Self.basic], "digest(sha) 0"),
            ([Self.md5], "response(401)"),
        ] {
            var script = try AuthenticationScript(memory: AuthenticationMemory(hasher: WithoutMD5()))
            _ = script.take(.start)
            #expect(script.take(AuthenticationScript.unauthorized(challenges.joined(separator: ", "))) == [expected])
        }
    }

    @Test(arguments: rows)
    func `what is offered is asked about one after the other`(row: Row) throws {
        var script = try AuthenticationScript(method: "POST", body: row.body)
        _ = script.take(.start)
        if row.body == .streamOnDemand { _ = script.take(.bodyStreamAnswered(BodyStream([1]))) }
        var text = "HTTP/1.1 401 X\r\nContent-Length: 0\r\n"
        for challenge in row.challenges { text += "WWW-Authenticate: \(challenge)\r\n" }
        let head = try #require(LoaderScript.head(text + "\r\n"))
        var asked = script.take(.head(head))
        for question in row.asked {
            #expect(asked == ["\(question) 0"])
            asked = script.take(.challengeAnswered(.reject))
        }
        #expect(asked == ["response(401)"])
    }

    @Test func `what was rejected is not asked about again`() throws {
        let both = AuthenticationScript.unauthorized(Self.md5, Self.basic)
        var script = try AuthenticationScript()
        _ = script.take(.start)
        #expect(script.take(both) == ["digest(it) 0"])
        #expect(script.take(.challengeAnswered(.reject)) == ["basic(it) 0"])
        _ = script.take(.challengeAnswered(.use(AuthenticationScript.user)))
        #expect(script.take(.drained) == ["send GET /dir/page + Basic dXNlcjpwYXNz"])
        #expect(script.take(both) == ["basic(it) 1 user:pass"])
        #expect(script.take(.challengeAnswered(.reject)) == ["response(401)"])
    }

    @Test func `each space and each method counts its own failures`() throws {
        var script = try AuthenticationScript()
        _ = script.take(.start)
        let first = AuthenticationScript.unauthorized("Basic realm=first")
        #expect(script.answer(first, with: AuthenticationScript.user).first == "basic(first) 0")
        let second = AuthenticationScript.unauthorized("Basic realm=second")
        #expect(script.answer(second, with: AuthenticationScript.user).first == "basic(second) 0")
        let digest = AuthenticationScript.unauthorized(AuthenticationScript.digest("n", realm: "second"))
        #expect(script.answer(digest, with: AuthenticationScript.user).first == "digest(second) 0")
        #expect(script.answer(second, with: AuthenticationScript.user).first == "basic(second) 1 user:pass")
        #expect(script.take(first) == ["basic(first) 1 user:pass"])
    }

    @Test func `a 407 of a server that is no proxy is a response, and a token is nothing for a proxy`() throws {
        var script = try AuthenticationScript()
        _ = script.take(.start)
        #expect(
            script.take(AuthenticationScript.reply(407, "Proxy-Authenticate: Basic realm=it")) == ["response(407)"])
        var proxied = try AuthenticationScript(
            policy: LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 1)))
        _ = proxied.take(.start)
        #expect(proxied.take(AuthenticationScript.reply(407, "Proxy-Authenticate: Bearer")) == ["response(407)"])
    }

    @Test func `nobody is asked for a token where none can be given`() throws {
        var script = try AuthenticationScript(policy: LoaderPolicy(asksForTokens: false))
        _ = script.take(.start)
        #expect(script.take(AuthenticationScript.unauthorized("Bearer", Self.basic)) == ["basic(it) 0"])
    }

    @Test func `the proxy asks, then the server, and each hears its own credential`() throws {
        var script = try AuthenticationScript(
            policy: LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 1)))
        _ = script.take(.start)
        let proxys = AuthenticationScript.reply(407, "Proxy-Authenticate: \(AuthenticationScript.digest("p"))")
        #expect(
            script.answer(proxys, with: LoadCredential(user: "x", password: "y")) == [
                "proxyDigest(it) 0", "drain",
                "send GET /dir/page + proxy Digest nonce=p nc=00000001 qop=auth uri=http://a.test/dir/page",
            ])
        #expect(
            script.answer(AuthenticationScript.unauthorized(Self.basic), with: AuthenticationScript.user) == [
                "basic(it) 0", "drain",
                "send GET /dir/page + Basic dXNlcjpwYXNz + proxy Digest nonce=p nc=00000002 qop=auth uri=http://a.test/dir/page",
            ])
        // The proxy's refusal says nothing of what the server has not seen.
        let renewed = AuthenticationScript.reply(
            407, "Proxy-Authenticate: \(AuthenticationScript.digest("q", "qop=\"auth\", stale=true"))")
        #expect(script.take(renewed) == ["drain"])
        #expect(
            script.take(.drained) == [
                "send GET /dir/page + Basic dXNlcjpwYXNz + proxy Digest nonce=q nc=00000001 qop=auth uri=http://a.test/dir/page"
            ])
        #expect(script.take(AuthenticationScript.reply(200)) == ["response(200)"])
    }
}
