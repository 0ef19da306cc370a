import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Every fact the wire can show, each with what holds and what does not.
struct WireFactTests {
    /// Two connections, three requests, 120 ms between the first two.
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript.opened()
        try script.request(
            "POST /form?a=1",
            fields: ["Host: x", "Cookie: a=1", "Accept: text/html", "accept: */*", "Content-Length: 3"], body: "a=1")
        script.wait(milliseconds: 120)
        script.open(1, origin: "other")
        try script.request("GET /done", on: 1, body: nil)
        script.close(0, by: .server, .reset)
        try script.request("PUT /big", on: 1, body: "0123456789", kept: 4)
        try script.request("PUT /unread", on: 1, fields: ["Host: x", "Content-Length: 5"], body: nil)
        script.close(1, by: .server, .stopped)
        return script.entries
    }

    static let rows = [
        FactRow("wire.count", "4"), FactRow("wire.count", "4.0"), FactRow("wire.count", "3", fails: "wanted 3, got 4"),
        FactRow("wire.count", .range(minimum: 1, maximum: 4)),
        FactRow("wire.count", .range(minimum: 5, maximum: nil), fails: "wanted at least 5, got 4"),
        FactRow("wire.count", .range(minimum: nil, maximum: 3), fails: "wanted at most 3, got 4"),
        FactRow("wire.count", .range(minimum: 5, maximum: 6), fails: "wanted 5 to 6, got 4"),
        FactRow("connections", "2"), FactRow("connections", "1", fails: "wanted 1, got 2"),
        FactRow("wire[0].method", "POST"), FactRow("wire[0].method", "post", fails: #"wanted "post", got "POST""#),
        FactRow("wire[1].method", .absent, fails: #"wanted nothing, got "GET""#), FactRow("wire[4].method", .absent),
        FactRow("wire[4].method", "GET", fails: #"wanted "GET", got nothing; 4 requests came"#),
        FactRow("wire[0].query.a", "1"), FactRow("wire[0].query.b", .absent), FactRow("wire[0].target", "/form?a=1"),
        FactRow("wire[0].target", "/form", fails: #"wanted "/form", got "/form?a=1""#),
        FactRow("wire[0].version", "HTTP/1.1"),
        FactRow("wire[0].version", "HTTP/1.0", fails: #"wanted "HTTP/1.0", got "HTTP/1.1""#),
        FactRow("wire[0].body", "a=1"), FactRow("wire[1].body", ""),
        FactRow("wire[1].body", .absent, fails: #"wanted nothing, got """#),
        FactRow("wire[0].body", "a=2", fails: #"wanted "a=2", got "a=1""#),
        FactRow("wire[2].body", "0123456789", fails: #"wanted "0123456789", got the journal kept 4 of 10 bytes of it"#),
        FactRow("wire[3].body", "", fails: #"wanted "", got the body was not read"#),
        FactRow("wire[2].body.length", "10"),
        FactRow("wire[2].body.length", .range(minimum: 11, maximum: nil), fails: "wanted at least 11, got 10"),
        FactRow("wire[3].body.length", "0", fails: #"wanted "0", got the body was not read"#),
        FactRow("wire[0].connection", "0"), FactRow("wire[1].connection", .same(.wire(index: 2, .connection))),
        FactRow(
            "wire[1].connection", .same(.wire(index: 0, .connection)),
            fails: "wanted the same as wire[0].connection, which is 0, got 1"),
        FactRow(
            "wire[1].method", .same(.wire(index: 9, .method)),
            fails: #"wanted the same as wire[9].method, which is nothing, got "GET""#),
        FactRow("wire[8].method", .same(.wire(index: 9, .method))), FactRow("wire[0].origin", "main"),
        FactRow("wire[1].origin", "other"), FactRow("wire[1].origin", "main", fails: #"wanted "main", got "other""#),
        FactRow("wire[0].violations", .absent), FactRow("wire[0].violations", []),
        FactRow("wire[0].violations", ["bare-lf"], fails: #"wanted ["bare-lf"], got nothing"#),
        FactRow("wire[0].fields", ["Host", "Cookie", "Accept", "accept", "Content-Length"]),
        FactRow("wire[1].fields", ["Host", "Accept"], fails: #"wanted ["Host", "Accept"], got ["Host"]"#),
        FactRow("wire[1].fields", "Host"), FactRow("wire[0].gap", .absent),
        FactRow("wire[1].gap", .range(minimum: 100, maximum: 150)),
        FactRow("wire[1].gap", .range(minimum: nil, maximum: 100), fails: "wanted at most 100, got 120"),
        FactRow("wire[1].gap", "120"), FactRow("wire[0].headers.cookie", "a=1"),
        FactRow("wire[1].headers.Cookie", .absent),
        FactRow("wire[0].headers.Cookie", .absent, fails: #"wanted nothing, got "a=1""#),
        FactRow("wire[1].headers.Cookie", "a=1", fails: #"wanted "a=1", got nothing"#),
        FactRow("wire[0].headers.ACCEPT", ["text/html", "*/*"]),
        FactRow("wire[0].headers.Accept", "text/html", fails: #"wanted "text/html", got ["text/html", "*/*"]"#),
        FactRow("wire[0].headers.content-length", .range(minimum: 3, maximum: 3)),
        FactRow("wire[0].headers.cookie", .range(minimum: 3, maximum: 3), fails: #"wanted 3 to 3, got "a=1""#),
        FactRow("connection[0].requests", "1"), FactRow("connection[1].requests", .range(minimum: 3, maximum: 3)),
        FactRow("connection[1].requests", "1", fails: "wanted 1, got 3"),
        FactRow("connection[2].requests", "1", fails: #"wanted "1", got nothing; 2 connections were opened"#),
        FactRow("connection[0].closedBy", "server"),
        FactRow("connection[0].closedBy", "client", fails: #"wanted "client", got "server""#),
        FactRow("connection[1].closedBy", .absent), FactRow("connection[0].end", "reset"),
        FactRow("connection[1].end", "stopped"),
        FactRow("connection[0].end", "closed", fails: #"wanted "closed", got "reset""#),
    ]
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
            "GET /0", on: 1, fields: ["Host: home.example.org", #"Cookie: a=1; b="2"; a=3"#, "Cookie: A=4"])
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

    static let rows = [
        FactRow("tunnels", "1"), FactRow("wire[0].origin", "secure"), FactRow("wire[1].origin", "main"),
        FactRow("wire[2].origin", "secure"), FactRow("wire[0].cookies", ["a", "b", "a", "A"]),
        FactRow("wire[0].cookies.a", ["1", "3"]), FactRow("wire[0].cookies.b", .literal(#""2""#)),
        FactRow("wire[0].cookies.A", "4"), FactRow("wire[0].cookies.c", .absent), FactRow("wire[1].cookies", .absent),
        FactRow("wire[0].target-form", "origin"), FactRow("wire[1].target-form", "absolute"),
        FactRow("wire[2].target-form", "authority"), FactRow("wire[3].target-form", "asterisk"),
        FactRow("wire[0].authority", .absent), FactRow("wire[1].authority", "home.example.org"),
        FactRow("wire[2].authority", "home.example.org:443"), FactRow("wire[3].authority", .absent),
        // The connection that did nothing but carry a tunnel to a name is left out; that of the scenario's proxy counts.
        FactRow("connections", "4"), FactRow("wire[4].connection", "3"), FactRow("connection[2].requests", "1"),
    ]

    @Test(arguments: rows) func `facts are measured`(row: FactRow) throws {
        let check = FactCheck(record: try Self.record(), context: nil)
        let fact = Fact(name: try FactName(parsing: row.name), expected: row.expected, location: place)
        #expect(check.check(fact) == .holds)
    }

    @Test(arguments: [
        ("wire[1].cookies", "nothing; the request has no Cookie field"),
        ("wire[1].cookies.a", "nothing; the request has no Cookie field"),
        ("wire[0].cookies.c", "nothing; its Cookie field has a, b, a, A"),
        ("wire[4].cookies.a", #"nothing; the cookie "a=1" is missing: there is no Cookie field (RFC 6265 §5.4)"#),
        ("wire[0].authority", #"nothing; its target "/0" names none"#), ("wire[9].cookies", "nothing; 5 requests came"),
    ]) func `an absent value has a reason`(fact: String, got: String) throws {
        let check = FactCheck(record: try Self.record(), context: nil)
        let wanted = Fact(name: try FactName(parsing: fact), expected: "x", location: place)
        guard case .fails(_, got, _, _) = check.check(wanted) else {
            Issue.record("\(check.check(wanted))")
            return
        }
    }

    @Test(arguments: [
        ("GET /", "0; no proxy was sent CONNECT"), ("CONNECT a.test:1", "0; CONNECT came, and no tunnel was opened"),
    ]) func `a missing tunnel has a reason`(line: String, got: String) throws {
        var script = JournalScript()
        script.open(0, origin: "p")
        try script.request(line, fields: ["Host: a.test"])
        let check = FactCheck(record: WireRecord(script.entries), context: nil)
        let wanted = Fact(name: .tunnelCount, expected: "1", location: place)
        guard case .fails("1", got, nil, _) = check.check(wanted) else {
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
        var script = JournalScript.opened()
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
                "c0  r0   for main, which its target names", "c0  r0   for alt, which its Host names",
                "c0  r0   for secure, which its CONNECT names",
                "c0       tunnel to home.example.org:443 (secure); what comes through it is c7",
                "c0  r0   Set-Cookie: 2 stored, 1 deleted", #"           "a=1" stored"#,
                #"           "b=\x01" stored by RFC 6265, ignored by RFC 6265bis"#,
                "             it is ignored, for it holds a control character (RFC 6265bis §5.6)",
                #"           "c=1" deleted"#, "c0  r0   Cookie: a=1, as expected",
                "c0  r0   no Cookie, as RFC 6265bis alone expects it",
                "c0  r0   no Cookie, as expected, with 1 reply that sets cookies left open",
                "c0  r0   no Cookie, as expected, with 2 replies that set cookies left open",
                "c0  r0   Cookie: z=9, and not as expected: unknown, wrong-order",
                #"           no reply set the cookie "z=9" (RFC 6265 §5.4)"#,
                #"           "b=2" comes before "a=1" (RFC 6265 §5.4)"#, "           expected no Cookie field",
            ])
    }
}
