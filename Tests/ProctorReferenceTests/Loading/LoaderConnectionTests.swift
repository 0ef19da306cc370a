import ProctorHTTP
import Testing

@testable import ProctorReference

/// What a load says to a proxy that is to make a tunnel, event by event.
struct LoaderTunnelTests {
    private static let policy = LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 3128))
    private static let url = "https://a.test/dir/page"

    private static func refused(_ status: Int, _ lines: String...) -> LoadEvent {
        let text = (["HTTP/1.1 \(status) X", "Content-Length: 0"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return LoaderScript.head(text, to: "CONNECT").map(LoadEvent.tunnelRefused) ?? .cancel
    }

    private static func opened(_ lines: String...) -> LoadEvent {
        let text = (["HTTP/1.1 200 X"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return LoaderScript.head(text, to: "CONNECT").map(LoadEvent.tunnelOpened) ?? .cancel
    }

    private func script(_ fields: [HTTPField] = []) throws -> AuthenticationScript {
        var script = try AuthenticationScript(Self.url, fields: fields, policy: Self.policy)
        #expect(script.take(.start).count == 1)
        return script
    }

    @Test func `a stale nonce of the proxy is renewed in silence`() throws {
        var script = try script()
        _ = script.take(.tunnelNeeded)
        _ = script.take(Self.refused(407, "Proxy-Authenticate: \(AuthenticationScript.digest("n"))"))
        _ = script.take(.challengeAnswered(.use(AuthenticationScript.user)))
        _ = script.take(.drained)
        _ = script.take(.tunnelNeeded)
        let stale = AuthenticationScript.digest("m", "qop=\"auth\", stale=true")
        #expect(script.take(Self.refused(407, "Proxy-Authenticate: \(stale)")) == ["drain"])
        _ = script.take(.drained)
        #expect(script.take(.tunnelNeeded).first?.contains("nonce=\"m\"") == true)
    }

    @Test func `a proof in the 2xx that is not the proxy's ends the load`() throws {
        var script = try script()
        _ = script.take(.tunnelNeeded)
        _ = script.take(Self.refused(407, "Proxy-Authenticate: \(AuthenticationScript.digest("n"))"))
        _ = script.take(.challengeAnswered(.use(AuthenticationScript.user)))
        _ = script.take(.drained)
        _ = script.take(.tunnelNeeded)
        let event = Self.opened("Proxy-Authentication-Info: rspauth=\"00\", qop=auth, nc=00000001, cnonce=\"mine\"")
        #expect(script.take(event) == ["abort", "metrics 2", "complete(badServerResponse)"])
    }

    @Test func `of the caller's fields a CONNECT has only Proxy-Authorization and User-Agent`() throws {
        var loader = Loader(
            ClientRequest(
                url: try ClientURL(Self.url),
                fields: [
                    HTTPField("Authorization", "Basic YTpi"), HTTPField("User-Agent", "me"), HTTPField("Cookie", "a=b"),
                    HTTPField("proxy-authorization", "Basic eDp5"),
                ]), policy: Self.policy)
        _ = loader.handle(.start)
        guard case .openTunnel(let asked)? = loader.handle(.tunnelNeeded).first else {
            Issue.record("no tunnel was asked for")
            return
        }
        #expect(asked.fields.map(\.name) == ["User-Agent", "proxy-authorization"])
        #expect(asked.body == .none)
    }

    @Test func `what was not sent is repeated whatever its method, and with the same content`() throws {
        let stream = BodyStream([1])
        var loader = Loader(
            ClientRequest(method: "POST", url: try ClientURL(Self.url), body: .stream(stream)), policy: Self.policy)
        _ = loader.handle(.start)
        let lost = LoadError(.connectionLost, "gone")
        let failure = TransferFailure(lost, mayBeRetried: true, isUnsent: true)
        guard case .send(let again, onNewConnection: true)? = loader.handle(.failed(failure)).first else {
            Issue.record("it was not repeated")
            return
        }
        #expect(again.body == .stream(stream))
        #expect(loader.handle(.failed(failure)).last == .tell(.complete(lost)))
    }

    @Test func `without a proxy no tunnel is requested`() throws {
        var script = try AuthenticationScript(Self.url)
        _ = script.take(.start)
        #expect(script.take(.tunnelNeeded) == [])
    }
}

/// What a handshake asks, who is asked, and what comes of each answer (R18, R20).
struct LoaderSecuringTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let question: LoadChallenge
        let answer: LoadEvent.ChallengeAnswer
        let actions: [String]
        var testDescription: String { "\(question.space.kind), \(answer)" }
    }

    private static let origin = Origin(scheme: .https, host: "127.0.0.1", port: 8443)
    private static let good = LoadChallenge(ServerTrust(isTrusted: true, host: "127.0.0.1"), at: origin)
    private static let bad = LoadChallenge(
        ServerTrust(
            isTrusted: false, reason: "certificate has expired", errorKind: .serverCertificateHasBadDate,
            host: "127.0.0.1"), at: origin)
    private static let who = LoadChallenge(acceptableIssuers: [[0x30, 0]], at: origin)
    private static let identity = LoadIdentity(chain: [[1]], key: [2, 3])
    private static let credential = LoadCredential(user: "u", password: "p")
    private static let cancelled = ["abort", "metrics 1", "complete(cancelled)"]

    static let rows = [
        Row(question: good, answer: .byDefault, actions: ["trust"]),
        Row(question: good, answer: .trust, actions: ["trust"]),
        Row(question: good, answer: .goOnWithout, actions: ["trust"]),
        Row(question: good, answer: .use(credential), actions: ["trust"]),
        Row(question: good, answer: .identify(identity), actions: ["trust"]),
        Row(question: good, answer: .cancel, actions: cancelled),
        Row(question: good, answer: .reject, actions: cancelled),
        Row(question: bad, answer: .byDefault, actions: ["distrust"]),
        Row(question: bad, answer: .trust, actions: ["trust"]),
        Row(question: bad, answer: .goOnWithout, actions: ["distrust"]),
        Row(question: bad, answer: .use(credential), actions: ["distrust"]),
        Row(question: bad, answer: .identify(identity), actions: ["distrust"]),
        Row(question: bad, answer: .cancel, actions: cancelled),
        Row(question: who, answer: .byDefault, actions: ["identify by default"]),
        Row(question: who, answer: .identify(identity), actions: ["identify 2"]),
        Row(question: who, answer: .trust, actions: ["stay anonymous"]),
        Row(question: who, answer: .use(credential), actions: ["stay anonymous"]),
        Row(question: who, answer: .goOnWithout, actions: ["stay anonymous"]),
        Row(question: who, answer: .reject, actions: ["stay anonymous"]),
        Row(question: who, answer: .cancel, actions: cancelled),
    ]

    @Test(arguments: rows) func `each answer has its way on`(row: Row) throws {
        var loader = try Self.sending()
        #expect(
            loader.handle(.handshakeAsks(row.question)).map(LoaderScript.text) == [
                "challenge(\(row.question.space.kind))"
            ])
        #expect(loader.handle(.challengeAnswered(row.answer)).map(LoaderScript.text) == row.actions)
        // The second answer is to nothing.
        #expect(loader.handle(.challengeAnswered(.trust)) == [])
    }

    @Test func `a handshake asks one question after the other, and then HTTP continues`() throws {
        var loader = try Self.sending()
        _ = loader.handle(.handshakeAsks(Self.good))
        _ = loader.handle(.challengeAnswered(.byDefault))
        #expect(loader.handle(.handshakeAsks(Self.who)).map(LoaderScript.text) == ["challenge(clientCert)"])
        #expect(loader.handle(.challengeAnswered(.byDefault)).map(LoaderScript.text) == ["identify by default"])
        let head = try #require(LoaderScript.head("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"))
        #expect(loader.handle(.head(head)).map(LoaderScript.text) == ["response(200)"])
    }

    @Test(arguments: [LoadEvent.cancel, .timedOut, .failed(TransferFailure(LoadError(.connectionLost, "gone")))])
    func `a load that ends while it is asked withdraws the question first`(end: LoadEvent) throws {
        var loader = try Self.sending()
        _ = loader.handle(.handshakeAsks(Self.bad))
        let actions = loader.handle(end).map(LoaderScript.text)
        #expect(actions.prefix(3) == ["abort", "challengeCancelled", "metrics 1"])
        #expect(loader.isEnded)
    }

    @Test func `a shape that must decide about trust itself asks no client`() throws {
        var loader = try Self.sending(LoaderPolicy(resolvesTrustItself: true))
        #expect(loader.handle(.handshakeAsks(Self.good)).map(LoaderScript.text) == ["trust"])
        #expect(loader.handle(.handshakeAsks(Self.bad)).map(LoaderScript.text) == ["distrust"])
        #expect(loader.handle(.handshakeAsks(Self.who)).map(LoaderScript.text) == ["identify by default"])
    }

    @Test func `a server that is not trusted is no reason to try again`() throws {
        var loader = try Self.sending()
        _ = loader.handle(.handshakeAsks(Self.bad))
        _ = loader.handle(.challengeAnswered(.byDefault))
        let error = LoadError(.serverCertificateHasBadDate, "expired")
        let actions = loader.handle(.failed(TransferFailure(error))).map(LoaderScript.text)
        #expect(actions == ["abort", "metrics 1", "complete(serverCertificateHasBadDate)"])
    }

    private static func sending(_ policy: LoaderPolicy = LoaderPolicy()) throws -> Loader {
        var loader = Loader(ClientRequest(url: try ClientURL("https://127.0.0.1:8443/a")), policy: policy)
        #expect(loader.handle(.start).map(LoaderScript.text) == ["send GET /a"])
        return loader
    }
}
