import ProctorHTTP
import Testing

struct EscapingTests {
    @Test(arguments: [
        ("a b", "a%20b"), ("/%2f%2", "/%2f%252"),
        ("http://u s@h/p q?r s#t u#v", "http://u%20s@h/p%20q?r%20s#t%20u%23v"),
        ("http://a b/", "http://a b/"), ("/\u{FF}", "/%FF"), ("/a?b?c/d", "/a?b?c/d"), ("/'()*!", "/'()*!"), ("", ""),
        ("a@b@c", "a@b@c"), ("//a@b@c", "//a%40b@c"),
    ])
    func `illegal bytes are escaped where escapes have a meaning`(_ given: String, _ expected: String) {
        let escaped = URIReference(splitting: bytes(given)).escapingIllegalBytes()
        #expect(text(escaped.bytes) == expected)
        #expect(escaped.escapingIllegalBytes() == escaped)
    }

    @Test func `every byte of a path is legal afterwards, and stands for itself`() throws {
        for byte in UInt8.min...UInt8.max where !"?#/".utf8.contains(byte) {
            let escaped = URIReference(splitting: [UInt8(ascii: "/"), byte]).escapingIllegalBytes()
            #expect(throws: Never.self) { try URIReference(parsing: escaped.bytes) }
            let digits = text(escaped.path.dropFirst(2))
            #expect(escaped.path.count == 2 ? escaped.path.last == byte : UInt8(digits, radix: 16) == byte)
        }
    }

    @Test(arguments: [
        ("/a/%2e/b", "/a/./b"), ("/%2E%2e/", "/../"), ("/.%2E", "/.."), ("/%2e.x", "/%2e.x"), ("/%2f", "/%2f"),
        ("/%2e?%2e#%2e", "/.?%2e#%2e"), ("%2e", "."),
    ])
    func `only whole segments of escaped dots are written plain`(_ given: String, _ expected: String) {
        #expect(text(URIReference(splitting: bytes(given)).unescapingDotSegments().bytes) == expected)
    }
}
