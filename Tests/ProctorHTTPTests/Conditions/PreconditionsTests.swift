import ProctorHTTP
import Testing

/// RFC 9110 §13.1 and §13.2.
struct PreconditionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method = "GET"
        let fields: [(String, String)]
        var state: Validators? = Validators(entityTag: EntityTag(opaque: "1".utf8), lastModified: 600)
        let outcome: Preconditions.Outcome

        var testDescription: String {
            "\(method) \(fields.map { "\($0.0): \($0.1)" }.joined(separator: "; ")) -> \(outcome)"
        }
    }

    private static let before = "Thu, 01 Jan 1970 00:09:59 GMT"
    private static let same = "Thu, 01 Jan 1970 00:10:00 GMT"
    private static let after = "Thu, 01 Jan 1970 00:10:01 GMT"
    private static let weak = Validators(entityTag: EntityTag(opaque: "1".utf8, isWeak: true))

    static let ifMatch: [Row] = [
        Row(fields: [("If-Match", "\"1\"")], outcome: .proceed), Row(fields: [("If-Match", "\"2\"")], outcome: .failed),
        Row(fields: [("If-Match", "\"2\", \"1\"")], outcome: .proceed),
        Row(fields: [("If-Match", "\"2\""), ("If-Match", "\"1\"")], outcome: .proceed),
        Row(fields: [("If-Match", "W/\"1\"")], outcome: .failed), Row(fields: [("If-Match", "*")], outcome: .proceed),
        Row(fields: [("If-Match", "1")], outcome: .failed), Row(fields: [("If-Match", "")], outcome: .failed),
        Row(method: "PUT", fields: [("If-Match", "*")], state: nil, outcome: .failed),
        Row(method: "PUT", fields: [("If-Match", "\"1\"")], state: nil, outcome: .failed),
        Row(method: "PUT", fields: [("If-Match", "\"1\"")], outcome: .proceed),
        Row(method: "DELETE", fields: [("If-Match", "\"2\"")], outcome: .failed),
        Row(fields: [("If-Match", "\"1\"")], state: weak, outcome: .failed),
        Row(fields: [("If-Match", "*")], state: Validators(), outcome: .proceed),
        Row(fields: [("If-Match", "\"1\"")], state: Validators(), outcome: .failed),
    ]

    static let ifNoneMatch: [Row] = [
        Row(fields: [("If-None-Match", "\"1\"")], outcome: .notModified),
        Row(method: "HEAD", fields: [("If-None-Match", "\"1\"")], outcome: .notModified),
        Row(method: "PUT", fields: [("If-None-Match", "\"1\"")], outcome: .failed),
        Row(method: "POST", fields: [("If-None-Match", "\"1\"")], outcome: .failed),
        Row(fields: [("If-None-Match", "W/\"1\"")], outcome: .notModified),
        Row(fields: [("If-None-Match", "\"1\"")], state: weak, outcome: .notModified),
        Row(fields: [("If-None-Match", "\"2\"")], outcome: .proceed),
        Row(fields: [("If-None-Match", "\"2\", W/\"1\"")], outcome: .notModified),
        Row(fields: [("If-None-Match", "*")], outcome: .notModified),
        Row(method: "PUT", fields: [("If-None-Match", "*")], outcome: .failed),
        Row(method: "PUT", fields: [("If-None-Match", "*")], state: nil, outcome: .proceed),
        Row(fields: [("If-None-Match", "1")], outcome: .proceed),
        Row(fields: [("If-None-Match", "*")], state: Validators(), outcome: .notModified),
        Row(fields: [("If-None-Match", "\"1\"")], state: Validators(), outcome: .proceed),
    ]

    static let dates: [Row] = [
        Row(fields: [("If-Modified-Since", before)], outcome: .proceed),
        Row(fields: [("If-Modified-Since", same)], outcome: .notModified),
        Row(fields: [("If-Modified-Since", after)], outcome: .notModified),
        Row(method: "HEAD", fields: [("If-Modified-Since", same)], outcome: .notModified),
        Row(method: "POST", fields: [("If-Modified-Since", same)], outcome: .proceed),
        Row(fields: [("If-Modified-Since", "0")], outcome: .proceed),
        Row(fields: [("If-Modified-Since", same), ("If-Modified-Since", same)], outcome: .proceed),
        Row(fields: [("If-Modified-Since", same)], state: Validators(), outcome: .proceed),
        Row(fields: [("If-Modified-Since", "Thursday, 01-Jan-70 00:10:00 GMT")], outcome: .notModified),
        Row(fields: [("If-Unmodified-Since", before)], outcome: .failed),
        Row(fields: [("If-Unmodified-Since", same)], outcome: .proceed),
        Row(fields: [("If-Unmodified-Since", after)], outcome: .proceed),
        Row(method: "PUT", fields: [("If-Unmodified-Since", before)], outcome: .failed),
        Row(fields: [("If-Unmodified-Since", "yesterday")], outcome: .proceed),
        Row(fields: [("If-Unmodified-Since", before)], state: Validators(), outcome: .proceed),
        Row(fields: [("If-Unmodified-Since", before)], state: nil, outcome: .proceed),
    ]

    /// §13.2.2: which condition counts when there are several.
    static let order: [Row] = [
        Row(fields: [("If-Match", "\"1\""), ("If-Unmodified-Since", before)], outcome: .proceed),
        Row(fields: [("If-Match", "\"2\""), ("If-None-Match", "\"1\"")], outcome: .failed),
        Row(fields: [("If-Match", "\"1\""), ("If-None-Match", "\"1\"")], outcome: .notModified),
        Row(fields: [("If-Unmodified-Since", before), ("If-None-Match", "\"1\"")], outcome: .failed),
        Row(fields: [("If-Unmodified-Since", after), ("If-None-Match", "\"1\"")], outcome: .notModified),
        Row(fields: [("If-None-Match", "\"2\""), ("If-Modified-Since", same)], outcome: .proceed),
        Row(fields: [("If-None-Match", "1"), ("If-Modified-Since", same)], outcome: .proceed),
        Row(fields: [("If-None-Match", "\"1\""), ("If-Modified-Since", before)], outcome: .notModified),
        Row(fields: [("If-Unmodified-Since", after), ("If-Modified-Since", after)], outcome: .notModified),
        Row(fields: [("If-Match", "*"), ("If-Modified-Since", same)], outcome: .notModified),
    ]

    static let others: [Row] =
        ["OPTIONS", "TRACE", "CONNECT"].map { Row(method: $0, fields: [("If-Match", "\"2\"")], outcome: .proceed) } + [
            Row(fields: [], outcome: .proceed), Row(fields: [], state: nil, outcome: .proceed),
            Row(fields: [("If-Range", "\"2\"")], outcome: .proceed),
        ]

    @Test(arguments: ifMatch + ifNoneMatch + dates + order + others)
    func `preconditions are evaluated in the order of the RFC`(_ row: Row) {
        let outcome = Preconditions.evaluate(
            method: row.method, fields: row.fields.map { HTTPField($0.0, $0.1) }, validators: row.state, now: 1_000)
        #expect(outcome == row.outcome)
    }

    @Test func `validators of a reply are what comes once and can be read`() {
        let fields = [
            HTTPField("ETag", "W/\"1\""), HTTPField("Last-Modified", Self.same), HTTPField("Date", Self.after),
        ]
        let all = Validators(of: fields, now: 0)
        #expect(all == Validators(entityTag: EntityTag(opaque: "1".utf8, isWeak: true), lastModified: 600, date: 601))
        #expect(Validators(of: fields + fields, now: 0) == Validators())
        #expect(Validators(of: [HTTPField("ETag", "1"), HTTPField("Date", "now")], now: 0) == Validators())
    }

    @Test func `a 304 has what a 200 would have but what describes content`() {
        let fields = [
            "Date", "Server", "ETag", "Last-Modified", "Content-Type", "content-length", "Content-Location",
            "Content-Security-Policy", "Cache-Control", "Expires", "Vary", "Content-Encoding", "Set-Cookie",
            "Transfer-Encoding",
        ].map { HTTPField($0, "x") }
        let kept = NotModified.fields(from: fields).map(\.name)
        #expect(
            kept == [
                "Date", "Server", "ETag", "Content-Location", "Content-Security-Policy", "Cache-Control", "Expires",
                "Vary", "Set-Cookie",
            ])
        #expect(NotModified.required.allSatisfy(kept.contains))
        #expect(NotModified.fields(from: [HTTPField("last-modified", "x")]).count == 1)
    }

    @Test func `a request with a condition of its own is known`() {
        #expect(Preconditions.areAny(in: [HTTPField("if-none-match", "*")]))
        #expect(!Preconditions.areAny(in: [HTTPField("Range", "bytes=0-")]))
    }
}

/// RFC 9110 §8.8.3.
struct EntityTagTests {
    @Test(arguments: [
        ("\"xyzzy\"", false, "xyzzy"), ("W/\"xyzzy\"", true, "xyzzy"), ("\"\"", false, ""), ("W/\"\"", true, ""),
        ("\"a\\b\"", false, "a\\b"), ("\"a,b\"", false, "a,b"), ("\"\u{80}\u{FF}!\"", false, "\u{80}\u{FF}!"),
        ("\"W/\"", false, "W/"),
    ])
    func `a tag is read and written`(_ value: String, _ isWeak: Bool, _ opaque: String) throws {
        let tag = try EntityTag(bytes(value))
        #expect(tag.isWeak == isWeak)
        #expect(tag.opaque == bytes(opaque))
        #expect(tag.bytes == bytes(value))
        #expect(EntityTag(opaque: bytes(opaque), isWeak: isWeak) == tag)
    }

    @Test(arguments: [
        "", "xyzzy", "\"", "\"a", "a\"", "w/\"a\"", "W\"a\"", "W/a", "W/", "W", "\"a b\"", "\"a\"b", "\"a\"\"", "'a'",
        "\"\u{7F}\"", "\"a\\\"b\"", "*", "\"a\" ", "\"a\", \"b\"", "/\"a\"",
    ])
    func `what is no tag is refused`(_ value: String) throws {
        let error = try #require(throws: FieldViolation.self) { try EntityTag(bytes(value)) }
        #expect(error.kind == .badEntityTag)
        #expect(error.description.contains("RFC 9110 §8.8.3"))
    }

    /// The table of §8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"1\"", "\"2\"", false, false),
    ])
    func `tags are compared strongly and weakly`(
        _ first: String, _ second: String, _ strongly: Bool, _ weakly: Bool
    ) throws {
        let (first, second) = (try EntityTag(bytes(first)), try EntityTag(bytes(second)))
        #expect(first.stronglyMatches(second) == strongly)
        #expect(second.stronglyMatches(first) == strongly)
        #expect(first.weaklyMatches(second) == weakly)
        #expect(second.weaklyMatches(first) == weakly)
    }

    @Test(arguments: [
        (["\"a\""], ["\"a\""], []), (["\"a\", W/\"b\",\"c,d\""], ["\"a\"", "W/\"b\"", "\"c,d\""], []),
        (["\"a\"", ",, \"b\" ,"], ["\"a\"", "\"b\""], []), (["a, \"b\""], ["\"b\""], [0]),
        (["\"a\" \"b\", \"c\""], ["\"c\""], [0]), (["\"a\", *"], ["\"a\""], [5]), (["\"a"], [], [0]), ([""], [], []),
        (["\"a\",w/\"b\",\"c\""], ["\"a\"", "\"c\""], [4]), (["*", "\"a\""], ["\"a\""], [0]),
    ])
    func `a list keeps what is a tag`(_ values: [String], _ tags: [String], _ offsets: [Int]) {
        let list = EntityTagList(values.map(bytes))
        #expect(!list.isAny)
        #expect(list.tags.map(\.bytes) == tags.map(bytes))
        #expect(list.violations.map(\.offset) == offsets)
        #expect(list.violations.allSatisfy { $0.kind == .badEntityTag })
    }

    @Test func `an asterisk alone is any state, one without a tag too`() {
        let list = EntityTagList([bytes("*")])
        #expect(list.isAny && list.tags.isEmpty && list.violations.isEmpty)
        #expect(list.stronglyMatches(nil) && list.weaklyMatches(nil))
        #expect(!EntityTagList([bytes("\"a\"")]).weaklyMatches(nil))
        #expect(EntityTagList(of: [], named: "If-Match") == nil)
    }

    @Test func `256 tags are read, and one more is refused with the bound`() {
        let full = Array(repeating: "\"a\"", count: 256).joined(separator: ",")
        #expect(EntityTagList([bytes(full)]).tags.count == 256)
        let over = EntityTagList([bytes(full + ",\"b\"")])
        #expect(over.tags.count == 256)
        #expect(over.violations.map(\.kind) == [.tooManyEntityTags])
        #expect(over.violations.first?.sentence.contains("256") == true)
    }
}
