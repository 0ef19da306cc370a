import ProctorBase
import ProctorCoding
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// A session with a cache: what is asked of the server, and what of that a client notices (RFC 9111).
@Suite(.limit(minutes: 5))
struct CacheTests {
    /// A server, a session with a cache, and a clock that stands still.
    struct Room: Sendable {
        let bench: SessionBench
        let session: ReferenceSession
        let cache: ReferenceCache
        let clock: Locked<Int>

        /// Loads `/page` and gives status and content.
        @discardableResult
        func load(
            _ fields: [HTTPField] = [], method: String = "GET", path: String = "/page",
            policy: CachePolicy = .byProtocol
        ) async throws -> String {
            var request = try bench.request(path, method: method, fields: fields)
            request.cachePolicy = policy
            do {
                let (content, response) = try await session.data(for: request)
                return "\(response.status) \(String(decoding: content, as: UTF8.self))"
            } catch let error as LoadError {
                return "\(error.kind)"
            }
        }

        func wait(_ seconds: Int) { clock.withLock { $0 += seconds } }
    }

    private static func run(
        byteLimit: Int = 100_000, delegate: LogDelegate? = nil, _ answer: @escaping SessionBench.Answer,
        _ body: @escaping @Sendable (Room) async throws -> Void
    ) async throws {
        try await SessionBench.run(answer) { bench in
            let clock = Locked(1_800_000_000)
            let cache = ReferenceCache(byteLimit: byteLimit) { clock.withLock { $0 } }
            var configuration = ReferenceConfiguration()
            configuration.cache = cache
            let session = try ReferenceSession(configuration: configuration, delegate: delegate)
            do {
                try await body(Room(bench: bench, session: session, cache: cache, clock: clock))
                session.invalidateAndCancel()
            } catch {
                session.invalidateAndCancel()
                throw error
            }
        }
    }

    /// A server that says these fields, numbers its contents, and holds to its ETag.
    private static func server(_ fields: String...) -> SessionBench.Answer {
        let count = Locked(0)
        return { request, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if let tag = request.field("If-None-Match") {
                return "HTTP/1.1 304 X\r\nETag: \(tag)\r\nX-Number: \(number)\r\n\r\n"
            }
            return (["HTTP/1.1 200 X", "Content-Length: 1", "X-Number: \(number)"] + fields).joined(separator: "\r\n")
                + "\r\n\r\n\(number)"
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let fields: String
        /// Of the second request.
        var request: [HTTPField] = []
        var policy = CachePolicy.byProtocol
        /// Seconds between the two.
        var wait = 10
        /// What the second one gives.
        let gives: String
        /// Requests that the server saw in all, without a condition and with one.
        let asked: (plain: Int, conditional: Int)
        var testDescription: String { "\(fields) \(request.map(\.value)) \(policy) after \(wait) s" }
    }

    static let rows = [
        Row(fields: "Cache-Control: max-age=60", gives: "200 1", asked: (1, 0)),
        Row(fields: "Cache-Control: max-age=60", wait: 61, gives: "200 2", asked: (2, 0)),
        Row(fields: "Cache-Control: max-age=60\r\nETag: \"v\"", wait: 61, gives: "200 1", asked: (1, 1)),
        Row(fields: "Cache-Control: max-age=60, private", gives: "200 1", asked: (1, 0)),
        Row(fields: "Cache-Control: no-cache\r\nETag: \"v\"", gives: "200 1", asked: (1, 1)),
        Row(fields: "Cache-Control: no-store\r\nETag: \"v\"", gives: "200 2", asked: (2, 0)),
        Row(fields: "Age: 59\r\nCache-Control: max-age=60", gives: "200 2", asked: (2, 0)),
        Row(fields: "X: y", gives: "200 2", asked: (2, 0)),
        Row(
            fields: "Cache-Control: max-age=60", request: [HTTPField("Cache-Control", "no-cache")], gives: "200 2",
            asked: (2, 0)),
        Row(
            fields: "Cache-Control: max-age=60", request: [HTTPField("Range", "bytes=0-")], gives: "200 2",
            asked: (2, 0)),
        Row(
            fields: "Cache-Control: max-age=60", request: [HTTPField("If-None-Match", "\"mine\"")], gives: "304 ",
            asked: (1, 1)),
        Row(
            fields: "Cache-Control: max-age=60\r\nVary: Accept-Language", request: [HTTPField("Accept-Language", "de")],
            gives: "200 2", asked: (2, 0)),
        Row(
            fields: "Cache-Control: max-age=60\r\nVary: Accept-Language", request: [HTTPField("Accept-Language", "en")],
            gives: "200 1", asked: (1, 0)),
        Row(fields: "Cache-Control: max-age=60\r\nVary: *", gives: "200 2", asked: (2, 0)),
        Row(fields: "Cache-Control: max-age=60", policy: .reload, gives: "200 2", asked: (2, 0)),
        Row(fields: "Cache-Control: max-age=60", policy: .reloadAll, gives: "200 2", asked: (2, 0)),
        Row(fields: "Cache-Control: max-age=60\r\nETag: \"v\"", policy: .revalidate, gives: "200 1", asked: (1, 1)),
        Row(fields: "Cache-Control: max-age=60", policy: .revalidate, gives: "200 2", asked: (2, 0)),
        Row(fields: "ETag: \"v\"", policy: .cacheElseLoad, gives: "200 1", asked: (1, 0)),
        Row(fields: "Cache-Control: no-store", policy: .cacheElseLoad, gives: "200 2", asked: (2, 0)),
        Row(fields: "ETag: \"v\"", policy: .cacheOnly, gives: "200 1", asked: (1, 0)),
        Row(fields: "Cache-Control: no-store", policy: .cacheOnly, gives: "resourceUnavailable", asked: (1, 0)),
        Row(
            fields: "Cache-Control: max-age=60", request: [HTTPField("Cache-Control", "only-if-cached")], wait: 61,
            gives: "resourceUnavailable", asked: (1, 0)),
    ]

    @Test(arguments: rows) func `a second request is answered by the cache or the server`(row: Row) async throws {
        try await Self.run(Self.server(row.fields)) { room in
            let first = try await room.load()
            #expect(first == "200 1")
            room.wait(row.wait)
            let second = try await room.load(row.request, policy: row.policy)
            #expect(second == row.gives)
            let asked = room.bench.asked.withLock { $0 }
            let conditional = asked.count { $0.field("If-None-Match") != nil }
            #expect((asked.count - conditional, conditional) == row.asked, "\(asked.map(\.head))")
        }
    }

    @Test func `an answer of the cache looks like one of the server, and is not stored again`() async throws {
        let delegate = LogDelegate()
        try await Self.run(delegate: delegate, Self.server("Cache-Control: max-age=60", "ETag: \"v\"")) { room in
            for seconds in [0, 10, 61] {
                room.wait(seconds)
                let before = delegate.log.lines.count
                let task = room.session.dataTask(with: try room.bench.request("/page"))
                task.resume()
                while delegate.log.lines.count < before + (seconds == 0 ? 6 : 5) { await Task.yield() }
                let question = seconds == 0 ? ["willCache 1"] : []
                #expect(
                    Array(delegate.log.lines[before...])
                        == ["created", "response 200", "data"] + question + ["metrics 1", "complete ok"])
                #expect(delegate.content == "1")
            }
            #expect(room.bench.lines.count == 2)
        }
    }

    @Test func `a 304 refreshes the stored response, and its fields are delivered`() async throws {
        try await Self.run(Self.server("Cache-Control: max-age=60", "ETag: \"v\"")) { room in
            try await room.load()
            room.wait(61)
            let (content, response) = try await room.session.data(for: try room.bench.request("/page"))
            #expect(response.status == 200 && content == Array("1".utf8))
            #expect(response.fields.value(of: "X-Number") == "2")
            room.wait(59)
            let later = try await room.load()
            #expect(later == "200 1")
            #expect(room.bench.lines.count == 2)
        }
    }

    @Test func `a 304 about another version has the whole asked for`() async throws {
        try await Self.run { request, _ in
            request.field("If-None-Match") == nil
                ? reply(200, "whole", "ETag: \"a\"") : "HTTP/1.1 304 X\r\nETag: \"b\"\r\n\r\n"
        } _: { room in
            for _ in 0..<2 {
                let given = try await room.load()
                #expect(given == "200 whole")
            }
            #expect(room.bench.asked.withLock { $0.map { $0.field("If-None-Match") } } == [nil, "\"a\"", nil])
        }
    }

    @Test(arguments: ["", "Cache-Control: no-store\r\n", "Vary: *\r\n"])
    func `what a 304 or its request forbids to store answers once and is gone`(news: String) async throws {
        try await Self.run { request, _ in
            request.field("If-None-Match") == nil
                ? reply(200, "page", "ETag: \"v\"") : "HTTP/1.1 304 X\r\nETag: \"v\"\r\n\(news)\r\n"
        } _: { room in
            try await room.load()
            #expect(room.cache.count == 1)
            let given = try await room.load(news.isEmpty ? [HTTPField("Cache-Control", "no-store")] : [])
            #expect(given == "200 page")
            #expect(room.cache.count == 0)
            try await room.load()
            #expect(room.bench.asked.withLock { $0.map { $0.field("If-None-Match") } } == [nil, "\"v\"", nil])
        }
    }

    @Test func `what is coded is stored as it was before`() async throws {
        let coded = try Coded.bytes(Array("a page, a page, a page".utf8), CodingStep(.gzip))
        try await Self.run { _, peer in
            try await peer.send(
                "HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nCache-Control: max-age=60\r\nContent-Length: \(coded.count)\r\n\r\n"
            )
            try await peer.send(coded)
            return ""
        } _: { room in
            for _ in 0..<2 {
                let given = try await room.load()
                #expect(given == "200 a page, a page, a page")
            }
            #expect(room.bench.lines.count == 1)
        }
    }

    @Test func `the cache is bounded, and what was used last stays`() async throws {
        try await Self.run(byteLimit: 3_000) { request, _ in
            reply(
                200, String(repeating: "x", count: request.target == "/huge" ? 4_000 : 700), "Cache-Control: max-age=60"
            )
        } _: { room in
            for path in ["/a", "/b", "/a", "/c", "/huge"] { try await room.load(path: path) }
            #expect(room.cache.byteCount <= 3_000)
            #expect(room.cache.count == 2)
            for path in ["/a", "/c", "/b", "/huge"] { try await room.load(path: path) }
            #expect(room.bench.lines.map { $0.dropFirst(4) } == ["/a", "/b", "/c", "/huge", "/b", "/huge"])
            room.cache.removeAll()
            #expect(room.cache.byteCount == 0 && room.cache.count == 0)
        }
    }

    @Test func `what is cancelled while the cache answers ends as cancelled`() async throws {
        let delegate = LogDelegate(LogDelegate.Script(cancelAt: "response"))
        try await Self.run(Self.server("Cache-Control: max-age=60")) { room in
            try await room.load()
            let session = try ReferenceSession(configuration: room.session.configuration, delegate: delegate)
            session.dataTask(with: try room.bench.request("/page")).resume()
            await delegate.log.wait(for: "complete")
            session.invalidateAndCancel()
            #expect(delegate.log.lines == ["created", "response 200", "metrics 1", "complete cancelled"])
        }
    }

    @Test func `without a cache there is nothing that a policy could use`() async throws {
        try await SessionBench.run { _, _ in
            reply(200, "page")
        } _: { bench in
            let session = try ReferenceSession()
            var request = try bench.request("/page")
            request.cachePolicy = .cacheElseLoad
            let (content, _) = try await session.data(for: request)
            #expect(content == Array("page".utf8))
            request.cachePolicy = .cacheOnly
            await #expect(throws: LoadError.self) { _ = try await session.data(for: request) }
            session.invalidateAndCancel()
            #expect(bench.lines.count == 1)
        }
    }
}
