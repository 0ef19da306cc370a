import ProctorHTTP
import ProctorTestSupport
import Testing

/// RFC 9110 §14.1 and §14.2.
struct ByteRangeSetTests {
    @Test func `a hundred ranges are read, and one more is refused with the bound`() throws {
        let hundred = "bytes=" + (0..<100).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        #expect(try ByteRangeSet(bytes(hundred)).ranges.count == 100)
        let error = try #require(throws: FieldViolation.self) { try ByteRangeSet(bytes(hundred + ",300-300")) }
        #expect(error.kind == .tooManyRanges)
        #expect(error.sentence.contains("\"300-300\"") && error.sentence.contains("100"))
        #expect(ByteRangeSet([]) == nil)
        #expect(ByteRangeSet([ByteRange](repeating: .suffix(1), count: 101)) == nil)
    }
}

/// RFC 9110 §14.4.
struct ContentRangeTests {
    @Test func `a range that is not within the whole is none`() {
        #expect(ContentRange(0..<5, of: 5).map { text($0.bytes) } == "bytes 0-4/5")
        #expect(ContentRange(3..<5, of: nil).map { text($0.bytes) } == "bytes 3-4/*")
        #expect(ContentRange(0..<6, of: 5) == nil)
        #expect(ContentRange(2..<2, of: 5) == nil)
        #expect(ContentRange(-1..<2, of: 5) == nil)
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
