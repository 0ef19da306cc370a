import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Cookies over sockets: on every request of a session, recomputed for each.
@Suite(.limit(minutes: 5))
struct CookieWireTests {
    /// What a server answers, by its path; and what comes of loads, as the Cookie field of each request.
    private func cookies(
        with configuration: ReferenceConfiguration = ReferenceConfiguration(), _ answer: @escaping SessionBench.Answer,
        _ body: @escaping @Sendable (SessionBench, ReferenceSession) async throws -> Void
    ) async throws -> [String?] {
        let sent = Locked<[String?]>([])
        try await SessionBench.run(answer) { bench in
            let session = try ReferenceSession(configuration: configuration)
            do {
                try await body(bench, session)
                session.invalidateAndCancel()
            } catch {
                session.invalidateAndCancel()
                throw error
            }
            sent.withLock { $0 = bench.asked.withLock { $0.map { $0.field("Cookie") } } }
        }
        return sent.withLock { $0 }
    }

    private static let pages: SessionBench.Answer = { request, _ in
        switch request.target {
        case "/set": reply(200, "a", "Set-Cookie: a=1", "Set-Cookie: b=\"x, y\"; Path=/", "Set-Cookie: c=3; Path=/deep")
        case "/set-in-passing": reply(302, "", "Location: /deep/end", "Set-Cookie: c=3; Path=/deep", "Set-Cookie: a=1")
        case "/delete": reply(404, "", "Set-Cookie: a=; Max-Age=0")
        case "/elsewhere": reply(302, "", "Location: http://localhost:\(request.head.hostPort)/end", "Set-Cookie: a=1")
        default: reply(200, "page")
        }
    }

    @Test func `interim replies set nothing`() async throws {
        let sent = try await cookies { _, _ in
            "HTTP/1.1 103 Early\r\nSet-Cookie: early=1\r\n\r\n" + reply(200, "page")
        } _: { bench, session in
            for _ in 0..<2 { _ = try await session.data(for: bench.request("/")) }
        }
        #expect(sent == [nil, nil])
    }

    @Test(
        arguments: [
            (CookiePolicy.always, true, "a=1"), (.mainDocument, true, "a=1"), (.never, true, nil),
            (.always, false, nil),
        ] as [(CookiePolicy, Bool, String?)])
    func `policy and request have a say`(policy: CookiePolicy, handles: Bool, second: String?) async throws {
        var configuration = ReferenceConfiguration()
        configuration.cookiePolicy = policy
        let sent = try await cookies(with: configuration, { _, _ in reply(200, "page", "Set-Cookie: a=1") }) {
            bench, session in
            for _ in 0..<2 {
                var request = try bench.request("/")
                request.handlesCookies = handles
                _ = try await session.data(for: request)
            }
        }
        #expect(sent == [nil, second])
    }

    @Test func `the caller's own field goes alone, and along a redirect within its origin`() async throws {
        let sent = try await cookies(Self.pages) { bench, session in
            _ = try await session.data(for: bench.request("/set"))
            let own = HTTPField("Cookie", "own=1")
            _ = try await session.data(for: bench.request("/set-in-passing", fields: [own]))
            _ = try await session.data(for: bench.request("/elsewhere", fields: [own]))
        }
        #expect(sent == [nil, "own=1", "own=1", "own=1", nil])
    }

    // MARK: With a cache

    @Test func `an answer of the cache sets nothing again, and a 304 does`() async throws {
        let store = ReferenceCookieStore()
        var configuration = ReferenceConfiguration()
        configuration.cache = ReferenceCache(byteLimit: 100_000)
        configuration.cookieStore = store
        let sent = try await cookies(with: configuration) { request, _ in
            request.field("If-None-Match") == nil
                ? reply(200, "page", "Set-Cookie: a=1", "ETag: \"1\"", "Cache-Control: max-age=100")
                : "HTTP/1.1 304 X\r\nETag: \"1\"\r\nSet-Cookie: a=2\r\n\r\n"
        } _: { bench, session in
            _ = try await session.data(for: bench.request("/"))
            store.removeAll()
            _ = try await session.data(for: bench.request("/"))
            #expect(store.cookies == [])
            _ = try await session.data(for: bench.request("/", fields: [HTTPField("Cache-Control", "no-cache")]))
            #expect(store.cookies.map(\.pair) == [Array("a=2".utf8)])
        }
        #expect(sent == [nil, nil])
    }

    @Test func `what varies with cookies is stored for each`() async throws {
        var configuration = ReferenceConfiguration()
        configuration.cache = ReferenceCache(byteLimit: 100_000)
        let sent = try await cookies(with: configuration) { _, _ in
            reply(200, "page", "Set-Cookie: a=1", "Vary: Cookie", "Cache-Control: max-age=100")
        } _: { bench, session in
            for _ in 0..<3 { _ = try await session.data(for: bench.request("/")) }
        }
        #expect(sent == [nil, "a=1"])
    }

    // MARK: Whose they are

    @Test func `sessions share only a store that they are given`() async throws {
        let store = ReferenceCookieStore()
        var sharing = ReferenceConfiguration()
        sharing.cookieStore = store
        let shared = sharing
        let sent = try await cookies(with: shared, Self.pages) { bench, session in
            _ = try await session.data(for: bench.request("/set"))
            for configuration in [shared, ReferenceConfiguration()] {
                let other = try ReferenceSession(configuration: configuration)
                _ = try await other.data(for: bench.request("/"))
                other.invalidateAndCancel()
            }
        }
        #expect(sent == [nil, "a=1; b=\"x, y\"", nil])
    }

    @Test func `the old shapes have cookies too, those of their network`() async throws {
        try await SessionBench.run(Self.pages) { bench in
            let network = try LegacyNetwork()
            let queue = try CallbackQueue()
            for path in ["/set", "/set-in-passing"] {
                let connection = ReferenceConnection(
                    try bench.request(path), delegate: SilentDelegate(), on: network, scheduledOn: queue)
                connection.start()
                await connection.ended()
            }
            #expect(network.cookieStore.cookies.count == 3)
            await network.stop()
            queue.stop()
            let sent = bench.asked.withLock { $0.map { $0.field("Cookie") } }
            #expect(sent == [nil, "a=1; b=\"x, y\"", "c=3; a=1; b=\"x, y\""])
        }
    }
}

private final class SilentDelegate: ReferenceConnectionDelegate {}

extension String {
    /// The port that Host names.
    fileprivate var hostPort: Substring {
        firstRange(of: "Host: ").map { self[$0.upperBound...].prefix { $0 != "\r\n" } }?.split(separator: ":").last
            ?? ""
    }
}
