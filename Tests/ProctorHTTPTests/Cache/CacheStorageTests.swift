import ProctorHTTP
import Testing

struct CacheStorageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var scheme = HTTPScheme.http
        var method = "GET"
        var request: [HTTPField] = []
        var status = 200
        var reply: [HTTPField] = []
        let policy: CacheStoragePolicy

        var testDescription: String {
            "\(scheme) \(method) \(request.map(\.value)) \(status) \(reply.map(\.value)): \(policy)"
        }
    }

    private static func control(_ value: String) -> [HTTPField] { [HTTPField("cache-control", value)] }

    /// The statuses of the storage policy table of the recorder, with nothing else said.
    static let statuses: [Row] =
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].flatMap {
            [Row(status: $0, policy: .allowed), Row(scheme: .https, status: $0, policy: .allowedInMemoryOnly)]
        }
        + [
            100, 201, 202, 206, 302, 303, 304, 307, 400, 401, 403, 407, 408, 416, 429, 500, 502, 503, 504, 600,
        ].map { Row(status: $0, policy: .notAllowed) }

    static let words: [Row] = [
        Row(reply: control("no-store"), policy: .notAllowed),
        Row(scheme: .https, reply: control("no-store"), policy: .notAllowed),
        Row(reply: control("No-Store"), policy: .notAllowed),
        Row(reply: control("max-age=60, no-store"), policy: .notAllowed),
        Row(reply: control("max-age=60") + control("no-store"), policy: .notAllowed),
        Row(reply: control(#"no-store="x""#), policy: .notAllowed),
        Row(reply: control(#"ext="a, no-store, b""#), policy: .allowed),
        Row(status: 404, reply: control("no-store"), policy: .notAllowed),
        Row(reply: control("no-cache"), policy: .allowed), Row(reply: control("private"), policy: .allowed),
        Row(reply: control("max-age=60"), policy: .allowed), Row(reply: control("max-age=0"), policy: .allowed),
        Row(request: control("no-store"), policy: .notAllowed),
        Row(request: control("NO-STORE, NO-CACHE"), policy: .notAllowed),
        Row(request: control("no-cache"), policy: .allowed), Row(request: control("max-age=0"), policy: .allowed),
        Row(request: [HTTPField("Authorization", "Basic x")], policy: .allowed),
        Row(reply: [HTTPField("Vary", "*")], policy: .notAllowed),
        Row(reply: [HTTPField("Vary", "Accept, *")], policy: .notAllowed),
        Row(reply: [HTTPField("Vary", "Accept")], policy: .allowed),
        Row(status: 302, reply: control("max-age=60"), policy: .allowed),
        Row(status: 302, reply: control("private"), policy: .allowed),
        Row(status: 302, reply: control("public"), policy: .allowed),
        Row(status: 302, reply: control("no-cache"), policy: .notAllowed),
        Row(status: 302, reply: [HTTPField("Expires", "0")], policy: .allowed),
        Row(status: 299, reply: control("max-age=60"), policy: .allowed),
        Row(status: 299, reply: control("max-age=60, must-understand"), policy: .notAllowed),
        Row(reply: control("max-age=60, must-understand"), policy: .allowed),
        Row(status: 206, reply: control("max-age=60"), policy: .notAllowed),
        Row(status: 304, reply: control("max-age=60"), policy: .notAllowed),
    ]

    static let methods: [Row] = ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "get", ""].map {
        Row(method: $0, policy: .notAllowed)
    }

    @Test(arguments: statuses + words + methods)
    func `a private cache may keep what RFC 9111 §3 lets it`(_ row: Row) {
        let policy = CacheStorage.policy(
            scheme: row.scheme, method: row.method, requestFields: row.request, status: row.status,
            replyFields: row.reply)
        #expect(policy == row.policy)
        #expect(
            CacheStorage.mayStore(
                method: row.method, requestFields: row.request, status: row.status, replyFields: row.reply)
                == (row.policy != .notAllowed))
    }
}

/// A reply that came at second 10,000 to a request of the same second, unless told otherwise.
func reply(
    _ fields: [(String, String)], status: Int = 200, to requestFields: [(String, String)] = [],
    requestedAt: Int = 10_000, receivedAt: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation
) throws -> CachedReply {
    try #require(
        CachedReply(
            status: status, fields: fields.map { HTTPField($0.0, $0.1) },
            requestFields: requestFields.map { HTTPField($0.0, $0.1) }, requestedAt: requestedAt,
            receivedAt: receivedAt), sourceLocation: sourceLocation)
}

/// The time of that second as a field value.
func date(_ seconds: Int) -> String { text(HTTPDate.imfFixdate(unixSeconds: seconds)) }

/// RFC 9111 §4 and §5.2.1.
struct CacheDecisionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Cache-Control of the kept reply.
        var reply = "max-age=60"
        /// Cache-Control of the request.
        var request: String?
        /// Seconds since the reply came.
        let age: Int
        let answer: Answer
        var testDescription: String { "\(reply) | \(request ?? "nothing") after \(age) s: \(answer)" }
    }

    enum Answer: Sendable { case serve, validate, load, refuse }

    static let rows: [Row] = [
        Row(age: 0, answer: .serve), Row(age: 59, answer: .serve), Row(age: 60, answer: .validate),
        Row(reply: "max-age=0", age: 0, answer: .validate),
        Row(reply: "no-cache, max-age=60", age: 0, answer: .validate),
        Row(reply: "no-cache=\"Set-Cookie\", max-age=60", age: 0, answer: .validate),
        Row(reply: "", age: 0, answer: .validate), Row(request: "no-cache", age: 0, answer: .validate),
        Row(request: "max-age=0", age: 0, answer: .serve), Row(request: "max-age=0", age: 1, answer: .validate),
        Row(request: "max-age=10", age: 10, answer: .serve), Row(request: "max-age=10", age: 11, answer: .validate),
        Row(request: "max-age=100", age: 60, answer: .validate), Row(request: "max-age=x", age: 1, answer: .validate),
        Row(request: "min-fresh=10", age: 50, answer: .serve), Row(request: "min-fresh=10", age: 51, answer: .validate),
        Row(request: "max-stale", age: 9_999, answer: .serve), Row(request: "max-stale=10", age: 70, answer: .serve),
        Row(request: "max-stale=10", age: 71, answer: .validate),
        Row(request: "max-stale=x", age: 61, answer: .validate),
        Row(request: "max-stale, min-fresh=1", age: 60, answer: .validate),
        Row(request: "max-age=10, max-stale=5", age: 15, answer: .serve),
        Row(request: "max-age=10, max-stale=5", age: 17, answer: .validate),
        Row(reply: "max-age=60, must-revalidate", request: "max-stale", age: 59, answer: .serve),
        Row(reply: "max-age=60, must-revalidate", request: "max-stale", age: 60, answer: .validate),
        Row(reply: "max-age=60, no-cache", request: "max-stale", age: 0, answer: .validate),
        Row(reply: "max-age=60, proxy-revalidate", request: "max-stale", age: 61, answer: .serve),
        Row(request: "only-if-cached", age: 59, answer: .serve),
        Row(request: "only-if-cached", age: 60, answer: .refuse),
        Row(request: "only-if-cached, max-stale", age: 60, answer: .serve),
        Row(reply: "no-cache", request: "only-if-cached", age: 0, answer: .refuse),
        Row(request: "no-store", age: 0, answer: .serve),
    ]

    private static func decision(
        _ stored: CachedReply?, _ request: [(String, String)], method: String = "GET", now: Int
    ) -> CacheDecision {
        CacheDecision(
            method: method, requestFields: request.map { HTTPField($0.0, $0.1) }, reply: stored, now: now)
    }

    @Test(arguments: rows)
    func `the strictest of what both sides say counts`(_ row: Row) throws {
        let stored = try reply([("Cache-Control", row.reply), ("ETag", "\"1\"")])
        let decision = Self.decision(
            stored, row.request.map { [("Cache-Control", $0)] } ?? [], now: 10_000 + row.age)
        let expected: CacheDecision =
            switch row.answer {
            case .serve: .serve
            case .validate: .validate([HTTPField("If-None-Match", "\"1\"")])
            case .load: .load
            case .refuse: .refuse
            }
        #expect(decision == expected)
    }

    @Test func `Pragma is heard where there is no Cache-Control`() throws {
        let stored = try reply([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
        #expect(Self.decision(stored, [("Pragma", "no-cache")], now: 10_000) == .validate(stored.validationFields))
        #expect(Self.decision(stored, [("Pragma", "no-cache"), ("Cache-Control", "max-age=5")], now: 10_000) == .serve)
        #expect(Self.decision(stored, [("Pragma", "x")], now: 10_000) == .serve)
    }

    @Test func `nothing kept, nothing to ask by, or a request of its own kind goes to the server`() throws {
        let stored = try reply([("Cache-Control", "max-age=60")])
        #expect(Self.decision(nil, [], now: 10_000) == .load)
        #expect(Self.decision(nil, [("Cache-Control", "only-if-cached")], now: 10_000) == .refuse)
        #expect(Self.decision(stored, [], now: 10_060) == .load)
        #expect(Self.decision(stored, [], method: "POST", now: 10_000) == .load)
        #expect(Self.decision(stored, [], method: "HEAD", now: 10_000) == .load)
        for field in [
            ("Range", "bytes=0-"), ("If-None-Match", "\"1\""), ("If-Modified-Since", "x"), ("If-Match", "*"),
            ("If-Range", "\"1\""), ("If-Unmodified-Since", "x"),
        ] {
            #expect(Self.decision(stored, [field], now: 10_000) == .load, "\(field)")
        }
    }
}
