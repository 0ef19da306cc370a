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

    @Test func `the proxy's credential goes with CONNECT and never into the tunnel`() throws {
        var script = try script()
        #expect(script.take(.tunnelNeeded) == ["CONNECT a.test:443"])
        #expect(script.take(Self.refused(407, "Proxy-Authenticate: Basic realm=it")) == ["proxyBasic(it) 0"])
        #expect(script.take(.challengeAnswered(.use(AuthenticationScript.user))) == ["drain"])
        #expect(script.take(.drained) == ["send GET /dir/page"])
        #expect(script.take(.tunnelNeeded) == ["CONNECT a.test:443 + Basic dXNlcjpwYXNz"])
        #expect(script.take(Self.opened()) == [])
        #expect(script.take(AuthenticationScript.reply(200)) == ["response(200)"])
    }

    @Test func `Digest is computed of CONNECT, with host and port as its URI`() throws {
        var script = try script()
        _ = script.take(.tunnelNeeded)
        _ = script.take(Self.refused(407, "Proxy-Authenticate: \(AuthenticationScript.digest("n"))"))
        _ = script.take(.challengeAnswered(.use(AuthenticationScript.user)))
        _ = script.take(.drained)
        let text = script.take(.tunnelNeeded).first ?? ""
        let credentials = Credentials(Array(text.utf8.drop { $0 != UInt8(ascii: "+") }.dropFirst(2)))
        #expect(credentials["uri"] == "a.test:443")
        #expect(credentials["nc"] == "00000001")
        // By python's hashlib, of user:it:pass and CONNECT:a.test:443.
        #expect(credentials["response"] == "f8da0718974d28e10ab915e56a56f56c")
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

    @Test func `a 407 that comes through the tunnel is a response as any other`() throws {
        var script = try script()
        _ = script.take(.tunnelNeeded)
        _ = script.take(Self.opened())
        #expect(
            script.take(AuthenticationScript.reply(407, "Proxy-Authenticate: Basic realm=it")) == ["response(407)"])
    }

    @Test func `a 401 of the proxy is no question about the origin's credential`() throws {
        var script = try script()
        _ = script.take(.tunnelNeeded)
        #expect(
            script.take(Self.refused(401, "WWW-Authenticate: Basic realm=it")) == [
                "abort", "metrics 1", "complete(cannotConnect)",
            ])
    }

    @Test func `of the caller's fields the proxy is told its own and who asks`() throws {
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
        let failure = ExchangeFailure(lost, mayBeRetried: true, isUnsent: true)
        guard case .send(let again, onNewConnection: true)? = loader.handle(.failed(failure)).first else {
            Issue.record("it was not repeated")
            return
        }
        #expect(again.body == .stream(stream))
        #expect(loader.handle(.failed(failure)).last == .tell(.complete(lost)))
    }

    @Test func `without a proxy nobody is asked for a tunnel`() throws {
        var script = try AuthenticationScript(Self.url)
        _ = script.take(.start)
        #expect(script.take(.tunnelNeeded) == [])
    }
}
