import ProctorHTTP
import ProctorHTTPClient
import Testing

@testable import ProctorReference

/// Nonces, their counts, and what a server proves (RFC 7616 §3.4, §3.5).
struct LoaderDigestTests {
    private static func challenge(_ nonce: String, _ more: String = "qop=\"auth\"") -> LoadEvent {
        AuthenticationScript.unauthorized(AuthenticationScript.digest(nonce, more))
    }

    private static func sent(_ nonce: String, _ count: Int) -> String {
        "send GET /dir/page + Digest nonce=\(nonce) nc=0000000\(count) qop=auth uri=/dir/page"
    }

    private func admitted(_ nonce: String = "n") throws -> AuthenticationScript {
        var script = try AuthenticationScript()
        _ = script.take(.start)
        #expect(
            script.answer(Self.challenge(nonce), with: AuthenticationScript.user)
                == ["digest(it) 0", "drain", Self.sent(nonce, 1)])
        return script
    }

    // MARK: What the server proves

    private static func proof(_ nonce: String = "n") throws -> String {
        let challenge = try #require(
            ChallengeReader([Array(AuthenticationScript.digest(nonce).utf8)]).challenges.first.flatMap {
                DigestChallenge($0)
            })
        let answer = DigestAnswer(
            to: challenge, user: "user", password: "pass", method: "GET", target: Array("/dir/page".utf8),
            quality: .authentication, nonceCount: 1, clientNonce: "mine")
        return String(
            decoding: answer.responseAuthentication(content: [], by: AuthenticationMemory.none.hasher), as: UTF8.self)
    }

    @Test func `a server that proves its knowledge is heard`() throws {
        let proof = try Self.proof()
        for info in [
            "rspauth=\"\(proof)\"", "qop=auth, rspauth=\"\(proof)\", cnonce=\"mine\", nc=00000001", "nc=00000001",
            "qop=auth-int, rspauth=\"00000000000000000000000000000000\"", "",
        ] {
            var script = try admitted()
            let reply = AuthenticationScript.reply(200, "Authentication-Info: \(info)")
            #expect(script.take(reply) == ["response(200)"], "\(info)")
        }
    }

    @Test func `a server whose proof does not match the password fails the load`() throws {
        let proof = try Self.proof()
        for info in [
            "rspauth=\"00000000000000000000000000000000\"", "qop=auth, rspauth=\"\"",
            "rspauth=\"\(proof)\", cnonce=\"another\"", "rspauth=\"\(proof)\", nc=00000002",
        ] {
            var script = try admitted()
            let reply = AuthenticationScript.reply(200, "Authentication-Info: \(info)")
            #expect(script.take(reply) == ["abort", "metrics 2", "complete(badServerResponse)"], "\(info)")
        }
    }

    // MARK: The example of the RFC

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the answer of RFC 7616 §3.9.1 comes out`(algorithm: String, response: String) throws {
        let memory = AuthenticationMemory(makeClientNonce: { "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" })
        var loader = Loader(ClientRequest(url: try ClientURL("http://www.example.org/dir/index.html")))
        var known = memory
        _ = loader.handle(.start, knowing: &known)
        let challenge = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        _ = loader.handle(AuthenticationScript.unauthorized(challenge), knowing: &known)
        let mufasa = LoadCredential(user: "Mufasa", password: "Circle of Life")
        _ = loader.handle(.challengeAnswered(.use(mufasa)), knowing: &known)
        let actions = loader.handle(.drained, knowing: &known)
        guard case .send(let request, _)? = actions.first else {
            Issue.record("nothing is sent: \(actions)")
            return
        }
        let credentials = Credentials(try #require(request.fields.first(named: "Authorization")?.bytes))
        #expect(credentials["response"] == response)
        #expect(credentials["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
        #expect(credentials["qop"] == "auth")
        #expect(credentials["nc"] == "00000001")
    }

    @Test func `the nonce of a session algorithm stays the client's own as long as the server's stays`() throws {
        let numbers = Counting()
        var script = try AuthenticationScript(memory: AuthenticationMemory(makeClientNonce: { "c\(numbers.next())" }))
        _ = script.take(.start)
        let challenge = AuthenticationScript.digest("n", "qop=\"auth\", algorithm=SHA-256-sess")
        _ = script.answer(AuthenticationScript.unauthorized(challenge), with: AuthenticationScript.user)
        let again = ClientRequest(url: try ClientURL("http://a.test/dir/page"))
        for _ in 0..<2 {
            _ = script.take(AuthenticationScript.reply(302, "Location: /dir/page"))
            _ = script.take(.redirectAnswered(again))
            _ = script.take(.drained)
        }
        #expect(numbers.next() == 2)
    }

    @Test func `a session keeps its secret when the server names the next nonce`() throws {
        let numbers = Counting()
        var memory = AuthenticationMemory(makeClientNonce: { "c\(numbers.next())" })
        var loader = Loader(ClientRequest(url: try ClientURL("http://a.test/dir/page")))
        let text = AuthenticationScript.digest("n", "qop=\"auth\", algorithm=MD5-sess")
        for event in [
            .start, AuthenticationScript.unauthorized(text), .challengeAnswered(.use(AuthenticationScript.user)),
            .drained, AuthenticationScript.reply(302, "Location: /dir/page", "Authentication-Info: nextnonce=\"o\""),
            .redirectAnswered(ClientRequest(url: try ClientURL("http://a.test/dir/page"))),
        ] as [LoadEvent] { _ = loader.handle(event, knowing: &memory) }
        guard case .send(let request, _)? = loader.handle(.drained, knowing: &memory).first else {
            Issue.record("nothing is sent")
            return
        }
        let sent = Credentials(try #require(request.fields.first(named: "Authorization")?.bytes))
        var challenge = try #require(
            ChallengeReader([Array(text.utf8)]).challenges.first.flatMap { DigestChallenge($0) })
        let first = challenge.nonce
        challenge.nonce = Array("o".utf8)
        let expected = DigestAnswer(
            to: challenge, user: "user", password: "pass", method: "GET", target: Array("/dir/page".utf8),
            quality: .authentication, nonceCount: 1, clientNonce: "c1", sessionNonces: (first, "c1"))
        #expect(sent["nonce"] == "o")
        #expect(sent["response"] == expected.credentials(by: memory.hasher)["response"])
    }

    @Test func `client nonces are long and never the same`() {
        let nonces = Set((0..<100).map { _ in AuthenticationMemory.randomNonce() })
        #expect(nonces.count == 100)
        #expect(nonces.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    private struct WithoutMD5: DigestHasher {
        func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
            if function != .md5 { AuthenticationMemory.none.hasher.appendHash(function, of: bytes, to: &output) }
        }
    }

    @Test func `a Digest with a hash that this system lacks is ignored`() throws {
        let md5 = AuthenticationScript.digest("m", "qop=\"auth\", algorithm=MD5")
        let sha256 = AuthenticationScript.digest("s", realm: "sha", "qop=\"auth\", algorithm=SHA-256")
        let basic = AuthenticationScript.basic
        for (challenges, expected) in [
            ([md5, basic], "basic(it) 0"), ([md5, sha256, basic], "digest(sha) 0"),
            ([md5], "response(401)"),
        ] {
            var script = try AuthenticationScript(memory: AuthenticationMemory(hasher: WithoutMD5()))
            _ = script.take(.start)
            #expect(script.take(AuthenticationScript.unauthorized(challenges.joined(separator: ", "))) == [expected])
        }
    }
}
