import ProctorBase
import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// CONNECT over sockets: what is asked, which tunnels are shared, and every way in which there is none (RFC 9110 §9.3.6).
@Suite(.timeLimit(.minutes(5)))
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
                numbers.append(host.exchange?.connectionNumber)
            }
            #expect(numbers == [1, 1, 2, 1])
            let ports = try await bench.load("https://home.example.org:8443/")
            #expect(ports.exchange?.connectionNumber == 3)
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
            #expect(again.exchange?.connectionNumber == plain.exchange?.connectionNumber)
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

    @Test func `a cancelled exchange closes the connection that was to be a tunnel`() async throws {
        let hasAsked = Moment()
        try await TunnelBench.run { _, peer in
            hasAsked.come()
            try await peer.wait()
            return .init(leaves: true)
        } _: { bench in
            let host = RecordingHost()
            async let loaded = bench.load(for: host)
            await hasAsked.wait()
            host.exchange?.cancel()
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
