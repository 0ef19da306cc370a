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
