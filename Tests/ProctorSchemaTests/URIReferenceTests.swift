import Testing

@testable import ProctorSchema

/// The examples of RFC 3986 §5.4, without those whose result has more than the five parts.
@Suite struct URIReferenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reference: String
        let target: String

        init(_ reference: String, _ target: String) { (self.reference, self.target) = (reference, target) }

        var testDescription: String { reference }
    }

    static let rows = [
        Row("g:h", "g:h"), Row("g", "http://a/b/c/g"), Row("./g", "http://a/b/c/g"), Row("g/", "http://a/b/c/g/"),
        Row("/g", "http://a/g"), Row("//g", "http://g"), Row("?y", "http://a/b/c/d;p?y"),
        Row("g?y", "http://a/b/c/g?y"),
        Row("", "http://a/b/c/d;p?q"), Row(".", "http://a/b/c/"), Row("./", "http://a/b/c/"), Row("..", "http://a/b/"),
        Row("../", "http://a/b/"), Row("../g", "http://a/b/g"), Row("../..", "http://a/"), Row("../../g", "http://a/g"),
        Row("../../../g", "http://a/g"), Row("/./g", "http://a/g"), Row("/../g", "http://a/g"),
        Row("g.", "http://a/b/c/g."),
        Row("..g", "http://a/b/c/..g"), Row("./../g", "http://a/b/g"), Row("g/./h", "http://a/b/c/g/h"),
        Row("g/../h", "http://a/b/c/h"), Row("g;x=1/../y", "http://a/b/c/y"),
    ]

    @Test(arguments: rows) func `a reference is resolved against a base`(_ row: Row) {
        let resolved = URIReference(row.reference).resolved(against: URIReference("http://a/b/c/d;p?q"))
        #expect(resolved.absoluteText == row.target)
    }

    @Test func `a fragment is decoded`() {
        #expect(URIReference("a#/b%25c~1").decodedFragment == "/b%c~1")
        #expect(URIReference("a#%F").decodedFragment == nil)
        #expect(URIReference("a#%FF").decodedFragment == nil)
        #expect(URIReference("a").decodedFragment == "")
    }
}
