import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Challenges over sockets: repeated bodies, lost and closed connections, long content, and a proxy.
@Suite(.limit(minutes: 5))
struct AuthenticationWireTests {
    private static let user = LoadCredential(user: "user", password: "pass")
    private static let challenge = "WWW-Authenticate: Basic realm=\"it\""

    /// Accepts requests with user and password, and answers `refusal` to all others.
    private static func guarded(
        _ refusal: @escaping @Sendable (SessionBench.Asked, Peer) async throws -> String? = { _, _ in
            reply(401, "denied", challenge)
        }
    ) -> SessionBench.Answer {
        { request, peer in
            if request.field("Authorization") == "Basic dXNlcjpwYXNz" { return reply(200, "page") }
            return try await refusal(request, peer)
        }
    }

    private func load(
        _ bench: SessionBench, _ script: LogDelegate.Script, configuration: ReferenceConfiguration = .init(),
        _ task: (ReferenceSession) throws -> ReferenceTask
    ) async throws -> LogDelegate {
        let delegate = LogDelegate(script)
        let session = try ReferenceSession(configuration: configuration, delegate: delegate)
        let task = try task(session)
        task.resume()
        await delegate.log.wait(for: "complete")
        session.finishTasksAndInvalidate()
        await session.ended()
        return delegate
    }

    private static let answering: LogDelegate.Script = {
        var script = LogDelegate.Script()
        script.onChallenge = [.use(user)]
        return script
    }()

    private static let admitted = [
        "created", "challenge basic 0", "response 200", "data", "metrics 2", "complete ok", "sessionInvalid",
    ]

    // MARK: Connections

    @Test(arguments: ["Connection: close", "X-Kept: yes"])
    func `the request with the credential finds its way, whatever became of the connection`(field: String) async throws
    {
        let connections = Locked<[Int]>([])
        let server = Self.guarded { _, _ in reply(401, "denied", Self.challenge, field) }
        try await SessionBench.run { request, peer in
            connections.withLock { $0.append(peer.number) }
            let answer = try await server(request, peer)
            if field.hasSuffix("close"), request.field("Authorization") == nil, let answer {
                try await peer.send(answer)
                return nil
            }
            return answer
        } _: { bench in
            let delegate = try await load(bench, Self.answering) { $0.dataTask(with: try bench.request("/a")) }
            #expect(delegate.log.folded == Self.admitted)
            #expect(connections.withLock { $0 } == (field.hasSuffix("close") ? [1, 2] : [1, 1]))
        }
    }

    @Test func `a server that leaves while the client thinks is asked on another connection`() async throws {
        try await SessionBench.run(
            Self.guarded { _, peer in
                // Half of its content, and then nothing more.
                try await peer.send("HTTP/1.1 401 X\r\n\(Self.challenge)\r\nContent-Length: 100\r\n\r\nhalf")
                return nil
            }
        ) { bench in
            let delegate = try await load(bench, Self.answering) { $0.dataTask(with: try bench.request("/a")) }
            #expect(delegate.log.folded == Self.admitted)
            #expect(bench.lines == ["GET /a", "GET /a"])
        }
    }

    @Test func `an incomplete 401 fails the load when no credential is given`() async throws {
        try await SessionBench.run(
            Self.guarded { _, peer in
                try await peer.send("HTTP/1.1 401 X\r\n\(Self.challenge)\r\nContent-Length: 100\r\n\r\nhalf")
                return nil
            }
        ) { bench in
            let delegate = try await load(bench, LogDelegate.Script()) { $0.dataTask(with: try bench.request("/a")) }
            #expect(delegate.log.folded.contains("challenge basic 0"))
            #expect(delegate.log.folded.contains("complete connectionLost"))
        }
    }

    @Test(arguments: [1_000, 10_000_000])
    func `a refusal is read over, or where it is long its connection closed`(byteCount: Int) async throws {
        let connections = Locked<[Int]>([])
        let server = Self.guarded { _, peer in
            try await peer.send("HTTP/1.1 401 X\r\n\(Self.challenge)\r\nContent-Length: \(byteCount)\r\n\r\n")
            // The client may be gone before the end of it.
            _ = try? await peer.send([UInt8](repeating: 0x61, count: byteCount))
            return ""
        }
        try await SessionBench.run { request, peer in
            connections.withLock { $0.append(peer.number) }
            return try await server(request, peer)
        } _: { bench in
            let delegate = try await load(bench, Self.answering) { $0.dataTask(with: try bench.request("/a")) }
            #expect(delegate.log.folded == Self.admitted)
            #expect(connections.withLock { $0 } == (byteCount > 65_536 ? [1, 2] : [1, 1]))
        }
    }

    @Test func `a cancel while the question is open ends the load, and no answer changes that`() async throws {
        try await SessionBench.run(Self.guarded()) { bench in
            var script = LogDelegate.Script()
            script.cancelAt = "challenge"
            let delegate = try await load(bench, script) { $0.dataTask(with: try bench.request("/a")) }
            #expect(
                delegate.log.folded == [
                    "created", "challenge basic 0", "metrics 1", "complete cancelled", "sessionInvalid",
                ])
        }
    }

    // MARK: Requests

    @Test func `HEAD, a range and a download are asked for again as they were`() async throws {
        let server = Self.guarded()
        try await SessionBench.run { request, peer in
            // To HEAD the head alone.
            try await server(request, peer).map {
                $0.prefix(upTo: ($0.firstRange(of: "\r\n\r\n")?.upperBound) ?? $0.endIndex)
            }
            .map(String.init)
        } _: { bench in
            let head = try await load(bench, Self.answering) {
                $0.dataTask(with: try bench.request("/a", method: "HEAD"))
            }
            #expect(head.log.folded == Self.admitted.filter { $0 != "data" })
            #expect(bench.lines == ["HEAD /a", "HEAD /a"])
        }
        try await SessionBench.run(Self.guarded()) { bench in
            let range = try await load(bench, Self.answering) {
                $0.dataTask(with: try bench.request("/a", fields: [HTTPField("Range", "bytes=1-2")]))
            }
            #expect(range.log.folded == Self.admitted)
            #expect(bench.asked.withLock { $0.map { $0.field("Range") } } == ["bytes=1-2", "bytes=1-2"])
        }
        try await SessionBench.run(Self.guarded()) { bench in
            let file = try await load(bench, Self.answering) { $0.downloadTask(with: try bench.request("/a")) }
            #expect(file.content == "page")
            #expect(
                file.log.folded == [
                    "created", "challenge basic 0", "progress", "fileReady", "metrics 2", "complete ok",
                    "sessionInvalid",
                ])
        }
    }

    @Test func `credentials of a URL are sent in Authorization alone`() async throws {
        try await SessionBench.run(Self.guarded()) { bench in
            let url = try ClientURL("http://user:pass@\(bench.address)/a")
            let session = try ReferenceSession()
            let (content, response) = try await session.data(for: ClientRequest(url: url))
            session.invalidateAndCancel()
            #expect(response.status == 200)
            #expect(content == Array("page".utf8))
            let asked = bench.asked.withLock { $0 }
            #expect(asked.map(\.target) == ["/a", "/a"])
            #expect(asked.allSatisfy { $0.field("Host") == "\(bench.address)" && !$0.head.contains("user:pass") })
        }
    }

    @Test func `loads of one session share what is stored, and those of another do not`() async throws {
        try await SessionBench.run(Self.guarded()) { bench in
            var kept = Self.user
            kept.persistence = .session
            var script = LogDelegate.Script()
            script.onChallenge = [.use(kept)]
            let delegate = LogDelegate(script)
            let session = try ReferenceSession(delegate: delegate)
            for path in ["/a", "/b", "/c/d"] {
                let (content, _) = try await session.data(for: try bench.request(path))
                #expect(content == Array("page".utf8), "\(path)")
            }
            session.invalidateAndCancel()
            #expect(bench.lines == ["GET /a", "GET /a", "GET /b", "GET /c/d"])
            let other = try ReferenceSession()
            #expect(try await other.data(for: try bench.request("/a")).response.status == 401)
            other.invalidateAndCancel()
        }
    }

    @Test func `a shared store is used by loads that ask no delegate`() async throws {
        try await SessionBench.run(Self.guarded()) { bench in
            let request = try bench.request("/a")
            var configuration = ReferenceConfiguration()
            let store = ReferenceCredentialStore()
            store.set(
                Self.user, for: LoadChallenge.ProtectionSpace(kind: "basic", origin: request.url.origin, realm: "it"))
            configuration.credentialStore = store
            let session = try ReferenceSession(configuration: configuration)
            #expect(try await session.data(for: request).response.status == 200)
            #expect(try await session.data(for: request).response.status == 200)
            session.invalidateAndCancel()
            #expect(bench.asked.withLock { $0.map { $0.field("Authorization") != nil } } == [false, true, true])
        }
    }

    // MARK: A proxy

    @Test func `a proxy gets the whole URL and its own credential, and the server behind it the other one`()
        async throws
    {
        try await SessionBench.run { request, _ in
            guard request.field("Proxy-Authorization") == "Basic eDp5" else {
                return reply(407, "denied", "Proxy-Authenticate: Basic realm=\"way\"")
            }
            return request.field("Authorization") == "Basic dXNlcjpwYXNz"
                ? reply(200, "page") : reply(401, "denied", Self.challenge)
        } _: { bench in
            var configuration = ReferenceConfiguration()
            configuration.proxy = try bench.request("/").url.origin
            var script = LogDelegate.Script()
            script.onChallenge = [.use(LoadCredential(user: "x", password: "y")), .use(Self.user)]
            let delegate = try await load(bench, script, configuration: configuration) {
                $0.dataTask(with: ClientRequest(url: try ClientURL("http://example.test/a?b#c")))
            }
            #expect(
                delegate.log.folded == [
                    "created", "challenge proxyBasic 0", "challenge basic 0", "response 200", "data", "metrics 3",
                    "complete ok", "sessionInvalid",
                ])
            let asked = bench.asked.withLock { $0 }
            #expect(asked.allSatisfy { $0.target == "http://example.test/a?b" && $0.field("Host") == "example.test" })
            #expect(asked.map { $0.field("Authorization") != nil } == [false, false, true])
        }
    }
}
