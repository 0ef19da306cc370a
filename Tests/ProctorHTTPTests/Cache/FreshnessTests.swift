import ProctorHTTP
import Testing

/// RFC 9111 §4.2.
struct FreshnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [(String, String)]
        var status = 200
        let lifetime: Int
        let source: Freshness.Source
        var testDescription: String {
            "\(status) \(fields.map { "\($0.0): \($0.1)" }.joined(separator: "; ")) -> \(lifetime) by \(source)"
        }
    }

    static let rows: [Row] = [
        Row(fields: [], lifetime: 0, source: .nothing),
        Row(fields: [("Cache-Control", "max-age=60")], lifetime: 60, source: .maxAge),
        Row(fields: [("Cache-Control", "max-age=60, s-maxage=5")], lifetime: 60, source: .maxAge),
        Row(fields: [("Cache-Control", "s-maxage=5")], lifetime: 0, source: .nothing),
        Row(fields: [("Cache-Control", "max-age=x")], lifetime: 0, source: .maxAge),
        Row(
            fields: [("Cache-Control", "max-age=60"), ("Expires", date(99_999)), ("Date", date(10_000))], lifetime: 60,
            source: .maxAge),
        Row(fields: [("Date", date(9_000)), ("Expires", date(9_100))], lifetime: 100, source: .expires),
        Row(fields: [("Expires", date(10_100))], lifetime: 100, source: .expires),
        Row(fields: [("Date", date(9_000)), ("Expires", date(8_000))], lifetime: 0, source: .expires),
        Row(fields: [("Expires", "0"), ("Last-Modified", date(0))], lifetime: 0, source: .expires),
        Row(fields: [("Expires", date(20_000)), ("Expires", date(30_000))], lifetime: 0, source: .expires),
        Row(fields: [("Last-Modified", date(0))], lifetime: 1_000, source: .heuristic),
        Row(fields: [("Last-Modified", date(0)), ("Date", date(9_000))], lifetime: 900, source: .heuristic),
        Row(fields: [("Last-Modified", date(11_000))], lifetime: 0, source: .heuristic),
        Row(fields: [("Last-Modified", "x")], lifetime: 0, source: .nothing),
        Row(fields: [("Last-Modified", date(0))], status: 404, lifetime: 1_000, source: .heuristic),
        Row(fields: [("Last-Modified", date(0))], status: 302, lifetime: 0, source: .nothing),
        Row(
            fields: [("Last-Modified", date(0)), ("Cache-Control", "public")], status: 302, lifetime: 1_000,
            source: .heuristic),
        Row(fields: [("Expires", "Fri, 31 Dec 9999 23:59:59 GMT")], lifetime: 1 << 31, source: .expires),
    ]

    @Test(arguments: rows)
    func `the first that says how long counts`(_ row: Row) throws {
        let freshness = Freshness(of: try reply(row.fields, status: row.status))
        #expect(freshness.lifetime == row.lifetime)
        #expect(freshness.source == row.source)
    }

    struct AgeRow: Sendable, CustomTestStringConvertible {
        var fields: [(String, String)] = []
        var requestedAt = 10_000
        var receivedAt = 10_000
        var now = 10_000
        let age: Int
        var testDescription: String { "\(fields.map(\.1)) \(requestedAt) \(receivedAt) \(now) -> \(age)" }
    }

    /// §4.2.3, term by term.
    static let ages: [AgeRow] = [
        AgeRow(age: 0), AgeRow(now: 10_005, age: 5), AgeRow(fields: [("Date", date(9_990))], now: 10_005, age: 15),
        AgeRow(fields: [("Date", date(10_500))], now: 10_005, age: 5),
        AgeRow(fields: [("Age", "7")], now: 10_005, age: 12),
        AgeRow(fields: [("Age", "7"), ("Date", date(9_990))], now: 10_005, age: 15),
        AgeRow(fields: [("Age", "20"), ("Date", date(9_990))], now: 10_005, age: 25),
        AgeRow(requestedAt: 9_997, now: 10_005, age: 8),
        AgeRow(fields: [("Age", "7")], requestedAt: 9_997, now: 10_005, age: 15),
        AgeRow(fields: [("Date", date(9_999))], requestedAt: 9_997, now: 10_005, age: 8),
        AgeRow(fields: [("Age", "7, 9")], age: 7), AgeRow(fields: [("Age", "7"), ("Age", "9")], age: 7),
        AgeRow(fields: [("Age", "-7")], age: 0), AgeRow(fields: [("Age", "old")], age: 0), AgeRow(now: 9_000, age: 0),
        AgeRow(fields: [("Age", "99999999999999999999")], now: 10_005, age: 1 << 31),
        AgeRow(requestedAt: .min, receivedAt: .max, now: .max, age: 1 << 31),
        AgeRow(requestedAt: .max, receivedAt: .min, now: .max, age: 1 << 31),
    ]

    @Test(arguments: ages)
    func `the age is what is known of the way and of the stay`(_ row: AgeRow) throws {
        let stored = try reply(row.fields, requestedAt: row.requestedAt, receivedAt: row.receivedAt)
        #expect(Freshness(of: stored).age(at: row.now) == row.age)
        #expect(stored.fields(servedAt: row.now).all(named: "Age").map(\.value) == ["\(row.age)"])
    }

    @Test func `a reply is fresh until its age is its lifetime`() throws {
        let freshness = Freshness(of: try reply([("Cache-Control", "max-age=60"), ("Age", "10")]))
        #expect(freshness.isFresh(at: 10_049))
        #expect(!freshness.isFresh(at: 10_050))
    }
}

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

    @Test(arguments: [
        ("max-age=0", 0), ("max-age=60", 60), ("max-age=\"60\"", 60), ("max-age=2147483648", 1 << 31),
        ("max-age=99999999999999999999999", 1 << 31), ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0),
        ("max-age=1.5", 0), ("max-age=60s", 0), ("max-age=+60", 0), ("max-age=6 0", 0), ("s-maxage=60", nil), ("", nil),
        (",,max-age=5,", 5), ("max-age=007", 7),
    ])
    func `unreadable seconds count as zero`(_ value: String, _ seconds: Int?) {
        #expect(Self.directives(value).seconds(of: "max-age") == seconds)
    }
}
