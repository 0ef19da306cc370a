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

    // MARK: Editions

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

    // MARK: Beside other failures

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
