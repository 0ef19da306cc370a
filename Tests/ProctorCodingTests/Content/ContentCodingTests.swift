import ProctorCoding
import Testing

struct ContentCodingTests {
    @Test func `a name is taken in any case`() {
        #expect(ContentCoding(name: "GZip") == .gzip)
        #expect(ContentCoding(name: "X-GZIP") == .xGzip)
        #expect(ContentCoding(name: Array("BR".utf8)) == .brotli)
        for coding in ContentCoding.allCases { #expect(ContentCoding(name: coding.rawValue) == coding) }
    }

    @Test(arguments: ["compress", "x-compress", "", "gzip ", "brotli", "dcb", "gz\u{130}p"])
    func `what is not decoded has no coding`(name: String) {
        #expect(ContentCoding(name: name) == nil)
    }
}
