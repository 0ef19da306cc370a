import ProctorHTTP
import Testing

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
        #expect(
            Self.decision(stored, [("Pragma", "no-cache"), ("Cache-Control", "max-age=5")], now: 10_000) == .serve)
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
