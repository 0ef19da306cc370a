import ProctorHTTP
import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

/// Every fact the wire can show, each with what holds and what does not.
struct WireFactTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        let expected: Fact.Expectation
        /// nil when it holds, else what the finding says behind the name.
        let complaint: String?

        init(_ name: String, _ expected: Fact.Expectation, _ complaint: String? = nil) {
            self.name = name
            self.expected = expected
            self.complaint = complaint
        }

        var testDescription: String { "\(name) \(expected)" }
    }

    /// Two connections, three requests, 120 ms between the first two.
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript()
        script.open(0)
        try script.request(
            "POST /form?a=1",
            fields: ["Host: x", "Cookie: a=1", "Accept: text/html", "accept: */*", "Content-Length: 3"],
            body: "a=1")
        script.wait(milliseconds: 120)
        script.open(1, origin: "other")
        try script.request("GET /done", on: 1, body: nil)
        script.close(0, by: .server, .reset)
        try script.request("PUT /big", on: 1, body: "0123456789", kept: 4)
        try script.request("PUT /unread", on: 1, fields: ["Host: x", "Content-Length: 5"], body: nil)
        script.close(1, by: .server, .stopped)
        return script.entries
    }

    static let rows: [Row] = [
        Row("wire.count", .literal("4")),
        Row("wire.count", .literal("4.0")),
        Row("wire.count", .literal("3"), "wanted 3, got 4"),
        Row("wire.count", .range(minimum: 1, maximum: 4)),
        Row("wire.count", .range(minimum: 5, maximum: nil), "wanted at least 5, got 4"),
        Row("wire.count", .range(minimum: nil, maximum: 3), "wanted at most 3, got 4"),
        Row("wire.count", .range(minimum: 5, maximum: 6), "wanted 5 to 6, got 4"),
        Row("connections", .literal("2")),
        Row("connections", .literal("1"), "wanted 1, got 2"),
        Row("wire[0].method", .literal("POST")),
        Row("wire[0].method", .literal("post"), #"wanted "post", got "POST""#),
        Row("wire[1].method", .absent, #"wanted nothing, got "GET""#),
        Row("wire[4].method", .absent),
        Row("wire[4].method", .literal("GET"), #"wanted "GET", got nothing; 4 requests came"#),
        Row("wire[0].target", .literal("/form?a=1")),
        Row("wire[0].target", .literal("/form"), #"wanted "/form", got "/form?a=1""#),
        Row("wire[0].version", .literal("HTTP/1.1")),
        Row("wire[0].version", .literal("HTTP/1.0"), #"wanted "HTTP/1.0", got "HTTP/1.1""#),
        Row("wire[0].body", .literal("a=1")),
        Row("wire[1].body", .literal("")),
        Row("wire[1].body", .absent, #"wanted nothing, got """#),
        Row("wire[0].body", .literal("a=2"), #"wanted "a=2", got "a=1""#),
        Row("wire[2].body", .literal("0123456789"), #"wanted "0123456789", got the journal kept 4 of 10 bytes of it"#),
        Row("wire[3].body", .literal(""), #"wanted "", got the body was not read"#),
        Row("wire[2].body.length", .literal("10")),
        Row("wire[2].body.length", .range(minimum: 11, maximum: nil), "wanted at least 11, got 10"),
        Row("wire[3].body.length", .literal("0"), #"wanted "0", got the body was not read"#),
        Row("wire[0].connection", .literal("0")),
        Row("wire[1].connection", .same(.wire(index: 2, .connection))),
        Row(
            "wire[1].connection", .same(.wire(index: 0, .connection)),
            "wanted the same as wire[0].connection, which is 0, got 1"),
        Row(
            "wire[1].method", .same(.wire(index: 9, .method)),
            "wanted the same as wire[9].method, which is nothing, got \"GET\""),
        Row("wire[8].method", .same(.wire(index: 9, .method))),
        Row("wire[0].origin", .literal("main")),
        Row("wire[1].origin", .literal("other")),
        Row("wire[1].origin", .literal("main"), #"wanted "main", got "other""#),
        Row("wire[0].violations", .absent),
        Row("wire[0].violations", .literals()),
        Row("wire[0].violations", .literals("bare-lf"), #"wanted ["bare-lf"], got nothing"#),
        Row("wire[0].fields", .literals("Host", "Cookie", "Accept", "accept", "Content-Length")),
        Row(
            "wire[1].fields", .literals("Host", "Accept"), #"wanted ["Host", "Accept"], got ["Host"]"#),
        Row("wire[1].fields", .literal("Host")),
        Row("wire[0].gap", .absent),
        Row("wire[1].gap", .range(minimum: 100, maximum: 150)),
        Row("wire[1].gap", .range(minimum: nil, maximum: 100), "wanted at most 100, got 120"),
        Row("wire[1].gap", .literal("120")),
        Row("wire[0].headers.cookie", .literal("a=1")),
        Row("wire[1].headers.Cookie", .absent),
        Row("wire[0].headers.Cookie", .absent, #"wanted nothing, got "a=1""#),
        Row("wire[1].headers.Cookie", .literal("a=1"), #"wanted "a=1", got nothing"#),
        Row("wire[0].headers.ACCEPT", .literals("text/html", "*/*")),
        Row("wire[0].headers.Accept", .literal("text/html"), #"wanted "text/html", got ["text/html", "*/*"]"#),
        Row("wire[0].headers.content-length", .range(minimum: 3, maximum: 3)),
        Row("wire[0].headers.cookie", .range(minimum: 3, maximum: 3), #"wanted 3 to 3, got "a=1""#),
        Row("connection[0].requests", .literal("1")),
        Row("connection[1].requests", .range(minimum: 3, maximum: 3)),
        Row("connection[1].requests", .literal("1"), "wanted 1, got 3"),
        Row("connection[2].requests", .literal("1"), #"wanted "1", got nothing; 2 connections were opened"#),
        Row("connection[0].closedBy", .literal("server")),
        Row("connection[0].closedBy", .literal("client"), #"wanted "client", got "server""#),
        Row("connection[1].closedBy", .absent),
        Row("connection[0].end", .literal("reset")),
        Row("connection[1].end", .literal("stopped")),
        Row("connection[0].end", .literal("closed"), #"wanted "closed", got "reset""#),
    ]

    /// A fact of what was not kept, and the absence of what never came at all, can't be judged.
    @Test(arguments: rows)
    func `a fact is measured from the journal`(row: Row) throws {
        let verdict = WireGrader(try makeCase(facts: [(row.name, row.expected)])).grade(try Self.journal())
        if row.isOpen {
            #expect(verdict.outcome == .notJudged && verdict.findings.isEmpty, "\(verdict)")
        } else if let complaint = row.complaint {
            #expect(verdict.failures.map(\.sentence) == ["\(row.name): \(complaint)"])
            #expect(verdict.failures.first?.subject == .fact(try FactName(parsing: row.name)))
        } else {
            #expect(verdict.outcome == .pass && verdict.findings.isEmpty, "\(verdict)")
        }
    }

    @Test func `a finding names the journal entry of its request`() throws {
        let verdict = WireGrader(try makeCase(facts: [("wire[1].method", .literal("PUT"))])).grade(try Self.journal())
        let finding = try #require(verdict.failures.first)
        #expect(finding.sequence == 5)
        #expect(finding.wanted == "\"PUT\"")
        #expect(finding.got == "\"GET\"")
    }

    @Test func `bytes of the peer are shown escaped and cut`() throws {
        var script = JournalScript()
        script.open()
        try script.request("POST /a", fields: ["Host: x"], body: "\u{1B}[2J" + String(repeating: "x", count: 300))
        let verdict = WireGrader(try makeCase(facts: [("wire[0].body", .absent)])).grade(script.entries)
        let sentence = try #require(verdict.failures.first?.sentence)
        #expect(sentence.hasPrefix("wire[0].body: wanted nothing, got \"\\x1B[2Jxxx"))
        #expect(sentence.hasSuffix("… (104 more bytes)\""))
    }
}

extension WireFactTests.Row {
    /// Whether the journal does not have what would tell.
    fileprivate var isOpen: Bool {
        if name == "wire[4].method", expected == .absent { return true }
        return complaint?.contains("the journal kept") == true || complaint?.contains("was not read") == true
    }
}
