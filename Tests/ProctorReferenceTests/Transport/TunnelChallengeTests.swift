import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorReference

/// A proxy that asks before it makes a tunnel, and what sessions hear of it.
@Suite(.timeLimit(.minutes(5)))
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
        _ bench: TunnelBench, _ script: LogDelegate.Script = knowing,
        _ request: ClientRequest? = nil
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
    func `without a credential there is no tunnel, and nobody is given the proxy's reply`(row: Answer) async throws {
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

    @Test func `a redirect from http to https goes on by a tunnel, with the credential that let in before`()
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
