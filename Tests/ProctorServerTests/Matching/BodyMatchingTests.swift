import Foundation
import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorReplies
@testable import ProctorScenario
@testable import ProctorServer

/// Requests that are told apart by their content: bytes, forms and parts.
struct BodyMatchingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let pattern: BodyPattern
        let type: String?
        /// nil: it was not kept whole.
        let body: [UInt8]?
        /// Empty where it matches.
        let differences: [String]
        var testDescription: String { name }

        init(
            _ name: String, _ pattern: BodyPattern, type: String? = nil, body: String?, differences: [String] = []
        ) {
            self.init(name, pattern, type: type, bytes: body.map { Array($0.utf8) }, differences: differences)
        }

        init(
            _ name: String, _ pattern: BodyPattern, type: String? = nil, bytes: [UInt8]?, differences: [String] = []
        ) {
            self.name = name
            self.pattern = pattern
            self.type = type
            body = bytes
            self.differences = differences
        }
    }

    // MARK: Bytes

    private static let base = BodyPattern.exact(
        .template(Template(parts: [.literal(Array("at ".utf8)), .base, .literal(Array(".".utf8))])))

    static let exact: [Row] = [
        Row("bytes", .exact(.literal(Array("a=1".utf8))), body: "a=1"),
        Row(
            "other bytes", .exact(.literal(Array("a=1".utf8))), body: "a=2",
            differences: [#"body: wanted 3 bytes, got 3 other bytes; from byte 2 on wanted "1", got "2""#]),
        Row(
            "bytes that break off", .exact(.literal(Array("a=1&b=2".utf8))), body: "a=1",
            differences: [#"body: wanted 7 bytes, got 3 other bytes; from byte 3 on wanted "&b=2", got nothing more"#]),
        Row(
            "a long tail is cut", .exact(.literal(Array(("{" + String(repeating: "x", count: 100)).utf8))), body: "[",
            differences: [
                "body: wanted 101 bytes, got 1 other byte; from byte 0 on wanted \"{\(String(repeating: "x", count: 31))\", got \"[\""
            ]),
        Row(
            "bytes that were not kept", .exact(.literal(Array("a=1".utf8))), body: nil,
            differences: ["body: wanted 3 bytes, got 9 bytes, of which only the first 4 are kept"]),
        Row("repetitions", .exact(.repeated(unit: Array("ab".utf8), byteCount: 5)), body: "ababa"),
        Row(
            "one repetition too many", .exact(.repeated(unit: Array("ab".utf8), byteCount: 5)), body: "ababab",
            differences: [#"body: wanted 5 bytes, got 6 other bytes; from byte 5 on wanted nothing more, got "b""#]),
        Row(
            "bytes by offset", .exact(.pattern(.offset, byteCount: 600)),
            bytes: (0..<600).map { OffsetPattern.offset.byte(at: $0) }),
        Row(
            "a wrong byte by offset", .exact(.pattern(.offset, byteCount: 600)),
            bytes: (0..<600).map { $0 == 599 ? 0x61 : OffsetPattern.offset.byte(at: $0) },
            differences: [
                "body: wanted 600 bytes, got 600 other bytes; from byte 599 on wanted "
                    + "\"\(EscapedText.escape([OffsetPattern.offset.byte(at: 599)]))\", got \"a\""
            ]),
        Row("late-bound text", base, body: "at http://127.0.0.1:7."),
        Row(
            "other late-bound text", base, body: "at http://127.0.0.1:8.",
            differences: [#"body: wanted 22 bytes, got 22 other bytes; from byte 20 on wanted "7.", got "8.""#]),
    ]

    @Test(arguments: exact)
    func `content is compared with bytes of every form`(_ row: Row) throws { try check(row) }

    // MARK: Forms

    private static let form = BodyPattern.form([
        item("a", [.literal([0x31])]), item("b c", [.wildcard]), item("a", [.literal(Array("ü".utf8))]),
    ])
    private static let urlencoded = "application/x-www-form-urlencoded"

    private static func item(_ name: String, _ parts: [BytePattern.Part]) -> RequestPattern.QueryItem {
        RequestPattern.QueryItem(name: Array(name.utf8), value: .text(BytePattern(parts: parts)))
    }

    static let forms: [Row] = [
        Row("in order", form, type: urlencoded, body: "a=1&b+c=x&a=%C3%BC"),
        Row(
            "in another order and case", form, type: "Application/X-WWW-Form-Urlencoded; charset=utf-8",
            body: "a=%c3%bc&a=1&b%20c="
        ),
        Row(
            "another value", form, type: urlencoded, body: "a=2&b+c=x&a=%C3%BC",
            differences: [#"form field a: wanted "1" and "\xC3\xBC", got "2" and "\xC3\xBC""#]),
        Row(
            "a missing field", form, type: urlencoded, body: "a=1&a=%C3%BC",
            differences: [#"form field b c: wanted "*", got none"#]),
        Row(
            "one field too many", form, type: urlencoded, body: "a=1&b+c=x&a=%C3%BC&z=9",
            differences: [#"form field z: wanted none, got "9""#]),
        Row(
            "two differences", form, type: urlencoded, body: "b+c=x&z=9&a=%C3%BC",
            differences: [
                #"form field a: wanted "1" and "\xC3\xBC", got "\xC3\xBC""#, #"form field z: wanted none, got "9""#,
            ]),
        Row(
            "another type", form, type: "text/plain", body: "a=1&b+c=x&a=%C3%BC",
            differences: [#"body: wanted a form, got content of type "text/plain""#]),
        Row("no type", form, body: "a=1", differences: ["body: wanted a form, got content without a Content-Type"]),
        Row(
            "a form that was not kept", form, type: urlencoded, body: nil,
            differences: ["body: wanted a form, got 9 bytes, of which only the first 4 are kept"]),
        Row("an empty form", .form([]), type: urlencoded, body: ""),
        Row(
            "very many fields", .form([]), type: urlencoded, body: (0..<500).map { "f\($0)" }.joined(separator: "&"),
            differences: (0..<20).map { #"form field f\#($0): wanted none, got """# } + ["body: 480 more differences"]),
        Row(
            "more fields than are read", form, type: urlencoded, body: String(repeating: "a&", count: 1_001),
            differences: [
                "body: wanted a form, got one that can't be read: the form has more than 1000 pairs, "
                    + "which is as many as are read"
            ]),
    ]

    @Test(arguments: forms)
    func `forms are compared field by field`(_ row: Row) throws { try check(row) }

    // MARK: Parts

    private static let parts = BodyPattern.parts([
        PartPattern(name: Array("note".utf8), body: .literal(Array("hello".utf8))),
        PartPattern(
            name: Array("file".utf8), fileName: .text(BytePattern(parts: [.wildcard, .literal(Array(".txt".utf8))])),
            contentType: .text(BytePattern(exactly: Array("text/plain".utf8))),
            body: .repeated(unit: [0x78], byteCount: 3)),
    ])
    private static let multipart = "multipart/form-data; boundary=\"B d\""

    private static func body(_ parts: (head: String, content: String)...) -> String {
        parts.map { "--B d\r\n\($0.head)\r\n\r\n\($0.content)\r\n" }.joined() + "--B d--\r\n"
    }

    private static let note = (head: "Content-Disposition: form-data; name=\"note\"", content: "hello")
    private static let file = (
        head: "Content-Type: text/plain\r\ncontent-disposition: form-data; name=file; filename=\"ä.txt\"",
        content: "xxx"
    )

    static let multiparts: [Row] = [
        Row("the parts", parts, type: multipart, body: body(note, file)),
        Row(
            "another order", parts, type: multipart, body: body(file, note),
            differences: [
                #"part 0 name: wanted "note", got "file""#,
                #"part 0 body: wanted 5 bytes, got 3 other bytes; from byte 0 on wanted "hello", got "xxx""#,
                #"part 1 name: wanted "file", got "note""#, #"part 1 filename: wanted "*.txt", got none"#,
                #"part 1 type: wanted "text/plain", got none"#,
                #"part 1 body: wanted 3 bytes, got 5 other bytes; from byte 0 on wanted "xxx", got "hello""#,
            ]),
        Row("a part too few", parts, type: multipart, body: body(note), differences: ["parts: wanted 2, got 1"]),
        Row(
            "another type", parts, type: "multipart/mixed; boundary=\"B d\"", body: body(note, file),
            differences: [#"body: wanted multipart/form-data, got content of type "multipart/mixed; boundary="B d"""#]),
        Row(
            "parts that were not kept", parts, type: multipart, body: nil,
            differences: ["body: wanted multipart/form-data, got 9 bytes, of which only the first 4 are kept"]),
    ]

    @Test(arguments: multiparts)
    func `parts are compared one by one`(_ row: Row) throws { try check(row) }

    // MARK: Preparing

    /// So that the stage's lock is not held while the disk is asked.
    @Test func `files are read before an exchange is chosen, and once`() throws {
        let folder = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("abc".utf8).write(to: URL(fileURLWithPath: "\(folder)/a.txt"))
        let yaml = """
            summary: a file
            exchanges:
              - { request: { method: POST, path: /, body: { file: a.txt } }, reply: { status: 200 } }
            """
        let compiled = CompiledScenario(try scenario(yaml, folder: folder))
        let parsed = try RequestView(parsing: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
        let body = Array("abc".utf8)
        let request = RequestView(
            head: parsed.head, target: parsed.target, body: body,
            decoding: DecodedBody(parsed.head, body: body, gap: nil) { nil })
        compiled.prepare(request, origin: 0)
        try FileManager.default.removeItem(atPath: "\(folder)/a.txt")
        #expect(compiled.exchanges[0].verdict(on: request) == .holds)
    }

    // MARK: Checking

    private func check(_ row: Row) throws {
        let type = row.type.map { ["Content-Type: \($0)"] } ?? []
        let lines = ["POST / HTTP/1.1", "Host: a", "Content-Length: 9"] + type
        let parsed = try RequestView(parsing: lines.joined(separator: "\r\n") + "\r\n\r\n")
        let gap = row.body == nil ? "9 bytes, of which only the first 4 are kept" : nil
        let decoded = DecodedBody(parsed.head, body: row.body, gap: gap) {
            TemplateContext(base: Array("http://127.0.0.1:7".utf8), authorities: [Array("127.0.0.1:7".utf8)])
        }
        let request = RequestView(
            head: parsed.head, target: parsed.target, body: row.body, bodyGap: gap, decoding: decoded)
        let pattern = RequestPattern(
            text: "POST /", methods: nil, target: BytePattern(exactly: [0x2F]), query: nil, headers: [],
            body: row.pattern)
        #expect(pattern.matchesBody(of: request) == row.differences.isEmpty)
        #expect(BodyDifferences(pattern, request).sentences == row.differences)
    }
}
