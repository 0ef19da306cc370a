import ProctorHTTP
import Testing

/// RFC 9111 §3.1, §3.2, §4.1, §4.3 and §4.4.
struct CachedReplyTests {
    @Test func `fields of the connection are not kept`() throws {
        let stored = try reply([
            ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("x-hop", "2"), ("Keep-Alive", "timeout=5"),
            ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"), ("TE", "x"), ("Proxy-Authenticate", "x"),
            ("Content-Type", "a/b"), ("Set-Cookie", "a=b"),
        ])
        #expect(stored.fields.map(\.name) == ["Content-Type", "Set-Cookie"])
    }

    // MARK: Vary

    @Test func `the newest of several is chosen, by its date and then by when it came`() throws {
        let old = try reply([("Date", date(9_000))], receivedAt: 10_900)
        let new = try reply([("Date", date(9_500))])
        let dateless = try reply([], receivedAt: 9_200)
        #expect(CachedReply.select([old, new, dateless], for: []) == 1)
        #expect(CachedReply.select([dateless, old], for: []) == 0)
        #expect(CachedReply.select([new, try reply([("Date", date(9_500))], receivedAt: 10_001)], for: []) == 1)
        #expect(CachedReply.select([], for: []) == nil)
    }

    // MARK: Validation

    @Test func `a 304 replaces what it names, but not how the content is read`() throws {
        var stored = try reply([
            ("Cache-Control", "max-age=5"), ("Content-Type", "a/b"), ("Content-Encoding", "gzip"), ("X", "1"),
            ("x", "2"),
            ("Content-Length", "5"), ("Y", "3"), ("Age", "9"), ("Date", date(9_000)), ("ETag", "\"1\""),
        ])
        let newer = [
            ("cache-control", "max-age=60"), ("Content-Type", "c/d"), ("Content-Encoding", "br"), ("X", "4"),
            ("Content-Length", "0"), ("Connection", "close"), ("Date", date(10_100)), ("Z", "5"),
        ].map { HTTPField($0.0, $0.1) }
        stored.refresh(by: newer, requestedAt: 10_099, receivedAt: 10_100)
        #expect(
            Set(stored.fields.map { "\($0.name.lowercased()): \($0.value)" }) == [
                "content-type: a/b", "content-encoding: gzip", "content-length: 5", "y: 3", "etag: \"1\"",
                "cache-control: max-age=60", "x: 4", "z: 5", "date: \(date(10_100))",
            ])
        #expect(stored.fields.count == 9)
        #expect(Freshness(of: stored).age(at: 10_100) == 1)
        #expect(Freshness(of: stored).lifetime == 60)
    }

    @Test func `a 304 without a date makes the reply new all the same`() throws {
        var stored = try reply([("Cache-Control", "max-age=60"), ("Date", date(9_000))])
        #expect(!Freshness(of: stored).isFresh(at: 10_000))
        stored.refresh(by: [], requestedAt: 10_500, receivedAt: 10_500)
        #expect(Freshness(of: stored).isFresh(at: 10_559))
        #expect(!Freshness(of: stored).isFresh(at: 10_560))
    }

    // MARK: Keys

    @Test func `a key is what is asked for`() throws {
        let key = CacheKey(try ClientURL("http://u:p@Example.com:80/a/../b?c#d"))
        #expect(key == CacheKey(try ClientURL("http://example.com/b?c")))
        #expect(text(key.bytes) == "http://example.com/b?c")
        #expect(key != CacheKey(try ClientURL("https://example.com/b?c")))
        #expect(key != CacheKey(try ClientURL("http://example.com/b")))
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

/// RFC 9111 §5.2 and §1.2.2.
struct CacheDirectivesTests {
    private static func directives(_ values: String...) -> CacheDirectives {
        CacheDirectives(values.map { HTTPField("Cache-Control", $0) })
    }

    @Test func `names are compared in lower case, arguments come without quotes`() {
        let directives = Self.directives(
            "Max-Age=60, no-cache=\"Set-Cookie, X\"", "private , ext=\"a\\\"b\", max-age=70, odd = 5")
        for name in ["max-age", "no-cache", "private", "ext", "odd"] { #expect(directives.contains(name), "\(name)") }
        #expect(!directives.contains("x") && !directives.contains("no-store"))
        #expect(directives.argument(of: "no-cache") == bytes("Set-Cookie, X"))
        #expect(directives.argument(of: "private") == nil)
        #expect(directives.argument(of: "ext") == bytes("a\"b"))
        #expect(directives.seconds(of: "odd") == 5)
        #expect(directives.seconds(of: "max-age") == 60, "the first counts")
    }
}
