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

    // MARK: Connections

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

    // MARK: Requests

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
}
