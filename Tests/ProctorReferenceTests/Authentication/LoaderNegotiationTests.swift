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
        Row("unknown schemes are passed over", ["GSSAPI", "Moon realm=it", basic], asked: ["basic(it)"]),
        Row(
            "Negotiate stands before all", [basic, "NTLM", md5, "Negotiate"],
            asked: ["negotiate()", "digest(it)", "ntlm()", "basic(it)"]),
        Row("a token of Negotiate that can't be read", ["Negotiate AAAA", basic], asked: ["basic(it)"]),
        Row("NTLM stands between", [basic, "NTLM", md5], asked: ["digest(it)", "ntlm()", "basic(it)"]),
        Row("a challenge of NTLM that can't be read", ["NTLM AAAA", basic], asked: ["basic(it)"]),
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

    @Test func `a Digest with a hash that this system lacks is ignored`() throws {
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
        #expect(script.take(AuthenticationScript.reply(407, "Proxy-Authenticate: Basic realm=it")) == ["response(407)"])
        var proxied = try AuthenticationScript(
            policy: LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 1)))
        _ = proxied.take(.start)
        #expect(proxied.take(AuthenticationScript.reply(407, "Proxy-Authenticate: Bearer")) == ["response(407)"])
    }

    @Test func `no client is asked for a token where its API cannot give one`() throws {
        var script = try AuthenticationScript(policy: LoaderPolicy(asksForTokens: false))
        _ = script.take(.start)
        #expect(script.take(AuthenticationScript.unauthorized("Bearer", Self.basic)) == ["basic(it) 0"])
    }

    @Test func `proxy and server ask in turn, and each receives its own credential`() throws {
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

/// Each answer to a challenge of each scheme (R10–R16).
struct LoaderAnswerTests {
    /// A scheme, and how a credential for it is sent.
    struct Scheme: Sendable, CustomTestStringConvertible {
        let kind: String
        let challenge: LoadEvent
        let credential: LoadCredential
        let sent: String
        var policy = LoaderPolicy()

        var testDescription: String { kind }
        var status: Int { kind.hasPrefix("proxy") ? 407 : 401 }
        var question: String { "\(kind)(it) 0" }
    }

    private static let viaProxy = LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 3128))
    private static let digest = AuthenticationScript.digest("n")

    static let schemes = [
        Scheme(
            kind: "basic", challenge: AuthenticationScript.unauthorized(AuthenticationScript.basic),
            credential: AuthenticationScript.user, sent: "Basic dXNlcjpwYXNz"),
        Scheme(
            kind: "digest", challenge: AuthenticationScript.unauthorized(digest),
            credential: AuthenticationScript.user, sent: "Digest nonce=n nc=00000001 qop=auth uri=/dir/page"),
        Scheme(
            kind: "bearer", challenge: AuthenticationScript.unauthorized("Bearer realm=it"),
            credential: LoadCredential(token: "abc"), sent: "Bearer abc"),
        Scheme(
            kind: "proxyBasic", challenge: AuthenticationScript.reply(407, "Proxy-Authenticate: Basic realm=it"),
            credential: AuthenticationScript.user, sent: "proxy Basic dXNlcjpwYXNz", policy: viaProxy),
        Scheme(
            kind: "proxyDigest", challenge: AuthenticationScript.reply(407, "Proxy-Authenticate: \(digest)"),
            credential: AuthenticationScript.user,
            sent: "proxy Digest nonce=n nc=00000001 qop=auth uri=http://a.test/dir/page", policy: viaProxy),
    ]

    private func asked(_ scheme: Scheme) throws -> AuthenticationScript {
        var script = try AuthenticationScript(policy: scheme.policy)
        #expect(script.take(.start) == ["send GET /dir/page"])
        #expect(script.take(scheme.challenge) == [scheme.question])
        return script
    }

    @Test(arguments: schemes)
    func `a credential is sent, and asked for again with a count when it is refused`(scheme: Scheme) throws {
        var script = try asked(scheme)
        for count in 1...3 {
            #expect(script.take(.challengeAnswered(.use(scheme.credential))) == ["drain"])
            #expect(script.take(.drained) == ["send GET /dir/page + \(scheme.sent)"])
            let proposed = " \(scheme.credential.user):\(scheme.credential.password)"
            #expect(script.take(scheme.challenge) == ["\(scheme.kind)(it) \(count)\(proposed)"])
        }
        #expect(script.take(.challengeAnswered(.use(scheme.credential))) == ["drain"])
        _ = script.take(.drained)
        #expect(script.take(AuthenticationScript.reply(200)) == ["response(200)"])
    }

    @Test(arguments: schemes, [LoadEvent.ChallengeAnswer.goOnWithout, .byDefault, .reject])
    func `without a credential the refusal is the response`(scheme: Scheme, answer: LoadEvent.ChallengeAnswer) throws {
        var script = try asked(scheme)
        #expect(script.take(.challengeAnswered(answer)) == ["response(\(scheme.status))"])
        #expect(script.take(.challengeAnswered(.use(scheme.credential))) == [])
    }

    @Test(arguments: schemes)
    func `a cancelled challenge ends the load and needs no withdrawal`(scheme: Scheme) throws {
        var script = try asked(scheme)
        #expect(script.take(.challengeAnswered(.cancel)) == ["abort", "metrics 1", "complete(cancelled)"])
        #expect(script.take(.challengeAnswered(.use(scheme.credential))) == [])
    }

    @Test(arguments: schemes)
    func `a load that ends while it asks withdraws the challenge, and an answer comes too late`(scheme: Scheme) throws {
        let failure = TransferFailure(LoadError(.connectionLost, "reset"))
        for (event, name) in [
            (LoadEvent.cancel, "cancelled"), (.timedOut, "timedOut"), (.failed(failure), "connectionLost"),
        ] {
            var script = try asked(scheme)
            #expect(script.take(event) == ["abort", "challengeCancelled", "metrics 1", "complete(\(name))"])
            #expect(script.take(.challengeAnswered(.use(scheme.credential))) == [])
        }
    }

    @Test(arguments: schemes)
    func `only the first answer counts`(scheme: Scheme) throws {
        var script = try asked(scheme)
        #expect(script.take(.challengeAnswered(.use(scheme.credential))) == ["drain"])
        for answer in [LoadEvent.ChallengeAnswer.cancel, .goOnWithout, .byDefault, .reject, .use(scheme.credential)] {
            #expect(script.take(.challengeAnswered(answer)) == [])
        }
        #expect(script.take(.drained) == ["send GET /dir/page + \(scheme.sent)"])
        #expect(script.take(.challengeAnswered(.cancel)) == [])
    }

    @Test(arguments: schemes)
    func `a credential of another kind is as good as none`(scheme: Scheme) throws {
        let other =
            scheme.kind == "bearer" ? LoadCredential(user: "user", password: "pass") : LoadCredential(token: "abc")
        var script = try asked(scheme)
        #expect(script.take(.challengeAnswered(.use(other))) == ["response(\(scheme.status))"])
    }

    @Test(arguments: schemes)
    func `a stored credential is proposed, is the answer by default, and is not tried twice`(scheme: Scheme) throws {
        let store = ReferenceCredentialStore()
        var script = try AuthenticationScript(policy: scheme.policy, memory: AuthenticationScript.memory(store))
        let isProxy = scheme.status == 407
        store.set(
            scheme.credential,
            for: LoadChallenge.ProtectionSpace(
                kind: scheme.kind,
                origin: Origin(scheme: .http, host: isProxy ? "p.test" : "a.test", port: isProxy ? 3128 : 80),
                realm: "it", isProxy: isProxy))
        let proposed = " \(scheme.credential.user):\(scheme.credential.password)"
        _ = script.take(.start)
        #expect(script.take(scheme.challenge) == [scheme.question + proposed])
        #expect(script.take(.challengeAnswered(.byDefault)) == ["drain"])
        #expect(script.take(.drained) == ["send GET /dir/page + \(scheme.sent)"])
        #expect(script.take(scheme.challenge) == ["\(scheme.kind)(it) 1\(proposed)"])
        #expect(script.take(.challengeAnswered(.byDefault)) == ["response(\(scheme.status))"])
    }

    @Test(arguments: [
        (LoadCredential(user: "a:b", password: "c"), AuthenticationScript.basic),
        (LoadCredential(user: "a\u{7}", password: "c"), AuthenticationScript.basic),
        (LoadCredential(token: "no token"), "Bearer"),
    ])
    func `a credential that can't be written ends the load`(credential: LoadCredential, challenge: String) throws {
        var script = try AuthenticationScript()
        _ = script.take(.start)
        _ = script.take(AuthenticationScript.unauthorized(challenge))
        #expect(
            script.take(.challengeAnswered(.use(credential)))
                == ["abort", "metrics 1", "complete(userAuthenticationRequired)"])
    }
}
