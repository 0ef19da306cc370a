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

    struct Vary: Sendable, CustomTestStringConvertible {
        let vary: [String]
        let first: [(String, String)]
        let next: [(String, String)]
        let isSelected: Bool
        var testDescription: String { "\(vary) \(first.map(\.1)) \(next.map(\.1))" }
    }

    @Test(arguments: [
        Vary(vary: [], first: [("Accept", "a")], next: [], isSelected: true),
        Vary(vary: ["Accept"], first: [("Accept", "a")], next: [("accept", "a"), ("X", "y")], isSelected: true),
        Vary(vary: ["accept"], first: [("Accept", "a")], next: [("Accept", "b")], isSelected: false),
        Vary(vary: ["Accept"], first: [("Accept", "a")], next: [], isSelected: false),
        Vary(vary: ["Accept"], first: [], next: [("Accept", "")], isSelected: false),
        Vary(vary: ["Accept"], first: [], next: [("X", "y")], isSelected: true),
        Vary(vary: ["Accept"], first: [("Accept", "a,b")], next: [("Accept", "a , b")], isSelected: true),
        Vary(
            vary: ["Accept"], first: [("Accept", "a, b")], next: [("Accept", "a"), ("Accept", "b")], isSelected: true),
        Vary(vary: ["Accept"], first: [("Accept", "a, b")], next: [("Accept", "b, a")], isSelected: false),
        Vary(vary: ["User-Agent"], first: [("User-Agent", "a,b")], next: [("User-Agent", "a, b")], isSelected: false),
        Vary(vary: ["X"], first: [("X", "a, b")], next: [("X", "a"), ("X", "b")], isSelected: true),
        Vary(vary: ["X", "Y, Z"], first: [("Z", "1")], next: [("Z", "2")], isSelected: false),
        Vary(vary: ["X, Y"], first: [("X", "1"), ("Y", "2")], next: [("Y", "2"), ("X", "1")], isSelected: true),
    ])
    func `the fields that Vary names must be the same`(_ row: Vary) throws {
        let stored = try reply(row.vary.map { ("Vary", $0) }, to: row.first)
        #expect(stored.variant.selects(row.next.map { HTTPField($0.0, $0.1) }) == row.isSelected)
        #expect(stored.variant.selects(row.first.map { HTTPField($0.0, $0.1) }))
        #expect(CachedReply.select([stored], for: row.next.map { HTTPField($0.0, $0.1) }) == (row.isSelected ? 0 : nil))
    }

    @Test func `an asterisk in Vary selects nothing`() {
        for value in ["*", "Accept, *"] {
            #expect(
                CachedReply(
                    status: 200, fields: [HTTPField("Vary", value)], requestFields: [], requestedAt: 0, receivedAt: 0)
                    == nil)
        }
    }

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

    @Test func `both validators are asked by, as they came`() throws {
        let stored = try reply([("ETag", "W/\"1\""), ("Last-Modified", "Thursday, 01-Jan-70 00:10:00 GMT")])
        #expect(
            stored.validationFields == [
                HTTPField("If-None-Match", "W/\"1\""),
                HTTPField("If-Modified-Since", "Thursday, 01-Jan-70 00:10:00 GMT"),
            ])
        #expect(try reply([("ETag", "1"), ("Last-Modified", "x")]).validationFields.isEmpty)
        #expect(try reply([("ETag", "\"1\""), ("ETag", "\"2\"")]).validationFields.isEmpty)
    }

    @Test(arguments: [
        ([("ETag", "\"1\"")], [("ETag", "\"1\"")], true), ([("ETag", "\"1\"")], [("ETag", "\"2\"")], false),
        ([("ETag", "W/\"1\"")], [("ETag", "\"1\"")], false), ([("ETag", "\"1\"")], [("ETag", "W/\"1\"")], true),
        ([("ETag", "W/\"1\"")], [("ETag", "W/\"1\"")], true), ([("ETag", "\"1\"")], [], true),
        ([("Last-Modified", date(1))], [("ETag", "\"1\"")], false),
        ([("Last-Modified", date(1))], [("Last-Modified", date(1))], true),
        ([("Last-Modified", date(1))], [("Last-Modified", date(2))], false),
        ([("ETag", "\"1\"")], [("Last-Modified", date(2))], true), ([("Last-Modified", date(1))], [], true),
    ])
    func `a 304 confirms the reply that has its validator`(
        _ stored: [(String, String)], _ newer: [(String, String)], _ isConfirmed: Bool
    ) throws {
        #expect(try reply(stored).isConfirmed(by: newer.map { HTTPField($0.0, $0.1) }) == isConfirmed)
    }

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

    @Test func `a change on the server ends what was kept of it`() throws {
        let url = try ClientURL("http://a/b")
        func keys(_ method: String, _ status: Int, fields: [(String, String)] = []) -> [String] {
            CacheKey.invalidated(
                by: method, to: url, status: status, replyFields: fields.map { HTTPField($0.0, $0.1) }
            ).map { text($0.bytes) }
        }
        #expect(keys("POST", 200) == ["http://a/b"])
        #expect(keys("FOO", 302) == ["http://a/b"])
        #expect(keys("DELETE", 404).isEmpty)
        #expect(keys("GET", 200).isEmpty)
        #expect(
            keys("PUT", 201, fields: [("Location", "/c"), ("Content-Location", "http://a/d")])
                == ["http://a/b", "http://a/c", "http://a/d"])
        #expect(
            keys("POST", 201, fields: [("Location", "http://other/c"), ("Content-Location", "b")]) == ["http://a/b"])
        #expect(keys("POST", 201, fields: [("Location", "mailto:x")]) == ["http://a/b"])
    }
}
