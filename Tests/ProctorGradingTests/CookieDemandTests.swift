import ProctorHTTP
import ProctorJournal
import ProctorReport
import Testing

@testable import ProctorGrading
@testable import ProctorProgram
@testable import ProctorScenario

/// `cookies:` of a case, and what cookies explain beside other failures.
struct CookieDemandTests {

    private func journal(_ requests: [(cookie: String?, verdict: CookieVerdict?)]) throws -> [JournalEntry] {
        var script = JournalScript.opened()
        for (index, request) in requests.enumerated() {
            try script.judged("GET /\(index)", cookie: request.cookie, request.verdict)
        }
        return script.entries
    }

    private func verdict(
        _ demand: Case.CookieDemand?, kind: Case.Kind = .must, session: SessionProgram? = nil,
        facts: [(String, Fact.Expectation)] = [], _ requests: (cookie: String?, verdict: CookieVerdict?)...
    ) throws -> WireVerdict {
        WireGrader(try makeCase(kind: kind, tasks: [makeProgram(session: session)], facts: facts, cookies: demand))
            .grade(try journal(requests))
    }

    /// Every edition with every weight of the order.
    private static let demands = ([nil] + CookieEdition.allCases).flatMap { edition in
        Case.CookieDemand.Order.allCases.map { Case.CookieDemand(edition: edition, order: $0) }
    }

    @Test(arguments: demands) func `cookies as the model expects them pass`(demand: Case.CookieDemand) throws {
        let found = try verdict(demand, (nil, nil), ("a=1", .right("a=1")), (nil, .right(nil)))
        #expect(found.outcome == .pass && found.findings.isEmpty)
    }

    @Test(arguments: demands) func `a difference fails with its sentence, the other differences, and both fields`(
        demand: Case.CookieDemand
    ) throws {
        let found = try verdict(
            demand, (nil, nil), ("z=9", .wrong("z=9", expected: "a=1", .lost, .strange)),
            (nil, .wrong(nil, expected: "a=1", .lost)))
        #expect(found.outcome == .fail)
        #expect(
            found.findings.map(\.description) == [
                """
                a.yaml:3:5: cookies of request 1: the cookie "a=1" is missing: there is no Cookie field (RFC 6265 §5.4)
                  also    : no reply set the cookie "z=9" (RFC 6265 §5.4)
                  wanted  : Cookie: a=1
                  got     : Cookie: z=9
                """,
                """
                a.yaml:3:5: cookies of request 2: the cookie "a=1" is missing: there is no Cookie field (RFC 6265 §5.4)
                  wanted  : Cookie: a=1
                  got     : no Cookie field
                """,
            ])
        #expect(found.findings.map(\.wanted) == ["Cookie: a=1", "Cookie: a=1"])
        #expect(found.findings.map(\.sequence) == [7, 11])
        guard case .cookies(let verdict)? = found.findings.first?.subject else {
            Issue.record("\(found)")
            return
        }
        #expect(verdict.differences == [.lost, .strange])
    }

    @Test func `another order is a remark, and a failure where the case asks for the order`() throws {
        let turned = CookieVerdict.wrong("b=2; a=1", expected: "a=1; b=2", .turned)
        let sentence = #"cookies of request 0: "b=2" comes before "a=1" (RFC 6265 §5.4)"#
        #expect(try verdict(.conformingInAnyOrder, ("b=2; a=1", turned)).findings.isEmpty)
        let remarked = try verdict(.conforming, ("b=2; a=1", turned))
        #expect(remarked.failures.isEmpty)
        #expect(remarked.findings.map(\.sentence) == [sentence])
        #expect(remarked.findings.map(\.weight) == [.observation] && remarked.findings.first?.location == nil)
        for edition in [nil] + CookieEdition.allCases {
            let demand = Case.CookieDemand(edition: edition, order: .required)
            let found = try verdict(demand, ("b=2; a=1", turned))
            #expect(found.outcome == .fail && found.failures.map(\.sentence) == [sentence])
            #expect(found.failures.first?.location == place)
        }
    }

    // MARK: Editions

    @Test func `the case pins an edition, and a request that is right by the other alone fails by both names`() throws {
        let first = CookieVerdict.right("a=1", by: [.rfc6265])
        #expect(try verdict(Case.CookieDemand(edition: .rfc6265), ("a=1", first)).failures.isEmpty)
        let found = try verdict(Case.CookieDemand(edition: .rfc6265bis), ("a=1", .right("a=1")), ("a=1", first))
        #expect(
            found.failures.map(\.sentence) == [
                "cookies of request 1: the case asks for RFC 6265bis, and the request is right by RFC 6265 alone"
            ])
    }

    @Test func `a pinned edition gives its own differences and its own field`() throws {
        let lost = CookieDifference(
            .missing, Array("b".utf8), sentence: #""b=2" is missing"#, section: "RFC 6265bis §5.8.3")
        let reading = CookieReading(.rfc6265bis, expected: Array("a=1; b=2".utf8), differences: [lost])
        let pinned = Case.CookieDemand(edition: .rfc6265bis)
        let other = CookieVerdict(
            sent: [Array("a=1".utf8)], expected: Array("a=1".utf8), conformsTo: [.rfc6265], differences: [],
            otherwise: reading)
        #expect(
            try verdict(pinned, ("a=1", other)).failures.map(\.description) == [
                """
                a.yaml:3:5: cookies of request 0: the case asks for RFC 6265bis, and the request is right by RFC 6265 alone
                  also    : "b=2" is missing (RFC 6265bis §5.8.3)
                  wanted  : Cookie: a=1; b=2
                  got     : Cookie: a=1
                """
            ])
        let neither = CookieVerdict(
            sent: [Array("z=9".utf8)], expected: Array("a=1".utf8), conformsTo: [], differences: [.strange],
            otherwise: reading)
        #expect(
            try verdict(pinned, ("z=9", neither)).failures.map(\.sentence) == [
                #"cookies of request 0: "b=2" is missing (RFC 6265bis §5.8.3)"#
            ])
        #expect(
            try verdict(.conforming, ("z=9", neither)).failures.map(\.sentence) == [
                #"cookies of request 0: no reply set the cookie "z=9" (RFC 6265 §5.4)"#
            ])
    }

    @Test func `the verdict names the editions that were met`() throws {
        let first = CookieVerdict.right("a=1", by: [.rfc6265])
        let both = try verdict(.conforming, (nil, nil), ("a=1", .right("a=1")))
        #expect(both.cookiesBy == CookieEdition.allCases)
        #expect(both.description == "pass\ncookies: right by RFC 6265 and RFC 6265bis")
        #expect(try verdict(.conforming, ("a=1", .right("a=1")), ("a=1", first)).cookiesBy == [.rfc6265])
        // No cookie was sent, and none was expected.
        #expect(try verdict(.conforming, (nil, nil), (nil, nil)).cookiesBy == CookieEdition.allCases)
        let lost = CookieVerdict.wrong(nil, expected: "a=1", .lost)
        #expect(try verdict(.conforming, (nil, nil), (nil, lost)).cookiesBy.isEmpty)
        #expect(try verdict(nil, (nil, nil), ("a=1", first)).cookiesBy.isEmpty)
        // There was nothing to judge.
        #expect(try verdict(.conforming, (nil, nil)).cookiesBy.isEmpty)
        #expect(try verdict(.conforming, (nil, nil), ("a=1", nil)).cookiesBy.isEmpty)
        let never = SessionProgram { $0.cookies = .never }
        #expect(try verdict(.conforming, session: never, (nil, nil), (nil, lost)).cookiesBy.isEmpty)
        // Another failure does not hide the editions.
        let failed = try verdict(.conforming, facts: [("wire.count", "3")], (nil, nil), ("a=1", first))
        #expect(failed.outcome == .fail && failed.cookiesBy == [.rfc6265])
    }

    @Test func `the verdict of a case names the editions in its text and its JSON`() throws {
        let journal = try journal([(nil, nil), ("a=1", .right("a=1", by: [.rfc6265]))])
        let trace = "response(200) answer(allow) complete(ok) result{status=200}"
        let asked = try grade(makeCase(cookies: .conforming), trace, journal: journal)
        #expect(asked.outcome == .pass && asked.cookiesBy == [.rfc6265])
        #expect(asked.description.contains("\ncookies: right by RFC 6265"))
        #expect(String(decoding: asked.json, as: UTF8.self).contains(#","cookiesBy":["rfc6265"]"#))
        let silent = try grade(makeCase(), trace, journal: journal)
        #expect(!String(decoding: silent.json, as: UTF8.self).contains("cookiesBy"))
    }

    @Test func `one edition must be right for all requests`() throws {
        let first = CookieVerdict.right("a=1", by: [.rfc6265])
        let second = CookieVerdict.right("a=1; b=2", by: [.rfc6265bis])
        #expect(try verdict(.conforming, ("a=1", first), ("a=1", first)).outcome == .pass)
        #expect(try verdict(.conforming, ("a=1", first), ("a=1; b=2", second)).cookiesBy.isEmpty)
        let found = try verdict(.conforming, ("a=1", first), ("a=1", .right("a=1")), ("a=1; b=2", second))
        #expect(
            found.failures.map(\.sentence) == [
                "cookies: no one edition is right for all requests: request 0 is right by RFC 6265 alone, "
                    + "request 2 is right by RFC 6265bis alone"
            ])
    }

    @Test func `with cookies never no request has a Cookie field`() throws {
        let never = SessionProgram { $0.cookies = .never }
        // The server expects the cookie, for it does not know of the program.
        let dropped = CookieVerdict.wrong(nil, expected: "a=1", .lost)
        #expect(try verdict(.conforming, session: never, (nil, dropped)).failures.isEmpty)
        for demand in Self.demands {
            let found = try verdict(demand, session: never, (nil, nil), ("a=1", .right("a=1")))
            #expect(
                found.failures.map(\.sentence) == [
                    "cookies of request 1: a Cookie field came, though the program says session: { cookies: never } "
                        + "(RFC 6265 §7.2)"
                ])
            #expect(found.failures.first?.wanted == "no Cookie field")
        }
        let main = SessionProgram { $0.cookies = .mainDocument }
        #expect(try verdict(.conforming, session: main, (nil, dropped)).outcome == .fail)
    }

    @Test func `a journal without cookie judgements does not pass`() throws {
        let found = try verdict(.conforming, ("a=1", nil))
        #expect(
            found.failures.map(\.sentence) == [
                "cookies of request 0: the journal has no verdict on them; grade the journal of a run"
            ])
        #expect(try verdict(nil, ("a=1", nil)).outcome == .pass)
    }

    @Test func `a case that observes notes differences`() throws {
        let found = try verdict(.conforming, kind: .observes, (nil, .wrong(nil, expected: "a=1", .lost)))
        #expect(found.outcome == .observed && found.findings.map(\.weight) == [.observation])
    }

    // MARK: Beside other failures

    @Test func `cookie differences are noted with a failure of a case without cookies`() throws {
        let lost = CookieVerdict.wrong(nil, expected: "a=1", .lost)
        let found = try verdict(nil, facts: [("wire.count", "3")], (nil, lost), ("a=1", .right("a=1")))
        #expect(
            found.findings.map(\.description) == [
                "a.yaml:3:5: wire.count: wanted 3, got 2",
                """
                observed: cookies of request 0: the cookie "a=1" is missing: there is no Cookie field (RFC 6265 §5.4)
                  wanted  : Cookie: a=1
                  got     : no Cookie field
                """,
            ])
        #expect(try verdict(nil, facts: [("wire.count", "1")], (nil, lost)).findings.isEmpty)
    }

    @Test(arguments: ["wire[0].cookies", "wire[0].cookies.a", "wire[0].headers.Cookie"])
    func `cookie differences that a held fact of the case measures are left out`(fact: String) throws {
        let lost = CookieVerdict.wrong(nil, expected: "a=1", .lost)
        let found = try verdict(nil, facts: [(fact, .absent), ("wire.count", "3")], (nil, lost))
        #expect(found.findings.count == 1)
    }

    @Test func `the reason of a verdict, its JSON and JUnit name the cookies`() throws {
        let lost = CookieVerdict.wrong(nil, expected: "a=1", .lost)
        let trace = "response(200) answer(allow) complete(ok) result{status=200}"
        let journal = try journal([(nil, lost)])
        let asked = try grade(makeCase(cookies: .conforming), trace, journal: journal)
        #expect(asked.outcome == .fail)
        #expect(asked.reason.hasPrefix("the first request, GET "), "\(asked.reason)")
        #expect(
            asked.reason.hasSuffix(", had no Cookie field; wanted Cookie: a=1, by RFC 6265 §5.4"), "\(asked.reason)")
        #expect(String(decoding: asked.json, as: UTF8.self).contains(#"{"about":"cookies","weight":"failure","#))
        let beside = try grade(makeCase(facts: [("status", "201")]), trace, journal: journal)
        #expect(beside.reason == "the status that the client reports was 200; wanted 201")
        #expect(
            beside.description.contains(#"observed: cookies of request 0: the cookie "a=1" is missing"#), "\(beside)")
        let report = ExamReport(client: "c", platform: "neutral", verdicts: [asked])
        #expect(report.junit.contains("message=\"\(asked.reason)\""))
        let text = Timeline(CaseEvidence(events: try TraceScript.events(trace), journal: journal), verdict: asked)
            .description
        #expect(text.contains("Cookie: a=1"))
    }

    @Test func `a ledger that expects any failure covers cookies`() throws {
        let ledger = Ledger(
            client: "c",
            deviations: [
                try Ledger.Deviation(
                    pattern: "redirect/302#follow", rule: nil, because: "it keeps none", wire: nil, location: place)
            ])
        let lost = CookieVerdict.wrong(nil, expected: "a=1", .lost)
        let trace = "response(200) answer(allow) complete(ok) result{status=200}"
        let found = try grade(makeCase(cookies: .conforming), trace, journal: journal([(nil, lost)]), ledger: ledger)
        #expect(found.outcome == .known)
    }
}

/// Whether there was anything by which the cookies of a client could be judged.
struct CookieEvidenceTests {
    /// One request of a run, in order.
    struct Request: Sendable {
        var target = "/a"
        var setsCookies = false
        /// How many replies that set cookies may not have been read; nil: the journal says nothing of its cookies.
        var undecidedCount: Int?

        static let setting = Request(setsCookies: true)
        static let next = Request(target: "/b")
    }

    private func reason(
        _ requests: [Request], loads: Int = 1, wire: String? = nil, cookies: Case.CookieDemand? = .conforming
    ) throws -> String? {
        var script = JournalScript.opened()
        for request in requests {
            let number = try script.request("GET \(request.target)")
            if let count = request.undecidedCount {
                let verdict = CookieVerdict(
                    sent: [], expected: Array("a=1".utf8), conformsTo: CookieEdition.allCases, differences: [],
                    undecidedCount: count)
                script.add(.cookiesJudged(verdict), request: number)
            }
            if request.setsCookies { script.add(.cookiesSet([]), request: number) }
            script.add(.replySent(status: 200, byteCount: 9), request: number)
        }
        let item = try makeCase(wire: wire, tasks: Array(repeating: makeProgram(), count: loads), cookies: cookies)
        return CookieEvidence.reasonNotJudged(in: WireRecord(script.entries), item: item)
    }

    @Test func `a request behind a reply that sets cookies can be judged`() throws {
        #expect(try reason([.setting, .next], loads: 2) == nil)
        #expect(try reason([.setting, .next], wire: "request(GET /a) request(GET /b)") == nil)
    }

    @Test func `a case that asks for no cookies lacks nothing`() throws {
        #expect(try reason([], cookies: nil) == nil)
        #expect(try reason([.setting], cookies: nil) == nil)
    }

    @Test func `without a request cookies are not judged`() throws { #expect(try reason([]) == "no request came") }

    @Test func `without a request after the reply that sets cookies they are not judged`() throws {
        #expect(try reason([.setting]) == "no request followed the reply to request 0, which sets cookies")
        #expect(
            try reason([.next, .setting], loads: 2) == "no request followed the reply to request 1, which sets cookies")
    }

    @Test func `a load of the case brought no request`() throws {
        #expect(try reason([.setting, .next], loads: 3) == "3 loads brought 2 requests")
        #expect(try reason([.next], loads: 2) == "2 loads brought 1 request")
    }

    @Test func `a request that the wire expression waits for never came`() throws {
        let wire = "request(GET /a) request(GET /b) request(GET /c)"
        #expect(
            try reason([.setting, .next], loads: 3, wire: wire) == "request 2, which the case waits for, never came")
        #expect(try reason([.setting], wire: wire) == "request 1, which the case waits for, never came")
    }

    @Test func `a load that needs no request, and one that brings another request, can be judged`() throws {
        // The third load is answered from a cache.
        #expect(try reason([.setting, .next], loads: 3, wire: "request(GET /a) request(GET /b)") == nil)
        #expect(try reason([.setting, .next], wire: "request(GET /a) request(GET /c)") == nil)
    }

    @Test func `where no reply sets a cookie, a second request shows that none is sent`() throws {
        #expect(try reason([.next, .next], loads: 2) == nil)
        #expect(try reason([.next]) == "no reply set a cookie, and no request followed the first one")
    }

    @Test func `a request that may have begun before the reply was read shows nothing`() throws {
        var early = Request.next
        early.undecidedCount = 1
        #expect(
            try reason([.setting, early])
                == "every request behind the reply to request 0, which sets cookies, may have begun before it was read")
        #expect(try reason([.setting, early, .next]) == nil)
        // One of two replies was read.
        #expect(try reason([.setting, .setting, early]) == nil)
        early.undecidedCount = 0
        #expect(try reason([.setting, early]) == nil)
    }
}
