import ProctorHTTP
import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

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
