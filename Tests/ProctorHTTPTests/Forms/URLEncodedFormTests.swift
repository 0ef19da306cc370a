import ProctorHTTP
import Testing

/// WHATWG URL §5.1 and §5.2.
struct URLEncodedFormTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let input: String
        let pairs: [(String, String)]
        /// As it is written again; nil for the same.
        var written: String?
        var testDescription: String { input }
    }

    /// The middle ones are from web-platform-tests, url/urlencoded-parser.any.js.
    static let rows: [Row] = [
        Row(input: "", pairs: []), Row(input: "a=b", pairs: [("a", "b")]),
        Row(input: "a", pairs: [("a", "")], written: "a="),
        Row(input: "a=b=c", pairs: [("a", "b=c")], written: "a=b%3Dc"),
        Row(input: "&&a=1&&b=2&", pairs: [("a", "1"), ("b", "2")], written: "a=1&b=2"),
        Row(input: "=", pairs: [("", "")]), Row(input: "=v", pairs: [("", "v")]),
        Row(input: "a=1&a=2", pairs: [("a", "1"), ("a", "2")]),
        Row(input: "test=%FE%FF", pairs: [("test", "\u{FE}\u{FF}")]),
        Row(input: "\u{FE}\u{FF}=", pairs: [("\u{FE}\u{FF}", "")], written: "%FE%FF="),
        Row(input: "%=a", pairs: [("%", "a")], written: "%25=a"),
        Row(input: "%a=a", pairs: [("%a", "a")], written: "%25a=a"),
        Row(input: "%a_=a", pairs: [("%a_", "a")], written: "%25a_=a"),
        Row(input: "%61=a", pairs: [("a", "a")], written: "a=a"),
        Row(input: "%61+%4d%4D=", pairs: [("a MM", "")], written: "a+MM="),
        Row(input: "id=0&value=%", pairs: [("id", "0"), ("value", "%")], written: "id=0&value=%25"),
        Row(input: "b=%2", pairs: [("b", "%2")], written: "b=%252"),
        Row(input: "b=%%2a", pairs: [("b", "%*")], written: "b=%25*"),
        Row(input: "a=%2B+%26%3D", pairs: [("a", "+ &=")]),
        Row(input: "a=%0D%0A*-._~", pairs: [("a", "\r\n*-._~")], written: "a=%0D%0A*-._%7E"),
    ]

    @Test(arguments: rows)
    func `a form is read and written`(_ row: Row) throws {
        let form = try URLEncodedForm(parsing: bytes(row.input))
        #expect(form.pairs.map(\.name) == row.pairs.map { bytes($0.0) })
        #expect(form.pairs.map(\.value) == row.pairs.map { bytes($0.1) })
        #expect(text(form.bytes) == row.written ?? row.input)
        #expect(try URLEncodedForm(parsing: form.bytes) == form, "what is written is read back")
    }

    @Test func `values are found by name, in order`() throws {
        let form = try URLEncodedForm(parsing: bytes("a=1&b=2&a=3"))
        #expect(form.values(of: "a") == [bytes("1"), bytes("3")])
        #expect(form.values(of: "c").isEmpty)
    }

    @Test func `a thousand pairs are read, and one more is refused with place and bound`() throws {
        let full = String(repeating: "a=1&", count: 1_000)
        #expect(try URLEncodedForm(parsing: bytes(full)).pairs.count == 1_000)
        let error = try #require(throws: FormViolation.self) { try URLEncodedForm(parsing: bytes(full + "b")) }
        #expect(error == FormViolation(.tooManyPairs(bound: 1_000), at: 4_000))
        #expect(error.description.contains("1000"))
    }

    @Test(arguments: 0..<4)
    func `any bytes written are the bytes read`(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<200 {
            func some() -> [UInt8] { (0..<(random.next() % 12)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            let form = URLEncodedForm(
                (0..<(random.next() % 5)).map { _ in URLEncodedForm.Pair(name: some(), value: some()) })
            #expect(try URLEncodedForm(parsing: form.bytes) == form)
        }
    }
}
