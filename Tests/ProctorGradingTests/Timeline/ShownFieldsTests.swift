import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// The fields that a timeline shows below a head, because the case speaks of them.
struct ShownFieldsTests {
    private func shown(_ part: String) throws -> ShownFields {
        let yaml = """
            summary: One case
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases: { one: { client: { url: / }, \(part) } }
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "a/one", file: "one.yaml")
        return ShownFields(try #require(scenario?.cases.first, "\(diagnostics)"))
    }

    private func head(_ fields: String...) throws -> RequestHead {
        var reader = RequestReader()
        var offset = 0
        let text = (["GET / HTTP/1.1", "Host: a"] + fields + ["", ""]).joined(separator: "\r\n")
        guard case .head(let head)? = reader.next(Array(text.utf8).span, at: &offset) else {
            throw Unreadable()
        }
        return head
    }

    private struct Unreadable: Error {}

    private func reply(_ status: Int, _ fields: [(String, String)]) -> SentReply {
        SentReply(
            status: status, fields: FieldSection(fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }),
            headByteCount: 1, content: nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let part: String
        let lines: [String]
        var testDescription: String { part }
    }

    @Test(arguments: [
        Row(part: "wire: request(GET /)", lines: []),
        Row(part: "facts: { \"wire[0].headers.x-a\": [ \"1\", \"2\" ] }", lines: ["X-A: 1", "x-a: 2"]),
        Row(part: "facts: { \"wire[0].headers.X-None\": null }", lines: []),
        Row(part: "facts: { \"wire[0].cookies\": [ a ] }", lines: ["Cookie: a=1"]),
        Row(part: "facts: { \"wire[0].framing\": none }", lines: ["Content-Length: 0"]),
        Row(part: "facts: { \"wire[0].authority\": null }", lines: ["Host: a"]),
    ])
    func `of a request those that a fact names are shown, as they came`(row: Row) throws {
        let head = try head("X-A: 1", "x-a: 2", "Cookie: a=1", "Content-Length: 0", "Accept: */*")
        #expect(try shown(row.part).lines(of: head) == row.lines)
    }

    @Test func `of a reply that is shown which the client goes on by`() throws {
        let shown = try shown("wire: request(GET /)")
        let fields = [("Location", "/b"), ("WWW-Authenticate", "Basic"), ("Server", "x")]
        #expect(shown.lines(of: reply(302, fields)) == ["Location: /b"])
        #expect(shown.lines(of: reply(401, fields)) == ["WWW-Authenticate: Basic"])
        #expect(shown.lines(of: reply(200, fields)).isEmpty)
        #expect(ShownFields().lines(of: reply(302, fields)).isEmpty)
    }

    @Test func `many lines are counted`() throws {
        let shown = try shown("facts: { \"wire[0].headers.X-A\": null }")
        let lines = shown.lines(of: try head(String(repeating: "X-A: 1\r\n", count: 24) + "X-A: 1"))
        #expect(lines.count == 21 && lines.last == "and 5 more such fields")
    }

    @Test func `they stand below the head in the journal's own timeline`() throws {
        let shown = try shown("facts: { \"wire[0].headers.X-A\": null }")
        let entries = [
            JournalEntry(
                sequence: 3, nanoseconds: 0, connection: 0, request: 0,
                event: .requestHead(try head("X-A: 1"), target: [0x2F]))
        ]
        let lines = WireTimeline(entries, droppedCount: 2, shown: shown).lines
        #expect(lines.count == 3 && lines[0] == "… 2 entries dropped, for want of room")
        #expect(
            lines[1].hasSuffix("GET / HTTP/1.1, 2 fields") && lines[2] == String(repeating: " ", count: 25) + "X-A: 1")
    }
}
