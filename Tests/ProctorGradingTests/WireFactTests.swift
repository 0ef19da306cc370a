import ProctorHTTP
import ProctorJournal
import ProctorScenario
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

/// Facts about names, tunnels and cookies, and why they are absent.
struct NameFactTests {
    private static func record() throws -> WireRecord {
        var script = JournalScript()
        // The way of a client by the proxy of the names: a tunnel, and requests to several origins.
        script.open(0, origin: "names")
        script.add(.tunnelOpened(authority: "home.example.org:443", origin: "secure", connection: 1), on: 0)
        script.open(1, origin: "secure")
        try script.request(
            "GET /0", on: 1, fields: ["Host: home.example.org", "Cookie: a=1; b=\"2\"; a=3", "Cookie: A=4"])
        script.open(2, origin: "names")
        let routed = try script.request("GET http://home.example.org/1", on: 2, fields: ["Host: home.example.org"])
        script.add(.routed(origin: "main", by: .absolute), on: 2, request: routed)
        // A proxy of the scenario.
        script.open(3, origin: "p")
        let connect = try script.request("CONNECT home.example.org:443", on: 3, fields: ["Host: home.example.org:443"])
        script.add(.routed(origin: "secure", by: .tunnel), on: 3, request: connect)
        script.add(.tunnelOpened(authority: "home.example.org:443", origin: "secure", connection: 4), on: 3)
        script.open(4, origin: "secure")
        try script.request("OPTIONS *", on: 4)
        try script.judged("GET /4", on: 4, cookie: "c", .wrong("c", expected: "a=1", .lost))
        script.close(4)
        script.close(3)
        script.close(0)
        return WireRecord(script.entries)
    }

    struct Row: CustomTestStringConvertible {
        let fact: String
        let expected: Fact.Expectation
        var testDescription: String { fact }
    }

    static let rows: [Row] = [
        Row(fact: "tunnels", expected: .literal("1")),
        Row(fact: "wire[0].origin", expected: .literal("secure")),
        Row(fact: "wire[1].origin", expected: .literal("main")),
        Row(fact: "wire[2].origin", expected: .literal("secure")),
        Row(fact: "wire[0].cookies", expected: .literals("a", "b", "a", "A")),
        Row(fact: "wire[0].cookies.a", expected: .literals("1", "3")),
        Row(fact: "wire[0].cookies.b", expected: .literal("\"2\"")),
        Row(fact: "wire[0].cookies.A", expected: .literal("4")),
        Row(fact: "wire[0].cookies.c", expected: .absent),
        Row(fact: "wire[1].cookies", expected: .absent),
        Row(fact: "wire[0].target-form", expected: .literal("origin")),
        Row(fact: "wire[1].target-form", expected: .literal("absolute")),
        Row(fact: "wire[2].target-form", expected: .literal("authority")),
        Row(fact: "wire[3].target-form", expected: .literal("asterisk")),
        Row(fact: "wire[0].authority", expected: .absent),
        Row(fact: "wire[1].authority", expected: .literal("home.example.org")),
        Row(fact: "wire[2].authority", expected: .literal("home.example.org:443")),
        Row(fact: "wire[3].authority", expected: .absent),
        // The connection that did nothing but carry a tunnel to a name is left out; that of the scenario's proxy counts.
        Row(fact: "connections", expected: .literal("4")),
        Row(fact: "wire[4].connection", expected: .literal("3")),
        Row(fact: "connection[2].requests", expected: .literal("1")),
    ]

    @Test(arguments: rows)
    func `facts are measured`(row: Row) throws {
        let check = FactCheck(record: try Self.record(), context: nil)
        let fact = Fact(name: try FactName(parsing: row.fact), expected: row.expected, location: place)
        #expect(check.check(fact) == .holds)
    }

    @Test(arguments: [
        ("wire[1].cookies", "nothing; the request has no Cookie field"),
        ("wire[1].cookies.a", "nothing; the request has no Cookie field"),
        ("wire[0].cookies.c", "nothing; its Cookie field has a, b, a, A"),
        (
            "wire[4].cookies.a",
            "nothing; the cookie \"a=1\" is missing: there is no Cookie field (RFC 6265 §5.4)"
        ),
        ("wire[0].authority", "nothing; its target \"/0\" names none"),
        ("wire[9].cookies", "nothing; 5 requests came"),
    ])
    func `what is absent says why`(fact: String, got: String) throws {
        let check = FactCheck(record: try Self.record(), context: nil)
        let wanted = Fact(name: try FactName(parsing: fact), expected: .literal("x"), location: place)
        guard case .fails(_, got, _) = check.check(wanted) else {
            Issue.record("\(check.check(wanted))")
            return
        }
    }

    @Test(arguments: [
        ("GET /", "0; no proxy was sent CONNECT"), ("CONNECT a.test:1", "0; CONNECT came, and no tunnel was opened"),
    ])
    func `no tunnel says why`(line: String, got: String) throws {
        var script = JournalScript()
        script.open(0, origin: "p")
        try script.request(line, fields: ["Host: a.test"])
        let check = FactCheck(record: WireRecord(script.entries), context: nil)
        let wanted = Fact(name: .tunnelCount, expected: .literal("1"), location: place)
        guard case .fails("1", got, nil) = check.check(wanted) else {
            Issue.record("\(check.check(wanted))")
            return
        }
    }

    @Test func `a violation on a connection that carries a tunnel is not lost`() {
        var script = JournalScript()
        script.open(0, origin: "names")
        script.add(.violation(Violation(.bareLF, at: 3)), on: 0)
        script.add(.tunnelOpened(authority: "a:1", origin: "main", connection: 1), on: 0)
        script.open(1)
        let record = WireRecord(script.entries)
        #expect(record.violations.count == 1 && record.connections.count == 2 && record.tunnels.isEmpty)
    }

    @Test func `the timeline tells names, tunnels and cookies with their reasons`() throws {
        var script = JournalScript()
        script.open()
        let number = try script.request("GET http://home.example.org/", fields: ["Host: home.example.org"])
        script.add(.routed(origin: "main", by: .absolute), request: number)
        script.add(.routed(origin: "alt", by: .host), request: number)
        script.add(.routed(origin: "secure", by: .tunnel), request: number)
        script.add(.tunnelOpened(authority: "home.example.org:443", origin: "secure", connection: 7))
        script.add(
            .cookiesSet([
                SetCookieNote(field: Array("a=1".utf8), outcome: .stored, revisedOutcome: nil, remarks: []),
                SetCookieNote(
                    field: Array("b=\u{1}".utf8), outcome: .stored, revisedOutcome: .ignored,
                    remarks: ["it is ignored, for it holds a control character (RFC 6265bis §5.6)"]),
                SetCookieNote(field: Array("c=1".utf8), outcome: .deleted, revisedOutcome: nil, remarks: []),
            ]), request: number)
        script.add(.cookiesJudged(.right("a=1")), request: number)
        script.add(.cookiesJudged(.right(nil, by: [.rfc6265bis])), request: number)
        for count in 1...2 {
            let open = CookieVerdict(
                sent: [], expected: Array("a=1".utf8), conformsTo: [.rfc6265, .rfc6265bis], differences: [],
                undecidedCount: count)
            script.add(.cookiesJudged(open), request: number)
        }
        script.add(.cookiesJudged(.wrong("z=9", expected: nil, .strange, .turned)), request: number)
        #expect(
            WireTimeline(script.entries).lines.dropFirst(3).map { String($0.dropFirst(14)) } == [
                "c0  r0   for main, which its target names",
                "c0  r0   for alt, which its Host names",
                "c0  r0   for secure, which its CONNECT names",
                "c0       tunnel to home.example.org:443 (secure); what comes through it is c7",
                "c0  r0   Set-Cookie: 2 stored, 1 deleted",
                #"           "a=1" stored"#,
                #"           "b=\x01" stored by RFC 6265, ignored by RFC 6265bis"#,
                "             it is ignored, for it holds a control character (RFC 6265bis §5.6)",
                #"           "c=1" deleted"#,
                "c0  r0   Cookie: a=1, as expected",
                "c0  r0   no Cookie, as RFC 6265bis alone expects it",
                "c0  r0   no Cookie, as expected, with 1 reply that sets cookies left open",
                "c0  r0   no Cookie, as expected, with 2 replies that set cookies left open",
                "c0  r0   Cookie: z=9, and not as expected: unknown, wrong-order",
                "           nobody set the cookie \"z=9\" (RFC 6265 §5.4)",
                "           \"b=2\" comes before \"a=1\" (RFC 6265 §5.4)",
                "           expected no Cookie field",
            ])
    }
}
