import ProctorHTTP
import Testing

/// RFC 9110 §5.6.1 and §5.3.
struct HTTPFieldElementsTests {
    @Test(arguments: [
        ("a, b", ["a", "b"]), (",, a ,\tb,", ["a", "b"]), ("", []), (" , ", []), ("\"a,b\", c", ["\"a,b\"", "c"]),
        ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("a b,c", ["a b", "c"]),
    ])
    func `elements stand between commas, and empty ones are none`(_ value: String, _ elements: [String]) {
        #expect(HTTPField("X", value).elements.map { text($0) } == elements)
    }

    @Test func `a name is listed whatever its letter case`() {
        let fields = [HTTPField("Connection", "Keep-Alive"), HTTPField("connection", "x, CLOSE")]
        #expect(fields.lists("close", in: "Connection"))
        #expect(fields.lists("keep-alive", in: "Connection"))
        #expect(fields.lists("Close", in: "Connection"))
        #expect(!fields.lists("clos", in: "Connection"))
        #expect(!fields.lists("close", in: "Proxy-Connection"))
        #expect(fields.elements(of: "Connection").map { text($0) } == ["Keep-Alive", "x", "CLOSE"])
    }

    @Test func `a field with one value is refused when it comes twice`() throws {
        #expect(try [HTTPField]().singleValue(of: "A") == nil)
        #expect(try [HTTPField("a", "1")].singleValue(of: "A") == bytes("1"))
        let error = try #require(throws: FieldViolation.self) {
            try [HTTPField("a", "1"), HTTPField("A", "2")].singleValue(of: "A")
        }
        #expect(error.kind == .severalValues)
        #expect(error.description.contains("\"2\""))
    }
}
