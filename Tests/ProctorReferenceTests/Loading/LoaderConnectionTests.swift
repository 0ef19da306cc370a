import ProctorHTTP
import Testing

@testable import ProctorReference

/// What a load says to a proxy that is to make a tunnel, event by event.
struct LoaderTunnelTests {
    private static let policy = LoaderPolicy(proxy: Origin(scheme: .http, host: "p.test", port: 3128))
    private static let url = "https://a.test/dir/page"

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
}

/// What a handshake asks, who is asked, and what comes of each answer (R18, R20).
struct LoaderSecuringTests {
    private static let origin = Origin(scheme: .https, host: "127.0.0.1", port: 8443)
    private static let bad = LoadChallenge(
        ServerTrust(
            isTrusted: false, reason: "certificate has expired", errorKind: .serverCertificateHasBadDate,
            host: "127.0.0.1"), at: origin)

    @Test(arguments: [LoadEvent.cancel, .timedOut, .failed(TransferFailure(LoadError(.connectionLost, "gone")))])
    func `a load that ends while it is asked withdraws the question first`(end: LoadEvent) throws {
        var loader = try Self.sending()
        _ = loader.handle(.handshakeAsks(Self.bad))
        let actions = loader.handle(end).map(LoaderScript.text)
        #expect(actions.prefix(3) == ["abort", "challengeCancelled", "metrics 1"])
        #expect(loader.isEnded)
    }

    private static func sending(_ policy: LoaderPolicy = LoaderPolicy()) throws -> Loader {
        var loader = Loader(ClientRequest(url: try ClientURL("https://127.0.0.1:8443/a")), policy: policy)
        #expect(loader.handle(.start).map(LoaderScript.text) == ["send GET /a"])
        return loader
    }
}
