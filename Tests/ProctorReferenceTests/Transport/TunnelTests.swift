import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// CONNECT over sockets: what is asked, which tunnels are shared, and every way in which there is none (RFC 9110 §9.3.6).
@Suite(.limit(minutes: 5))
struct TunnelTests {
    @Test func `the proxy is told host and port alone, and the origin all the rest`() async throws {
        let inside = Locked("")
        try await TunnelBench.run(inside: { peer in
            let head = try await peer.head()
            inside.withLock { $0 = head }
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage")
        }) { bench in
            let host = RecordingHost()
            host.tunnelFields = [HTTPField("Proxy-Authorization", "Basic eDp5")]
            let loaded = try await bench.load(
                fields: [
                    HTTPField("Cookie", "a=b"), HTTPField("Authorization", "Basic YTpi"),
                    HTTPField("Proxy-Authorization", "Basic eDp5"), HTTPField("Via", "1.1 me"),
                ], for: host)
            #expect(loaded.summary == ["opened 200", "200", "content", "ended"])
            #expect(loaded.challenges.map(\.space.origin.description) == ["https://home.example.org"])
            #expect(
                bench.heads.withLock { $0 } == [
                    "CONNECT home.example.org:443 HTTP/1.1\r\nHost: home.example.org:443\r\n"
                        + "Proxy-Authorization: Basic eDp5\r\n\r\n"
                ])
            #expect(
                inside.withLock { $0 }
                    == "GET /page HTTP/1.1\r\nHost: home.example.org\r\nCookie: a=b\r\nAuthorization: Basic YTpi\r\n"
                    + "Via: 1.1 me\r\n\r\n")
        }
    }

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

    @Test func `a tunnel is kept for its origin, and no other origin comes through it`() async throws {
        try await TunnelBench.run { bench in
            var numbers: [Int?] = []
            for url in ["home", "home", "sibling", "home"].map({ "https://\($0).example.org/" }) {
                let host = try await bench.load(url)
                #expect(host.text == "page")
                numbers.append(host.transfer?.connectionNumber)
            }
            #expect(numbers == [1, 1, 2, 1])
            let ports = try await bench.load("https://home.example.org:8443/")
            #expect(ports.transfer?.connectionNumber == 3)
            #expect(
                bench.lines == [
                    "CONNECT home.example.org:443 HTTP/1.1", "CONNECT sibling.example.org:443 HTTP/1.1",
                    "CONNECT home.example.org:8443 HTTP/1.1",
                ])
            let broken = try await bench.load("https://sibling.example.org:8443/", fault: .sharesTunnels)
            #expect(broken.text == "page")
            #expect(bench.lines.count == 3)
        }
    }

    @Test func `plain requests of the same client go to the proxy whole, over connections of their own`() async throws {
        try await TunnelBench.run { head, _ in
            head.hasPrefix("CONNECT")
                ? .init() : .init(text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", keeps: true)
        } _: { bench in
            _ = try await bench.load()
            let plain = try await bench.load("http://home.example.org:8080/a?b")
            #expect(plain.summary == ["200", "ended"])
            let again = try await bench.load("http://sibling.example.org/c")
            #expect(again.transfer?.connectionNumber == plain.transfer?.connectionNumber)
            #expect(
                bench.lines == [
                    "CONNECT home.example.org:443 HTTP/1.1", "GET http://home.example.org:8080/a?b HTTP/1.1",
                    "GET http://sibling.example.org/c HTTP/1.1",
                ])
            let broken = try await bench.load("http://home.example.org/d", fault: .sendsOriginFormToProxy)
            #expect(broken.summary == ["200", "ended"])
            #expect(bench.lines.last == "GET /d HTTP/1.1")
        }
    }

    @Test func `lengths and codings of a 2xx to CONNECT are nothing, as interim heads before it`() async throws {
        try await TunnelBench.run { _, peer in
            try await peer.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            return .init(text: "HTTP/1.1 204 Made\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n")
        } _: { bench in
            let host = try await bench.load()
            #expect(host.summary == ["opened 204", "200", "content", "ended"])
        }
    }

    // MARK: None

    @Test(arguments: [403, 407, 502, 503, 301, 401, 101])
    func `a refused tunnel is told of, and what the proxy says is no reply of the origin`(status: Int) async throws {
        try await TunnelBench.run { _, _ in
            let fields = "Upgrade: x\r\nContent-Length: 2\r\nLocation: http://evil.test/\r\n"
            return .init(text: "HTTP/1.1 \(status) No\r\n\(fields)\r\nno", keeps: true)
        } _: { bench in
            let host = try await bench.load(for: RecordingHost(step: { _ in .drain }))
            #expect(host.summary == ["refused \(status)", "drained"])
            #expect(host.challenges.isEmpty)
            // What is left of it is out of the way, and the next try may come over the same connection.
            let again = try await bench.load(for: RecordingHost(step: { _ in .drain }))
            #expect(bench.bench.server.connectionCount == (status == 101 ? 2 : 1))
            #expect(again.summary == host.summary)
        }
    }

    struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: TunnelBench.Answer
        let kind: LoadError.Kind
        let word: String
    }

    @Test(arguments: [
        Cut(
            testDescription: "no reply", answer: .init(text: "", leaves: true), kind: .connectionLost,
            word: "CONNECT home.example.org:443"),
        Cut(
            testDescription: "half a head", answer: .init(text: "HTTP/1.1 200 Conn", leaves: true),
            kind: .connectionLost, word: "CONNECT home.example.org:443"),
        Cut(
            testDescription: "no HTTP", answer: .init(text: "SSH-2.0-OpenSSH_9\r\n", leaves: true),
            kind: .cannotParseResponse, word: "CONNECT home.example.org:443"),
        Cut(
            testDescription: "bytes behind the head",
            answer: .init(text: "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", leaves: true),
            kind: .secureConnectionFailed, word: "19 bytes"),
        Cut(
            testDescription: "an end before the handshake",
            answer: .init(text: "HTTP/1.1 200 OK\r\n\r\n", leaves: true), kind: .secureConnectionFailed,
            word: "before the TLS handshake was complete"),
    ])
    func `a tunnel that is cut fails the load, and says where`(cut: Cut) async throws {
        try await TunnelBench.run { _, _ in
            cut.answer
        } _: { bench in
            let host = try await bench.load()
            #expect(host.failure?.kind == cut.kind)
            #expect(host.failure?.sentence.contains(cut.word) == true, "\(host.failure?.sentence ?? "")")
            #expect(bench.bench.pool.connections.isEmpty)
        }
    }

    @Test func `a tunnel that is cut in the content fails the load as the origin's connection would`() async throws {
        try await TunnelBench.run(inside: { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npa")
        }) { bench in
            let host = try await bench.load()
            #expect(host.summary == ["opened 200", "200", "content", "failed connectionLost"])
        }
    }

    @Test func `a proxy that does not answer is waited for as long as a server`() async throws {
        try await TunnelBench.run { _, peer in
            try await peer.wait()
            return .init(leaves: true)
        } _: { bench in
            let host = try await bench.load(for: RecordingHost(idleLimit: 50_000_000))
            #expect(host.failure?.kind == .timedOut)
        }
    }

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

    @Test(arguments: [("", 1), ("Connection: close\r\n", 2)])
    func `its 407 is a challenge of its own space, and the credential goes by CONNECT alone`(
        fields: String, connectionCount: Int
    ) async throws {
        try await TunnelBench.run(Self.guarded(fields, keeps: fields.isEmpty)) { bench in
            let delegate = try await load(bench)
            #expect(
                delegate.log.folded == [
                    "created", "challenge proxyBasic 0", "challenge serverTrust 0", "response 200", "data", "metrics 2",
                    "complete ok", "sessionInvalid",
                ])
            #expect(delegate.content == "page")
            #expect(bench.lines == Array(repeating: "CONNECT home.example.org:443 HTTP/1.1", count: 2))
            #expect(bench.bench.server.connectionCount == connectionCount)
        }
    }

    @Test func `a proxy that leaves after its 407 is asked again on another connection, whatever the method`()
        async throws
    {
        try await TunnelBench.run(Self.guarded(keeps: false)) { bench in
            let request = ClientRequest(
                method: "POST", url: try ClientURL("https://home.example.org/page"), body: .bytes(Array("abc".utf8)))
            let delegate = try await load(bench, Self.knowing, request)
            #expect(delegate.log.folded.contains("complete ok"))
            #expect(bench.bench.server.connectionCount == 2)
        }
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

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: LoadEvent.ChallengeAnswer
        let end: String
    }

    @Test(arguments: [
        Answer(testDescription: "on without", answer: .goOnWithout, end: "complete userAuthenticationRequired"),
        Answer(testDescription: "default", answer: .byDefault, end: "complete userAuthenticationRequired"),
        Answer(testDescription: "rejected", answer: .reject, end: "complete userAuthenticationRequired"),
        Answer(testDescription: "cancelled", answer: .cancel, end: "complete cancelled"),
    ])
    func `without a credential there is no tunnel, and the proxy's reply is not delivered`(row: Answer) async throws {
        try await TunnelBench.run(Self.guarded()) { bench in
            var script = LogDelegate.Script()
            script.onChallenge = [row.answer]
            let delegate = try await load(bench, script)
            #expect(
                delegate.log.folded == ["created", "challenge proxyBasic 0", "metrics 1", row.end, "sessionInvalid"])
        }
    }

    @Test(arguments: [403, 401, 302, 502]) func `a refusal is the end, with its status in the sentence`(
        status: Int
    ) async throws {
        try await TunnelBench.run { _, _ in
            .init(
                text:
                    "HTTP/1.1 \(status) No\r\nWWW-Authenticate: Basic realm=it\r\nLocation: /\r\nContent-Length: 2\r\n\r\nno"
            )
        } _: { bench in
            let session = try ReferenceSession(configuration: try await bench.configuration())
            let url = try ClientURL("https://user:pass@home.example.org/")
            let error = await #expect(throws: LoadError.self) {
                _ = try await session.data(for: ClientRequest(url: url))
            }
            #expect(error?.kind == .cannotConnect)
            #expect(error?.sentence.contains("\(status)") == true)
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(bench.heads.withLock { $0 }.allSatisfy { !$0.contains("Authorization") })
        }
    }

    @Test func `a redirect from http to https uses a tunnel, with the credential that the proxy accepted`()
        async throws
    {
        let script: TunnelBench.Script = { head, _ in
            guard head.contains("Proxy-Authorization: Basic eDp5\r\n") else {
                return .init(text: Self.refusal + "\r\nno", keeps: true)
            }
            return head.hasPrefix("CONNECT")
                ? .init()
                : .init(text: reply(301, "", "Location: https://home.example.org/page"), keeps: true)
        }
        try await TunnelBench.run(script) { bench in
            let request = ClientRequest(url: try ClientURL("http://home.example.org/"))
            let delegate = try await load(bench, Self.knowing, request)
            #expect(
                delegate.log.folded == [
                    "created", "challenge proxyBasic 0", "redirect 301", "challenge serverTrust 0", "response 200",
                    "data", "metrics 3", "complete ok", "sessionInvalid",
                ])
            #expect(
                bench.lines == [
                    "GET http://home.example.org/ HTTP/1.1", "GET http://home.example.org/ HTTP/1.1",
                    "CONNECT home.example.org:443 HTTP/1.1",
                ])
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
