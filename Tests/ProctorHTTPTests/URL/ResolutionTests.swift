import ProctorHTTP
import Testing

struct ResolutionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reference: String
        let base: String
        let target: String

        init(_ reference: String, _ target: String, from base: String = "http://a/b/c/d;p?q") {
            self.reference = reference
            self.target = target
            self.base = base
        }

        var testDescription: String { "\"\(reference)\" from \(base) is \(target)" }
    }

    /// RFC 3986 §5.4.1.
    static let normal: [Row] = [
        Row("g:h", "g:h"), Row("g", "http://a/b/c/g"), Row("./g", "http://a/b/c/g"), Row("g/", "http://a/b/c/g/"),
        Row("/g", "http://a/g"), Row("//g", "http://g"), Row("?y", "http://a/b/c/d;p?y"),
        Row("g?y", "http://a/b/c/g?y"), Row("#s", "http://a/b/c/d;p?q#s"), Row("g#s", "http://a/b/c/g#s"),
        Row("g?y#s", "http://a/b/c/g?y#s"), Row(";x", "http://a/b/c/;x"), Row("g;x", "http://a/b/c/g;x"),
        Row("g;x?y#s", "http://a/b/c/g;x?y#s"), Row("", "http://a/b/c/d;p?q"), Row(".", "http://a/b/c/"),
        Row("./", "http://a/b/c/"), Row("..", "http://a/b/"), Row("../", "http://a/b/"), Row("../g", "http://a/b/g"),
        Row("../..", "http://a/"), Row("../../", "http://a/"), Row("../../g", "http://a/g"),
    ]

    /// RFC 3986 §5.4.2, strict.
    static let abnormal: [Row] = [
        Row("../../../g", "http://a/g"), Row("../../../../g", "http://a/g"), Row("/./g", "http://a/g"),
        Row("/../g", "http://a/g"), Row("g.", "http://a/b/c/g."), Row(".g", "http://a/b/c/.g"),
        Row("g..", "http://a/b/c/g.."), Row("..g", "http://a/b/c/..g"), Row("./../g", "http://a/b/g"),
        Row("./g/.", "http://a/b/c/g/"), Row("g/./h", "http://a/b/c/g/h"), Row("g/../h", "http://a/b/c/h"),
        Row("g;x=1/./y", "http://a/b/c/g;x=1/y"), Row("g;x=1/../y", "http://a/b/c/y"),
        Row("g?y/./x", "http://a/b/c/g?y/./x"), Row("g?y/../x", "http://a/b/c/g?y/../x"),
        Row("g#s/./x", "http://a/b/c/g#s/./x"), Row("g#s/../x", "http://a/b/c/g#s/../x"), Row("http:g", "http:g"),
    ]

    static let others: [Row] = [
        Row("x", "http://h/x", from: "http://h"), Row("?q", "http://h?q", from: "http://h"),
        Row("#f", "http://h#f", from: "http://h#old"), Row("", "http://h/a?", from: "http://h/a?#f"),
        Row("..", "http://h/", from: "http://h"), Row("?", "http://h/a?", from: "http://h/a?b"),
        Row("//g/../x", "http://g/x", from: "http://h/"), Row("//", "http://", from: "http://h/a"),
        Row("g", "urn:g", from: "urn:a"), Row("/g", "urn:/g", from: "urn:a:b"),
        Row("g", "/a/g", from: "/a/b?c"), Row("/.//g", "urn:/.//g", from: "urn:a"),
        Row("./b:c", "./b:c", from: "a"), Row("http://u@g:8/x?y#z", "http://u@g:8/x?y#z", from: "http://a/"),
        Row("%2e%2e/g", "http://a/b/%2e%2e/g", from: "http://a/b/c"),
        Row("g", "http://user@host:80/d/g", from: "http://user@host:80/d/f?q#f"),
    ]

    @Test(arguments: normal + abnormal + others)
    func `a reference is resolved as RFC 3986 §5 says`(_ row: Row) throws {
        let base = try URIReference(parsing: bytes(row.base))
        let target = try URIReference(parsing: bytes(row.reference)).resolved(against: base)
        #expect(text(target.bytes) == row.target)
        #expect(target == URIReference(splitting: bytes(row.target)), "components agree with the text")
    }

    @Test func `both tables of §5.4 are whole`() {
        #expect(Self.normal.count == 23)
        #expect(Self.abnormal.count == 19)
    }

    @Test(arguments: [
        ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"), ("", ""), (".", ""), ("..", ""), ("/.", "/"),
        ("/..", "/"), ("/../..", "/"), ("./../a", "a"), ("/a/..", "/"), ("/a/../", "/"), ("a/..", "/"),
        ("/a//../b", "/a/b"), ("//..", "/"), ("/a/.b/..c/...", "/a/.b/..c/..."), ("/a/b/.", "/a/b/"),
    ])
    func `dot segments are removed as §5.2.4 says`(_ path: String, _ expected: String) {
        #expect(text(URIReference.removingDotSegments(bytes(path))) == expected)
    }

    @Test func `a long path of dot segments takes time in proportion`() {
        let path = [UInt8](repeating: UInt8(ascii: "/"), count: 50_000) + bytes(String(repeating: "/..", count: 50_000))
        #expect(text(URIReference.removingDotSegments(path)) == "/")
    }
}
