import ProctorHTTP
import Testing

@testable import ProctorReference

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

    @Test func `a handshake asks one thing after the other, and then HTTP goes on`() throws {
        var loader = try Self.sending()
        _ = loader.handle(.handshakeAsks(Self.good))
        _ = loader.handle(.challengeAnswered(.byDefault))
        #expect(loader.handle(.handshakeAsks(Self.who)).map(LoaderScript.text) == ["challenge(clientCert)"])
        #expect(loader.handle(.challengeAnswered(.byDefault)).map(LoaderScript.text) == ["identify by default"])
        let head = try #require(LoaderScript.head("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"))
        #expect(loader.handle(.head(head)).map(LoaderScript.text) == ["response(200)"])
    }

    @Test(arguments: [LoadEvent.cancel, .timedOut, .failed(ExchangeFailure(LoadError(.connectionLost, "gone")))])
    func `a load that ends while it is asked withdraws the question first`(end: LoadEvent) throws {
        var loader = try Self.sending()
        _ = loader.handle(.handshakeAsks(Self.bad))
        let actions = loader.handle(end).map(LoaderScript.text)
        #expect(actions.prefix(3) == ["abort", "challengeCancelled", "metrics 1"])
        #expect(loader.isEnded)
    }

    @Test func `who has to resolve trust itself asks nobody`() throws {
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
        let actions = loader.handle(.failed(ExchangeFailure(error))).map(LoaderScript.text)
        #expect(actions == ["abort", "metrics 1", "complete(serverCertificateHasBadDate)"])
    }

    private static func sending(_ policy: LoaderPolicy = LoaderPolicy()) throws -> Loader {
        var loader = Loader(ClientRequest(url: try ClientURL("https://127.0.0.1:8443/a")), policy: policy)
        #expect(loader.handle(.start).map(LoaderScript.text) == ["send GET /a"])
        return loader
    }
}
