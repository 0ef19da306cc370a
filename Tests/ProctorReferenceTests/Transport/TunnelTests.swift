import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// CONNECT over sockets: what is asked, which tunnels are shared, and every way in which there is none (RFC 9110 §9.3.6).
@Suite(.limit(minutes: 5))
struct TunnelTests {
    @Test(arguments: [
        ("https://home.example.org./", "home.example.org.:443", "home.example.org"),
        ("https://HOME.example.org:8443/", "home.example.org:8443", "home.example.org"),
        ("https://127.0.0.1:8443/", "127.0.0.1:8443", nil),
    ])
    func `the target has host and port, and server_name the name without its last dot`(
        url: String, target: String, name: String?
    ) async throws {
        try await TunnelBench.run { bench in
            let host = try await bench.load(url)
            #expect(host.text == "page")
            #expect(bench.lines == ["CONNECT \(target) HTTP/1.1"])
            #expect(bench.serverNames.withLock { $0 } == [name])
        }
    }

    // MARK: None

    @Test func `a cancelled transfer closes the connection that was to be a tunnel`() async throws {
        let hasAsked = Moment()
        try await TunnelBench.run { _, peer in
            hasAsked.come()
            try await peer.wait()
            return .init(leaves: true)
        } _: { bench in
            let host = RecordingHost()
            async let loaded = bench.load(for: host)
            await hasAsked.wait()
            host.transfer?.cancel()
            let events = try await loaded.events
            #expect(events == [])
            #expect(bench.bench.pool.connections.isEmpty)
        }
    }

    @Test func `a stream is not opened before there is a tunnel to send it by`() async throws {
        let stream = BodyStream(Array("content".utf8))
        try await TunnelBench.run { _, _ in
            .init(text: "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
        } _: { bench in
            _ = try await bench.load(method: "POST", body: .stream(stream), for: RecordingHost(step: { _ in .drain }))
            #expect(stream.open())
        }
    }
}

/// A proxy that asks before it makes a tunnel, and what sessions hear of it.
@Suite(.limit(minutes: 5))
struct TunnelChallengeTests {
    private static let refusal = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=way\r\nContent-Length: 2\r\n"

    /// Lets in x:y.
    private static func guarded(_ fields: String = "", keeps: Bool = true) -> TunnelBench.Script {
        { head, _ in
            head.contains("Proxy-Authorization: Basic eDp5\r\n")
                ? .init() : .init(text: refusal + fields + "\r\nno", keeps: keeps)
        }
    }

    private static let knowing: LogDelegate.Script = {
        var script = LogDelegate.Script()
        script.onChallenge = [.use(LoadCredential(user: "x", password: "y")), .byDefault, .byDefault]
        return script
    }()

    private func load(
        _ bench: TunnelBench, _ script: LogDelegate.Script = knowing, _ request: ClientRequest? = nil
    ) async throws -> LogDelegate {
        let delegate = LogDelegate(script)
        let session = try ReferenceSession(configuration: try await bench.configuration(), delegate: delegate)
        let request = try request ?? ClientRequest(url: try ClientURL("https://home.example.org/page"))
        session.dataTask(with: request).resume()
        await delegate.log.wait(for: "complete")
        session.finishTasksAndInvalidate()
        await session.ended()
        return delegate
    }

    @Test func `a stream that was not begun is sent once there is a tunnel, and no other is asked for`() async throws {
        let sent = Locked("")
        try await TunnelBench.run(
            Self.guarded(),
            inside: { peer in
                guard let request = try await peer.request() else { return }
                sent.withLock { $0 = request.body }
                try await peer.send(reply(200, "page"))
            }
        ) { bench in
            let request = ClientRequest(
                method: "POST", url: try ClientURL("https://home.example.org/page"),
                body: .stream(BodyStream(Array("streamed".utf8))))
            let delegate = try await load(bench, Self.knowing, request)
            #expect(
                delegate.log.folded == [
                    "created", "challenge proxyBasic 0", "challenge serverTrust 0", "bodySent", "response 200", "data",
                    "metrics 2", "complete ok", "sessionInvalid",
                ])
            #expect(sent.withLock { $0 } == "streamed")
        }
    }

    @Test func `addresses of loopback are asked themselves where the proxy is to spare them`() async throws {
        try await TunnelBench.run { head, _ in
            .init(text: reply(200, head.hasPrefix("GET /own ") ? "own" : "proxied"))
        } _: { bench in
            var configuration = try await bench.configuration()
            configuration.sparesLoopback = true
            let session = try ReferenceSession(configuration: configuration)
            let own = try ClientURL("http://\(bench.bench.server.address)/own")
            #expect(try await session.data(for: ClientRequest(url: own)).0 == Array("own".utf8))
            let named = try ClientURL("http://home.example.org/own")
            #expect(try await session.data(for: ClientRequest(url: named)).0 == Array("proxied".utf8))
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }
}
