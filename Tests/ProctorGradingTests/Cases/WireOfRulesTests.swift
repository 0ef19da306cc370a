import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

/// What the journal tells the rules of authentication, and where it tells nothing.
struct WireOfRulesTests {
    private func journal(
        _ statuses: [Int?], fields: [String] = [], verdict: GuardVerdict? = nil
    ) throws -> [JournalEntry] {
        var script = JournalScript()
        script.open()
        for status in statuses {
            if let verdict {
                try script.guarded("GET /a", fields: fields, verdict, status: status)
            } else {
                try script.guarded("GET /a", fields: fields, status: status)
            }
        }
        return script.entries
    }

    private func broken(_ trace: String, _ journal: [JournalEntry]) throws -> [Int] {
        try grade(makeCase(), trace, journal: journal).brokenRules.map(\.value)
    }

    private static let asked = "resume +5 challenge(basic){failures=0} answer(cancel){to=challenge} complete(cancelled)"
    private static let triedBefore =
        "resume +5 challenge(basic){failures=1} answer(cancel){to=challenge} complete(cancelled)"

    @Test func `a challenge that no status caused breaks R16`() throws {
        #expect(try broken(Self.asked, try journal([401])) == [])
        #expect(try broken(Self.asked, try journal([200])) == [16])
    }

    @Test func `a reply of raw bytes, or one cut short, may have been a 401`() throws {
        #expect(try broken(Self.asked, try journal([nil])) == [])
        var script = JournalScript()
        try script.guarded("GET /a")
        script.add(.replySent(status: nil, byteCount: 90), request: 0)
        #expect(try broken(Self.asked, script.entries) == [])
    }

    @Test func `a count of 1 before any credential breaks R17, after one it does not`() throws {
        #expect(try broken(Self.triedBefore, try journal([401])) == [17])
        #expect(try broken(Self.triedBefore, try journal([401], fields: ["Authorization: Basic dTpw"])) == [])
        #expect(try broken(Self.triedBefore, try journal([401], fields: ["Proxy-Authorization: Basic dTpw"])) == [17])
    }

    @Test func `with two tasks nobody knows whose reply it was`() throws {
        let trace =
            "resume [1]resume +5 challenge(basic){failures=0} answer(cancel){to=challenge} complete(cancelled) [1]complete(ok)"
        #expect(!(try broken(trace, try journal([200]))).contains(16))
    }

    @Test func `a count that stays after a refusal breaks R17, after an old nonce it does not`() throws {
        for (outcome, rules) in [(GuardVerdict.Outcome.stale, []), (.refused, [17])] {
            var script = JournalScript()
            try script.guarded("GET /a", .of(.challenged), status: 401)
            script.wait(milliseconds: 4)
            try script.guarded(
                "GET /a", fields: ["Authorization: Digest x=y"], .of(outcome, attempt: 1, scheme: "Digest"), status: 401
            )
            let trace =
                "resume +1 challenge(digest){failures=0} answer(use){to=challenge} +5 challenge(digest){failures=0} "
                + "answer(cancel){to=challenge} complete(cancelled)"
            #expect(try broken(trace, script.entries) == rules)
        }
    }
}
