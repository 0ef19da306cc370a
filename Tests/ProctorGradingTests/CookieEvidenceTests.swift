import ProctorHTTP
import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

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
        var script = JournalScript()
        script.open()
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
        let item = try makeCase(
            wire: wire, tasks: Array(repeating: makeProgram(), count: loads), cookies: cookies)
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

    @Test func `nothing came`() throws {
        #expect(try reason([]) == "no request came")
    }

    @Test func `nothing followed the reply that sets cookies`() throws {
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
