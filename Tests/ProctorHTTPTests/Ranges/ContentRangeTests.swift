import ProctorHTTP
import Testing

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
