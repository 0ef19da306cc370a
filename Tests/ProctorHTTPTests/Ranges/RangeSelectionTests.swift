import ProctorHTTP
import Testing

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
