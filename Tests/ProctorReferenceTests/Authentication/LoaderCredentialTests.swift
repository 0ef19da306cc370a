import ProctorHTTP
import Testing

@testable import ProctorReference

/// Credentials without a question: from the URL, the store and the caller; and who receives them.
struct LoaderCredentialTests {
    private static let basic = AuthenticationScript.unauthorized(AuthenticationScript.basic)
    private static let digest = AuthenticationScript.unauthorized(AuthenticationScript.digest("n"))
    private static let ok = AuthenticationScript.reply(200)

    // MARK: In the URL

    @Test func `the credential of a URL answers the first challenge in silence and stands nowhere in a request`() throws
    {
        var script = try AuthenticationScript("http://us%65r:p%40ss@a.test/dir/page")
        #expect(script.take(.start) == ["send GET /dir/page"])
        #expect(script.take(Self.basic) == ["drain"])
        #expect(script.take(.drained) == ["send GET /dir/page + Basic dXNlcjpwQHNz"])
        #expect(script.take(Self.basic) == ["basic(it) 1 user:p@ss"])
        #expect(script.take(.challengeAnswered(.byDefault)) == ["response(401)"])
    }

    @Test func `it answers Digest too, and no proxy and no demand for a token`() throws {
        var script = try AuthenticationScript(
            "http://user:pass@a.test/dir/page",
            policy: LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 1)))
        _ = script.take(.start)
        #expect(
            script.take(AuthenticationScript.reply(407, "Proxy-Authenticate: Basic realm=it")) == ["proxyBasic(it) 0"])
        _ = script.take(.challengeAnswered(.use(AuthenticationScript.user)))
        _ = script.take(.drained)
        #expect(script.take(Self.digest) == ["drain"])
        var token = try AuthenticationScript("http://user:pass@a.test/dir/page")
        _ = token.take(.start)
        #expect(token.take(AuthenticationScript.unauthorized("Bearer")) == ["bearer() 0"])
    }

    @Test(arguments: ["http://user@a.test/dir/page", "http://a%3Ab:c@a.test/dir/page"])
    func `a URL without a password, or with a name that can't be sent, leads to the question`(url: String) throws {
        var script = try AuthenticationScript(url)
        _ = script.take(.start)
        #expect(script.take(Self.basic) == ["basic(it) 0"])
    }

    @Test func `an empty user and an empty password are a credential`() throws {
        var script = try AuthenticationScript("http://:@a.test/dir/page")
        _ = script.take(.start)
        _ = script.take(Self.basic)
        #expect(script.take(.drained) == ["send GET /dir/page + Basic Og=="])
    }

    // MARK: Of the caller

    @Test func `a field of the caller's own stays until an answer takes its place`() throws {
        var script = try AuthenticationScript(fields: [HTTPField("authorization", "Mine")])
        #expect(script.take(.start) == ["send GET /dir/page + Mine"])
        #expect(script.take(Self.basic) == ["basic(it) 0"])
        _ = script.take(.challengeAnswered(.use(AuthenticationScript.user)))
        #expect(script.take(.drained) == ["send GET /dir/page + Basic dXNlcjpwYXNz"])
    }

    // MARK: Of the store

    /// What a later load of the same client does with the shared memory.
    private func other(_ script: AuthenticationScript, _ url: String) throws -> AuthenticationScript {
        try AuthenticationScript(url, memory: script.memory)
    }

    private func admitted(_ challenge: LoadEvent, with credential: LoadCredential) throws -> AuthenticationScript {
        var script = try AuthenticationScript()
        _ = script.take(.start)
        _ = script.answer(challenge, with: credential)
        #expect(script.take(Self.ok) == ["response(200)"])
        return script
    }

    @Test func `a stored credential goes before a challenge only with paths that are as deep or deeper`() throws {
        let first = try admitted(Self.basic, with: AuthenticationScript.keeping)
        for (url, isSent) in [
            ("http://a.test/dir/other?q", true), ("http://a.test/dir/", true), ("http://a.test/dir/a/b", true),
            ("http://a.test/", false), ("http://a.test/dir", false), ("http://a.test/directory", false),
            ("http://a.test:81/dir/page", false), ("http://b.test/dir/page", false),
        ] {
            var next = try other(first, url)
            let sent = next.take(.start).first ?? ""
            #expect(sent.hasSuffix(" + Basic dXNlcjpwYXNz") == isSent, "\(url)")
        }
    }

    @Test func `one that is not kept is asked for again, and one that is kept is asked for where it was not sent`()
        throws
    {
        let first = try admitted(Self.basic, with: AuthenticationScript.user)
        var next = try other(first, "http://a.test/dir/page")
        #expect(next.take(.start) == ["send GET /dir/page"])
        #expect(next.take(Self.basic) == ["basic(it) 0"])
        let kept = try admitted(Self.basic, with: AuthenticationScript.keeping)
        var elsewhere = try other(kept, "http://a.test/elsewhere/page")
        #expect(elsewhere.take(.start) == ["send GET /elsewhere/page"])
        #expect(elsewhere.take(Self.basic) == ["basic(it) 0 user:pass"])
    }

    @Test func `a wrong one is not kept, and a kept one that is refused is forgotten`() throws {
        var wrong = try AuthenticationScript()
        _ = wrong.take(.start)
        _ = wrong.answer(Self.basic, with: AuthenticationScript.keeping)
        #expect(wrong.take(AuthenticationScript.reply(403)) == ["response(403)"])
        var next = try other(wrong, "http://a.test/dir/page")
        #expect(next.take(.start) == ["send GET /dir/page"])

        let kept = try admitted(Self.basic, with: AuthenticationScript.keeping)
        var refused = try other(kept, "http://a.test/dir/page")
        #expect(refused.take(.start) == ["send GET /dir/page + Basic dXNlcjpwYXNz"])
        #expect(refused.take(Self.basic) == ["basic(it) 1 user:pass"])
        #expect(refused.take(.challengeAnswered(.byDefault)) == ["response(401)"])
        var third = try other(refused, "http://a.test/dir/page")
        #expect(third.take(.start) == ["send GET /dir/page"])
        #expect(third.take(Self.basic) == ["basic(it) 0"])
    }

    @Test func `all loads of a client count the uses of a nonce together`() throws {
        let first = try admitted(Self.digest, with: AuthenticationScript.keeping)
        var second = try other(first, "http://a.test/x")
        #expect(second.take(.start) == ["send GET /x + Digest nonce=n nc=00000002 qop=auth uri=/x"])
        var third = try other(second, "http://a.test/y")
        #expect(third.take(.start) == ["send GET /y + Digest nonce=n nc=00000003 qop=auth uri=/y"])
        let stale = AuthenticationScript.unauthorized(AuthenticationScript.digest("o", "qop=\"auth\", stale=true"))
        #expect(third.take(stale) == ["drain"])
        #expect(third.take(.drained) == ["send GET /y + Digest nonce=o nc=00000001 qop=auth uri=/y"])
        var fourth = try other(third, "http://a.test/z")
        #expect(fourth.take(.start) == ["send GET /z + Digest nonce=o nc=00000002 qop=auth uri=/z"])
    }

    @Test(arguments: [
        ("/a /b/", "/a", true), ("/a /b/", "/a/c", true), ("/a /b/", "/ab", false), ("/a /b/", "/b/c", true),
        ("/a /b/", "/c", false), ("http://a.test/a", "/a", true), ("http://a.test:81/a", "/a", false),
        ("http://b.test/", "/a", false), ("/a", "/dir/page", true),
    ])
    func `the domain of Digest says where it goes`(domain: String, path: String, isSent: Bool) throws {
        let challenge = AuthenticationScript.unauthorized(
            AuthenticationScript.digest("n", "qop=\"auth\", domain=\"\(domain)\""))
        var next = try other(try admitted(challenge, with: AuthenticationScript.keeping), "http://a.test\(path)")
        #expect(next.take(.start).first?.contains("Digest") == isSent)
        var elsewhere = try other(try admitted(challenge, with: AuthenticationScript.keeping), "http://b.test/a")
        #expect(elsewhere.take(.start) == ["send GET /a"])
    }

    @Test func `a load without access to the storage neither proposes nor sends stored credentials`() throws {
        let kept = try admitted(Self.basic, with: AuthenticationScript.keeping)
        var script = try other(kept, "http://a.test/dir/page")
        #expect(script.take(.storageAnswered(isUsed: false)) == [])
        #expect(script.take(.start) == ["send GET /dir/page"])
        #expect(script.take(Self.basic) == ["basic(it) 0"])
        #expect(script.take(.challengeAnswered(.byDefault)) == ["response(401)"])
    }

    @Test func `a permanent credential is there for every client of the process`() throws {
        let realm = "of permanence"
        let space = LoadChallenge.ProtectionSpace(
            kind: "basic", origin: Origin(scheme: .http, host: "a.test", port: 80), realm: realm)
        defer { ReferenceCredentialStore.process.remove(for: space) }
        let challenge = AuthenticationScript.unauthorized("Basic realm=\"\(realm)\"")
        var keeping = AuthenticationScript.keeping
        keeping.persistence = .permanent
        _ = try admitted(challenge, with: keeping)
        var other = try AuthenticationScript(
            memory: AuthenticationMemory(stores: [ReferenceCredentialStore(), .process]))
        _ = other.take(.start)
        #expect(other.take(challenge) == ["basic(\(realm)) 0 user:pass"])
    }

    // MARK: Redirects

    private func redirected(to url: String) throws -> AuthenticationScript {
        var script = try AuthenticationScript()
        _ = script.take(.start)
        _ = script.answer(Self.basic, with: AuthenticationScript.user)
        _ = script.take(AuthenticationScript.reply(302, "Location: \(url)"))
        _ = script.take(.redirectAnswered(ClientRequest(url: try ClientURL(url))))
        return script
    }

    @Test func `a credential follows a redirect within its space`() throws {
        var script = try redirected(to: "http://a.test/dir/other")
        #expect(script.take(.drained) == ["send GET /dir/other + Basic dXNlcjpwYXNz"])
    }

    @Test func `outside of it the same space is served in silence once it asks, and another one asks`() throws {
        var script = try redirected(to: "http://a.test/away")
        #expect(script.take(.drained) == ["send GET /away"])
        #expect(script.take(Self.basic) == ["drain"])
        #expect(script.take(.drained) == ["send GET /away + Basic dXNlcjpwYXNz"])
        #expect(script.take(Self.basic) == ["basic(it) 1 user:pass"])
        var another = try redirected(to: "http://a.test/away")
        _ = another.take(.drained)
        #expect(another.take(AuthenticationScript.unauthorized("Basic realm=other")) == ["basic(other) 0"])
    }

    @Test func `another origin is sent nothing, and asked about anew when it asks`() throws {
        var script = try redirected(to: "http://b.test/dir/page")
        #expect(script.take(.drained) == ["send GET /dir/page"])
        #expect(script.take(Self.basic) == ["basic(it) 0"])
        var changed = try redirected(to: "http://a.test:81/dir/page")
        #expect(changed.take(.drained) == ["send GET /dir/page"])
    }
}
