import ProctorHTTP
import Testing

@testable import ProctorReference

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
    func `without a credential the refusal is the response`(
        scheme: Scheme, answer: LoadEvent.ChallengeAnswer
    ) throws {
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
    func `a load that ends while it asks withdraws the challenge, and an answer comes too late`(
        scheme: Scheme
    ) throws {
        let failure = ExchangeFailure(LoadError(.connectionLost, "reset"))
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
        var script = try AuthenticationScript(
            policy: scheme.policy, memory: AuthenticationScript.memory(store))
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
