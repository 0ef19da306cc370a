import Testing

@testable import ProctorReference

/// RFC 9110 §14.4.
struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-0/1", "0 0 1"), ("BYTES 5-9/*", "5 9 *"), ("bytes */10", nil), ("bytes 5-4/10", nil),
        ("bytes 5-10/10", nil), ("bytes -5-9/10", nil), ("items 0-1/2", nil), ("bytes 0-1", nil),
        ("bytes 0-99999999999999999999/*", nil), ("", nil), ("bytes +1-2/3", nil), ("bytes 1-2/", nil),
    ])
    func `a content range is read strictly`(text: String, parts: String?) {
        let range = ContentRange(Array(text.utf8))
        #expect(range.map { "\($0.first) \($0.last) \($0.length.map(String.init) ?? "*")" } == parts)
    }

    @Test func `its bytes can be counted, however far it reaches`() {
        #expect(ContentRange(Array("bytes 5-9/10".utf8))?.byteCount == 5)
        #expect(ContentRange(Array("bytes 0-\(Int.max - 1)/*".utf8))?.byteCount == Int.max)
        #expect(ContentRange(Array("bytes 0-\(Int.max)/*".utf8)) == nil)
    }
}
