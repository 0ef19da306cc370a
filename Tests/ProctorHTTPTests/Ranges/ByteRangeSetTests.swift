import ProctorHTTP
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

    @Test func `nothing that is there is unsatisfiable, with one range that is there it is a part`() {
        #expect(Self.selection([("Range", "bytes=100-")]) == .unsatisfiable)
        #expect(Self.selection([("Range", "bytes=0-")], length: 0) == .unsatisfiable)
        #expect(Self.selection([("Range", "bytes=100-, -1")]) == .parts([99..<100]))
    }

    @Test func `of nothing, the last bytes are the whole`() {
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
