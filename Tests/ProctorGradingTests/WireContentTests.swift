import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

/// Facts about a request's content: framing, chunks, trailers, forms and parts.
struct WireContentTests {
    struct Row: CustomTestStringConvertible {
        let fact: FactName.WireFact
        let request: Int
        let expected: Fact.Expectation
        /// nil when it holds, else what the finding says.
        let complaint: String?

        init(_ request: Int, _ fact: FactName.WireFact, _ expected: Fact.Expectation, _ complaint: String? = nil) {
            self.fact = fact
            self.request = request
            self.expected = expected
            self.complaint = complaint
        }

        var testDescription: String { "\(request) \(fact) \(expected)" }
    }

    private static func framingRows() -> [Row] {
        [
            Row(0, .framing, .literal("none")), Row(1, .framing, .literal("length")),
            Row(2, .framing, .literal("chunked")),
            Row(1, .framing, .literal("chunked"), #"wanted "chunked", got "length""#),
            Row(0, .chunks, .absent), Row(1, .chunks, .absent),
            Row(2, .chunks, .literals("3", "5")),
            Row(2, .chunks, .literals("5", "3"), #"wanted ["5", "3"], got ["3", "5"]"#),
            Row(2, .chunks, .absent, #"wanted nothing, got ["3", "5"]"#),
            Row(3, .chunks, .literals()), Row(3, .body, .literal("")),
            Row(4, .chunks, .literals("4"), #"wanted ["4"], got the journal kept the sizes of 1 chunk only"#),
            Row(5, .chunks, .literals("4", "8")),
            Row(6, .chunks, .literals(), "wanted [], got the body was not read"),
        ]
    }

    private static func trailerRows() -> [Row] {
        [
            Row(2, .trailer("x-sum"), .literal("a b")), Row(2, .trailer("X-None"), .absent),
            Row(2, .trailer("X-Twice"), .literals("1", "2")), Row(1, .trailer("X-Sum"), .absent),
            Row(2, .trailer("X-Sum"), .literal("c"), #"wanted "c", got "a b""#),
            Row(2, .trailer("X-None"), .literal("c"), #"wanted "c", got nothing"#),
            Row(5, .trailer("X-Sum"), .absent, "wanted nothing, got the body was cut short, before any trailer"),
        ]
    }

    private static func formRows() -> [Row] {
        [
            Row(1, .form("name"), .literal("J. Ü+")), Row(1, .form("tag"), .literals("a", "b")),
            Row(1, .form("ключ"), .literal("")), Row(1, .form("Name"), .absent),
            Row(1, .form("name"), .literal("J"), #"wanted "J", got "J. Ü+""#),
            Row(1, .form("none"), .literal("J"), #"wanted "J", got nothing"#),
            Row(2, .form("name"), .absent, "wanted nothing, got a body without a Content-Type"),
            Row(7, .form("name"), .absent, #"wanted nothing, got a body of type "text/plain""#),
            Row(6, .form("name"), .absent, "wanted nothing, got the body was not read"),
            Row(8, .form("a"), .literal("1"), #"wanted "1", got the journal kept 4 of 9 bytes of the body"#),
            Row(9, .form("a"), .literal("1"), #"wanted "1", got a body that was cut short after 3 bytes"#),
        ]
    }

    private static func partRows() -> [Row] {
        [
            Row(10, .partCount, .literal("2")), Row(10, .partCount, .range(minimum: 2, maximum: nil)),
            Row(10, .part(index: 0, .name), .literal("note")), Row(10, .part(index: 0, .filename), .absent),
            Row(10, .part(index: 0, .type), .absent), Row(10, .part(index: 0, .body), .literal("hello")),
            Row(10, .part(index: 1, .filename), .literal("../ä.txt")),
            Row(10, .part(index: 1, .type), .literal("text/plain; charset=utf-8")),
            Row(10, .part(index: 1, .body), .literal("")), Row(10, .part(index: 2, .name), .absent),
            Row(10, .partCount, .literal("3"), "wanted 3, got 2"),
            Row(1, .partCount, .literal("2"), #"wanted "2", got a body of type "application/x-www-form-urlencoded""#),
            Row(
                11, .part(index: 0, .name), .absent,
                "wanted nothing, got a form that can't be read: the form ends without its closing boundary; "
                    + #"write "--", the boundary and "--" last"#),
        ]
    }

    /// The requests in the order in which the rows number them.
    static func journal() throws -> [JournalEntry] {
        let form = "Content-Type: application/x-www-form-urlencoded"
        let multipart = "Content-Type: multipart/form-data; boundary=b"
        let note = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
        let file =
            "--b\r\nContent-Disposition: form-data; name=f; filename=\"../ä.txt\"\r\n"
            + "Content-Type: text/plain; charset=utf-8\r\n\r\n\r\n"
        var script = JournalScript()
        script.open()
        try script.request("GET /", body: nil)
        try script.request(
            "POST /1", fields: ["Host: x", "Content-Length: 9", form],
            body: "tag=a&name=J.+%C3%9C%2B&tag=b&%D0%BA%D0%BB%D1%8E%D1%87")
        try script.chunkedRequest(
            "PUT /2", body: "abcdefgh", chunks: [3, 5],
            trailers: ["X-Twice: 1", "X-Sum:  a\r\n  b ", "x-twice:2"])
        try script.chunkedRequest("PUT /3", body: "", chunks: [])
        try script.chunkedRequest("PUT /4", body: "abcdefgh", chunks: [4])
        try script.chunkedRequest("PUT /5", body: "abcdef", chunks: [4, 8], isComplete: false)
        try script.request("PUT /6", fields: ["Host: x", "Transfer-Encoding: chunked", form], body: nil)
        try script.request("POST /7", fields: ["Host: x", "Content-Type: text/plain"], body: "a=1")
        try script.request("POST /8", fields: ["Host: x", form], body: "a=1&b=345", kept: 4)
        try script.chunkedRequest("POST /9", fields: [form], body: "a=1", chunks: [9], isComplete: false)
        try script.request("POST /10", fields: ["Host: x", multipart], body: note + file + "--b--\r\n")
        try script.request("POST /11", fields: ["Host: x", multipart], body: note)
        return script.entries
    }

    @Test(arguments: framingRows() + trailerRows() + formRows() + partRows())
    func `a fact about content is measured from the journal`(row: Row) throws {
        let name = FactName.wire(index: row.request, row.fact)
        let asked = Fact(name: name, expected: row.expected, location: place)
        let empty = try makeCase()
        let item = Case(
            name: "a", kind: .must, summary: nil, spec: [], client: empty.client, wire: nil, lanes: [:], ambient: [:],
            facts: [asked], location: place)
        let verdict = WireGrader(item).grade(try Self.journal())
        if let complaint = row.complaint, complaint.contains("the journal kept") || complaint.contains("was not read") {
            #expect(verdict.undecidedFacts == [name] && verdict.findings.isEmpty)
            return
        }
        #expect(verdict.failures.map(\.sentence) == (row.complaint.map { ["\(name.text): \($0)"] } ?? []))
    }
}
