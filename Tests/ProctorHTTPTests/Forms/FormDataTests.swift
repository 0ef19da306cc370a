import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

/// RFC 7578.
struct FormDataTests {
    static let type = bytes("multipart/form-data; boundary=AaB03x")

    private static func form(_ body: String, limits: FormData.Limits = FormData.Limits()) throws -> FormData {
        try FormDataSplits.form(bytes(body), type: type, limits: limits).get()
    }

    private static func refusal(_ body: String, limits: FormData.Limits = FormData.Limits()) throws -> FormViolation? {
        if case .failure(let error) = try FormDataSplits.form(bytes(body), type: type, limits: limits) {
            error
        } else {
            nil
        }
    }

    @Test func `fields and files are distinguished`() throws {
        let form = try Self.form(
            """
            --AaB03x\r
            Content-Disposition: form-data; name="submit-name"\r
            \r
            Larry\r
            --AaB03x\r
            content-disposition: Form-Data; name="files"; filename="file1.txt"\r
            Content-Type: text/plain\r
            X-Other: 1\r
            \r
            line 1\r
            line 2\r
            \r
            --AaB03x\r
            Content-Disposition: form-data; name=empty\r
            \r
            \r
            --AaB03x--\r
            epilogue
            """)
        #expect(form.parts.map { text($0.name) } == ["submit-name", "files", "empty"])
        #expect(form.parts.map { $0.fileName.map { text($0) } } == [nil, "file1.txt", nil])
        #expect(form.parts.map { $0.contentType.map { text($0) } } == [nil, "text/plain", nil])
        #expect(form.parts.map { text($0.content) } == ["Larry", "line 1\r\nline 2\r\n", ""])
        #expect(form.parts[1].fields.value(of: "X-Other") == "1")
        #expect(form.parts(named: "files") == [form.parts[1]])
    }

    @Test(arguments: [
        ("name=\"a\"; filename=\"b\"", "a", "b"), ("name=\"a%22b\"", "a%22b", nil), ("name=\"a\\\"b\"", "a\"b", nil),
        ("name=\"\u{C3}\u{A9}\"; filename=\"\u{E2}\u{82}\u{AC}.txt\"", "\u{C3}\u{A9}", "\u{E2}\u{82}\u{AC}.txt"),
        ("name=a; filename=x; filename*=UTF-8''%E2%82%AC", "a", "\u{E2}\u{82}\u{AC}"),
        ("name=a; filename*=UTF-8''%E2%82%AC; filename=x", "a", "\u{E2}\u{82}\u{AC}"),
        ("name=a; filename*=koi8-r''%C1; filename=x", "a", "x"), ("name=a; filename*=UTF-8''%FF", "a", nil),
        ("name=\"\"", "", nil), ("filename=\"\"; name=a", "a", ""), ("name=a; name=b", "a", nil),
        ("NAME=a; FileName=\"../b\"", "a", "../b"),
    ])
    func `name and file name are those of the disposition`(
        _ parameters: String, _ name: String, _ fileName: String?
    ) throws {
        let form = try Self.form("--AaB03x\r\nContent-Disposition: form-data; \(parameters)\r\n\r\nx\r\n--AaB03x--")
        #expect(form.parts.map(\.name) == [bytes(name)])
        #expect(form.parts.first?.fileName == fileName.map(bytes))
    }

    @Test(arguments: [
        "", "Content-Type: text/plain\r\n", "Content-Disposition: form-data\r\n",
        "Content-Disposition: attachment; name=a\r\n", "Content-Disposition: name=a\r\n",
        "Content-Disposition: form-data; filename=a\r\n",
    ])
    func `a part that names no field is refused`(_ head: String) throws {
        let start = "--AaB03x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--AaB03x\r\n\(head)\r\n"
        let error = try #require(try Self.refusal(start + "x\r\n--AaB03x--"))
        #expect(error == FormViolation(.nameless(part: 2), at: bytes(start).count))
        #expect(error.description.contains("part 2") && error.description.contains("RFC 7578 §4.2"))
    }

    @Test(arguments: [
        nil, "application/x-www-form-urlencoded", "multipart/form-data", "multipart/mixed; boundary=a",
        "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\u{E9}", "",
    ])
    func `another type is refused`(_ type: String?) throws {
        let error = try #require(throws: FormViolation.self) {
            try FormData(parsing: [], contentType: type.map(bytes))
        }
        #expect(error.kind == .notMultipart(type.map(bytes)))
        #expect(error.sentence.contains("multipart/form-data"))
    }

    @Test func `a form that is not closed is refused at its end`() throws {
        for body in [
            "", "x", "--AaB03x\r\nContent-Disposition: form-data; name=a\r\n\r\nx", "--AaB03x", "--AaB03x\r\nA: b",
        ] {
            #expect(try Self.refusal(body) == FormViolation(.notClosed, at: body.utf8.count), "\(body)")
        }
        #expect(try Self.form("--AaB03x--").parts.isEmpty)
    }

    @Test func `a part's head that can't be read is refused where it is wrong`() throws {
        let error = try #require(try Self.refusal("--AaB03x\r\nContent Type: a\r\n\r\nx\r\n--AaB03x--"))
        guard case .partHead(let violation) = error.kind else {
            Issue.record("\(error)")
            return
        }
        #expect(violation.offset == error.offset)
        #expect((10..<25).contains(error.offset))
    }

    @Test func `parts, content and heads have bounds, which the refusal names`() throws {
        let part = "--AaB03x\r\nContent-Disposition: form-data; name=a\r\n\r\n12345\r\n"
        let limits = FormData.Limits(partCount: 2, contentByteCount: 10, headByteCount: 60)
        #expect(try Self.form(part + part + "--AaB03x--", limits: limits).parts.count == 2)
        let many = try #require(try Self.refusal(part + part + part + "--AaB03x--", limits: limits))
        #expect(many.kind == .tooManyParts(bound: 2))
        #expect(many.sentence.contains("2 parts"))
        let long = try #require(try Self.refusal(part + part.replacingFive() + "--AaB03x--", limits: limits))
        #expect(long == FormViolation(.tooLong(bound: 10), at: 2 * part.utf8.count - 7))
        #expect(long.sentence.contains("10 bytes"))
        let head = try #require(
            try Self.refusal(
                "--AaB03x\r\nContent-Disposition: form-data; name=a; filename=\"a long one\"\r\n\r\n", limits: limits))
        guard case .partHead(let violation) = head.kind else {
            Issue.record("\(head)")
            return
        }
        #expect(violation.bound == 60)
    }
}

extension String {
    /// With one byte more of content.
    fileprivate func replacingFive() -> String {
        guard let place = firstIndex(of: "5") else { return self }
        return self[..<place] + "56" + self[index(after: place)...]
    }
}

/// Reads a form whole, byte by byte and cut in two at every place; every way must give the same form or refusal.
enum FormDataSplits {
    static func form(
        _ body: [UInt8], type: [UInt8], limits: FormData.Limits = FormData.Limits(),
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws -> Result<FormData, FormViolation> {
        func read(_ pieces: [[UInt8]]) -> Result<FormData, FormViolation> {
            do throws(FormViolation) {
                var reader = try FormDataReader(contentType: type, limits: limits)
                for piece in pieces { try reader.read(piece.span) }
                return .success(try reader.finish())
            } catch {
                return .failure(error)
            }
        }
        let whole = read([body])
        #expect(read(body.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
        for cut in 0...body.count {
            #expect(
                read([Array(body[..<cut]), Array(body[cut...])]) == whole, "cut at \(cut)",
                sourceLocation: sourceLocation)
        }
        #expect(read([[], body, []]) == whole, "between empty pieces", sourceLocation: sourceLocation)
        return whole
    }
}

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

    @Test(arguments: rows)
    func `pairs are lent from the last to the first`(_ row: Row) throws {
        let input = bytes("before?" + row.input)[7...]
        var lent: [URLEncodedForm.Pair] = []
        URLEncodedForm.forEachFromLast(in: input) { lent.append(URLEncodedForm.Pair(name: $0, value: $1)) }
        let form = try URLEncodedForm(parsing: input)
        #expect(lent == form.pairs.reversed())
        #expect(URLEncodedForm.pieceCount(in: input) >= form.pairs.count)
    }

    @Test func `no bytes have no pairs`() {
        #expect(URLEncodedForm.pieceCount(in: []) == 0)
        URLEncodedForm.forEachFromLast(in: []) { Issue.record("lent \($0) and \($1)") }
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
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            func some() -> [UInt8] { (0..<(random.next() % 12)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            let form = URLEncodedForm(
                (0..<(random.next() % 5)).map { _ in URLEncodedForm.Pair(name: some(), value: some()) })
            #expect(try URLEncodedForm(parsing: form.bytes) == form)
        }
    }
}
