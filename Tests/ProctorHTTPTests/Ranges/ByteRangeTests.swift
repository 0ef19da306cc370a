import ProctorHTTP
import Testing

/// RFC 9110 §14.1 and §14.2.
struct ByteRangeSetTests {
    @Test func `a set of no range, or of too many, is none`() {
        #expect(ByteRangeSet([]) == nil)
        #expect(ByteRangeSet([ByteRange](repeating: .suffix(1), count: 101)) == nil)
    }
}
