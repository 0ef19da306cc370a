import ProctorHTTP
import ProctorTestSupport
import Testing

/// RFC 9110 §14.1 and §14.2.
struct ByteRangeSetTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let value: String
        var length = 10_000
        /// First and last byte of each that is there.
        let found: [ClosedRange<Int>]
        var testDescription: String { "\(value) of \(length)" }
    }

    /// The examples of §14.1.2, and the edges of each form.
    static let rows: [Row] = [
        Row(value: "bytes=0-499", found: [0...499]), Row(value: "bytes=500-999", found: [500...999]),
        Row(value: "bytes=-500", found: [9500...9999]), Row(value: "bytes=9500-", found: [9500...9999]),
        Row(value: "bytes=0-0,-1", found: [0...0, 9999...9999]),
        Row(value: "bytes= 0-999, 4500-5499, -1000", found: [0...999, 4500...5499, 9000...9999]),
        Row(value: "bytes=500-600,601-999", found: [500...600, 601...999]),
        Row(value: "bytes=500-700,601-999", found: [500...700, 601...999]),
        Row(value: "BYTES=5-4999999999", found: [5...9999]), Row(value: "bytes=9999-9999", found: [9999...9999]),
        Row(value: "bytes=10000-", found: []), Row(value: "bytes=10000-10001, 1-2", found: [1...2]),
        Row(value: "bytes=-0", found: []), Row(value: "bytes=-1", length: 0, found: []),
        Row(value: "bytes=0-", length: 0, found: []), Row(value: "bytes=-10001", found: [0...9999]),
        Row(value: "bytes=-99999999999999999999", found: [0...9999]),
        Row(value: "bytes=7-99999999999999999999", found: [7...9999]),
        Row(value: "bytes=99999999999999999999-", found: []), Row(value: "bytes=,, 1-2 ,,3-4,", found: [1...2, 3...4]),
        Row(value: "bytes=007-0010", found: [7...10]), Row(value: "bytes=9-9,0-0", found: [9...9, 0...0]),
    ]

    @Test(arguments: rows)
    func `ranges are cut to what is there, in the order of the request`(_ row: Row) throws {
        let set = try ByteRangeSet(bytes(row.value))
        #expect(set.satisfiable(in: row.length) == row.found.map { Range($0) })
        #expect(try ByteRangeSet(set.bytes) == set, "what is written is read back")
    }

    @Test func `the greatest length has a last byte`() throws {
        let set = try ByteRangeSet(bytes("bytes=0-\(Int.max), -1"))
        #expect(set.satisfiable(in: .max) == [0..<Int.max, Int.max - 1..<Int.max])
    }

    @Test(arguments: [
        ("items=0-1", FieldViolation.Kind.otherRangeUnit, 0), ("bytes", .badRange, 0), ("", .badRange, 0),
        ("=0-1", .badRange, 0), ("bytes 0-1", .badRange, 0), ("bytes =0-1", .badRange, 0), ("bytes=", .badRange, 0),
        ("bytes=,", .badRange, 0), ("bytes=-", .badRange, 6), ("bytes=1", .badRange, 6), ("bytes=a-b", .badRange, 6),
        ("bytes=1-b", .badRange, 6), ("bytes=0-1,x", .badRange, 10), ("bytes=0-1, +2-3", .badRange, 11),
        ("bytes=1 - 2", .badRange, 6), ("bytes=--1", .badRange, 6), ("bytes=1-2-3", .badRange, 6),
        ("bytes=5-4", .backwardRange, 6), ("bytes=0-1,5-4", .backwardRange, 10), ("bytes=0-1;2-3", .badRange, 6),
        ("bytes=0-1, bytes=2-3", .badRange, 11),
    ])
    func `one bad range spoils all`(_ value: String, _ kind: FieldViolation.Kind, _ offset: Int) throws {
        let error = try #require(throws: FieldViolation.self) { try ByteRangeSet(bytes(value)) }
        #expect(error.kind == kind)
        #expect(error.offset == offset)
        #expect(error.description.contains("RFC 9110 §14.1"))
    }

    @Test func `a hundred ranges are read, and one more is refused with the bound`() throws {
        let hundred = "bytes=" + (0..<100).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        #expect(try ByteRangeSet(bytes(hundred)).ranges.count == 100)
        let error = try #require(throws: FieldViolation.self) { try ByteRangeSet(bytes(hundred + ",300-300")) }
        #expect(error.kind == .tooManyRanges)
        #expect(error.sentence.contains("\"300-300\"") && error.sentence.contains("100"))
        #expect(ByteRangeSet([]) == nil)
        #expect(ByteRangeSet([ByteRange](repeating: .suffix(1), count: 101)) == nil)
    }

    @Test(arguments: [
        ("0-9,5-14", false), ("0-9,5-14,12-20", true), ("0-99,0-99,0-99", true), ("0-9,10-19,20-29", false),
        ((0..<11).map { "\($0 * 10)-\($0 * 10)" }.joined(separator: ","), false),
        ((0..<11).map { "\(200 - $0 * 10)-\(200 - $0 * 10)" }.joined(separator: ","), true),
        ((0..<10).map { "\(200 - $0 * 10)-\(200 - $0 * 10)" }.joined(separator: ","), false),
        ((0..<11).map { "\(9000 - $0 * 100)-\(9079 - $0 * 100)" }.joined(separator: ","), false),
    ])
    func `many overlapping or small ranges in disorder are excessive`(_ ranges: String, _ isExcessive: Bool) throws {
        #expect(try ByteRangeSet(bytes("bytes=" + ranges)).isExcessive(in: 10_000) == isExcessive)
    }
}

/// RFC 9110 §14.2, with If-Range of §13.1.5.
struct RangeSelectionTests {
    static let tag = EntityTag(opaque: "v1".utf8)

    static func selection(
        _ fields: [(String, String)], method: String = "GET", length: Int = 100, validators: Validators? = nil
    ) -> RangeSelection {
        RangeSelection(
            method: method, fields: fields.map { HTTPField($0.0, $0.1) },
            validators: validators ?? Validators(entityTag: tag), length: length, now: 1_000)
    }

    @Test func `without a range the whole is sent`() {
        #expect(Self.selection([]) == .whole(nil))
    }

    @Test func `one and several ranges are parts, in their order`() {
        #expect(Self.selection([("Range", "bytes=0-9")]) == .parts([0..<10]))
        #expect(Self.selection([("range", "bytes=90-,0-9")]) == .parts([90..<100, 0..<10]))
    }

    @Test(arguments: ["HEAD", "POST", "PUT", "get", "DELETE"])
    func `only GET has ranges`(_ method: String) {
        #expect(Self.selection([("Range", "bytes=0-9")], method: method) == .whole(nil))
    }

    @Test func `no range in the content gives 416, one range in it gives 206`() {
        #expect(Self.selection([("Range", "bytes=100-")]) == .unsatisfiable)
        #expect(Self.selection([("Range", "bytes=0-")], length: 0) == .unsatisfiable)
        #expect(Self.selection([("Range", "bytes=100-, -1")]) == .parts([99..<100]))
    }

    @Test func `a suffix range of empty content is the whole`() {
        #expect(Self.selection([("Range", "bytes=-5")], length: 0) == .whole(nil))
        #expect(Self.selection([("Range", "bytes=3-, -1")], length: 0) == .whole(nil))
        #expect(Self.selection([("Range", "bytes=-0")], length: 0) == .unsatisfiable)
        #expect(Self.selection([("Range", "bytes=-0")]) == .unsatisfiable)
    }

    @Test func `what is malformed is ignored, and why is said`() throws {
        for (fields, kind) in [
            ([("Range", "bytes=9-0")], FieldViolation.Kind.backwardRange),
            ([("Range", "lines=0-1")], .otherRangeUnit),
            ([("Range", "bytes=0-1"), ("Range", "bytes=2-3")], .severalValues),
        ] {
            guard case .whole(let violation?) = Self.selection(fields) else {
                Issue.record("\(fields) was obeyed")
                continue
            }
            #expect(violation.kind == kind)
        }
    }

    @Test func `an excess of ranges gets the whole`() {
        #expect(Self.selection([("Range", "bytes=0-,0-,0-")]) == .whole(nil))
    }

    @Test(arguments: [
        ("\"v1\"", true), ("W/\"v1\"", false), ("\"v2\"", false), ("v1", false), ("*", false),
        ("\"v1\", \"v2\"", false),
        ("", false), ("Thu, 01 Jan 1970 00:10:00 GMT", true), ("Thu, 01 Jan 1970 00:10:01 GMT", false),
        ("Thu, 01 Jan 1970 00:09:59 GMT", false), ("Fri, 01 Jan 1970 00:10:00 GMT", false),
    ])
    func `parts are sent where If-Range holds`(_ value: String, _ holds: Bool) {
        let validators = Validators(entityTag: Self.tag, lastModified: 600, date: 900)
        let fields = [("Range", "bytes=0-9"), ("If-Range", value)]
        #expect(Self.selection(fields, validators: validators) == (holds ? .parts([0..<10]) : .whole(nil)))
    }

    @Test func `If-Range does not hold for a weak state, nor by a date of the same second, nor twice`() {
        let range = ("Range", "bytes=0-9")
        let weak = Validators(entityTag: EntityTag(opaque: "v1".utf8, isWeak: true))
        #expect(Self.selection([range, ("If-Range", "\"v1\"")], validators: weak) == .whole(nil))
        #expect(Self.selection([range, ("If-Range", "W/\"v1\"")], validators: weak) == .whole(nil))
        let date = ("If-Range", "Thu, 01 Jan 1970 00:10:00 GMT")
        #expect(Self.selection([range, date], validators: Validators(lastModified: 600, date: 600)) == .whole(nil))
        #expect(
            Self.selection([range, date], validators: Validators(lastModified: 600, date: 601)) == .parts([0..<10]))
        #expect(Self.selection([range, date], validators: Validators(lastModified: 600)) == .parts([0..<10]))
        #expect(Self.selection([range, date], validators: Validators()) == .whole(nil))
        let tag = ("If-Range", "\"v1\"")
        #expect(Self.selection([range, tag, tag]) == .whole(nil))
    }
}

/// RFC 9110 §14.4.
struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-0/1", "0 0 1"), ("BYTES 5-9/*", "5 9 *"), ("bytes */10", nil), ("bytes 5-4/10", nil),
        ("bytes 5-10/10", nil), ("bytes -5-9/10", nil), ("items 0-1/2", nil), ("bytes 0-1", nil),
        ("bytes 0-99999999999999999999/*", nil), ("", nil), ("bytes +1-2/3", nil), ("bytes 1-2/", nil),
        // The examples of §14.4.
        ("bytes 42-1233/1234", "42 1233 1234"), ("bytes 42-1233/*", "42 1233 *"), ("bytes 0-499/1234", "0 499 1234"),
        ("bytes 734-1233/1234", "734 1233 1234"), ("bytes=0-1/2", nil), ("bytes 0-1/2/3", nil), ("bytes 0-1 /2", nil),
        ("bytes", nil), ("bytes ", nil), ("bytes /", nil), ("bytes -/-", nil), ("bytes 0-1/**", nil),
    ])
    func `a content range is read strictly`(text: String, parts: String?) {
        let range = ContentRange(Array(text.utf8))
        #expect(range.map { "\($0.first) \($0.last) \($0.length.map(String.init) ?? "*")" } == parts)
        guard let range else { return }
        #expect(ContentRange(range.bytes) == range, "what is written is read back")
        #expect(ContentRange(range.range, of: range.length) == range)
    }

    @Test func `its bytes can be counted, however far it reaches`() {
        #expect(ContentRange(Array("bytes 5-9/10".utf8))?.byteCount == 5)
        #expect(ContentRange(Array("bytes 0-\(Int.max - 1)/*".utf8))?.byteCount == Int.max)
        #expect(ContentRange(Array("bytes 0-\(Int.max)/*".utf8)) == nil)
    }

    @Test func `a range that is not within the whole is none`() {
        #expect(ContentRange(0..<5, of: 5).map { text($0.bytes) } == "bytes 0-4/5")
        #expect(ContentRange(3..<5, of: nil).map { text($0.bytes) } == "bytes 3-4/*")
        #expect(ContentRange(0..<6, of: 5) == nil)
        #expect(ContentRange(2..<2, of: 5) == nil)
        #expect(ContentRange(-1..<2, of: 5) == nil)
    }

    @Test(arguments: [
        ("bytes */1234", 1234), ("BYTES */0", 0), ("bytes */*", nil), ("bytes 0-1/2", nil), ("bytes */", nil),
        ("bytes */-1", nil), ("bytes */99999999999999999999", nil), ("items */1", nil), ("bytes  */1", nil), ("", nil),
        ("bytes */1 ", nil),
    ])
    func `an unsatisfied range says how long the whole is`(_ value: String, _ length: Int?) {
        let range = UnsatisfiedRange(bytes(value))
        #expect(range?.length == length)
        if let range { #expect(UnsatisfiedRange(range.bytes) == range) }
    }
}

/// RFC 9110 §14.6, read back by the reader of multipart bodies.
struct MultipartRangesTests {
    private static func body(_ ranges: MultipartRanges, of content: [UInt8]) -> [UInt8] {
        ranges.parts.flatMap { $0.head + content[$0.range] } + ranges.end
    }

    @Test func `the example of the RFC is written`() throws {
        let content = (0..<8000).map { UInt8(truncatingIfNeeded: $0) }
        let ranges = try #require(
            MultipartRanges(
                [500..<1000, 7000..<8000], of: 8000, contentType: bytes("application/pdf"),
                boundary: bytes("THIS_STRING_SEPARATES")))
        let expected =
            bytes(
                "--THIS_STRING_SEPARATES\r\nContent-Type: application/pdf\r\nContent-Range: bytes 500-999/8000\r\n\r\n")
            + content[500..<1000]
            + bytes("\r\n--THIS_STRING_SEPARATES\r\nContent-Type: application/pdf\r\n")
            + bytes("Content-Range: bytes 7000-7999/8000\r\n\r\n") + content[7000..<8000]
            + bytes("\r\n--THIS_STRING_SEPARATES--\r\n")
        #expect(Self.body(ranges, of: content) == expected)
        #expect(ranges.byteCount == expected.count)
        #expect(text(ranges.contentType) == "multipart/byteranges; boundary=THIS_STRING_SEPARATES")
    }

    @Test(arguments: 0..<8)
    func `parts written are parts read`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let content = bytes("\r\n--b\r\n--b--\r\n0123456789abcdefghij")
        for _ in 0..<40 {
            let ranges = (0...Int(random.next() % 4)).map { _ in
                let start = Int.random(in: 0..<content.count, using: &random)
                return start..<Int.random(in: start + 1...content.count, using: &random)
            }
            let boundary = bytes(random.next() % 2 == 0 ? "gap of=it" : "x'()+_,-./:=?z")
            let written = try #require(MultipartRanges(ranges, of: content.count, contentType: nil, boundary: boundary))
            let body = Self.body(written, of: content)
            #expect(body.count == written.byteCount)
            let type = try #require(MediaType(written.contentType))
            #expect(type.boundary == boundary)
            let events = try MultipartSplits.events(of: body, boundary: text(boundary))
            #expect(events.last == .ended(isClosed: true))
            let places = events.compactMap { event -> ContentRange? in
                guard case .partBegan(let fields) = event else { return nil }
                return fields.first(named: "Content-Range").flatMap { ContentRange(Array($0)) }
            }
            #expect(places.map(\.range) == ranges)
            let contents = events.compactMap { event -> [UInt8]? in
                if case .content(let content) = event { content } else { nil }
            }
            #expect(contents == ranges.map { Array(content[$0]) })
        }
    }

    @Test func `what can't be written is nil`() {
        func ranges(_ ranges: [Range<Int>], of length: Int = 10, boundary: String = "b") -> MultipartRanges? {
            MultipartRanges(ranges, of: length, contentType: nil, boundary: bytes(boundary))
        }
        #expect(ranges([0..<10]) != nil)
        #expect(ranges([]) == nil)
        #expect(ranges([1..<1]) == nil)
        #expect(ranges([0..<11]) == nil)
        #expect(ranges([-1..<2]) == nil)
        #expect(ranges([0..<Int.max], of: .max) == nil, "the body can't be counted")
        #expect(ranges([0..<Int.max / 2, 0..<Int.max / 2], of: .max) == nil)
        for boundary in ["", "a ", "a\"", "a\r", "\u{E9}", "a;b", String(repeating: "x", count: 71)] {
            #expect(ranges([0..<1], boundary: boundary) == nil, "\(boundary)")
        }
    }
}
