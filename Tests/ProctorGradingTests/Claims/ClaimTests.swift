import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

/// What a pass rests on: every claim of the case was looked at.
struct ClaimTests {
    private func journal(_ lines: String..., status: Int = 200) throws -> [JournalEntry] {
        var script = JournalScript()
        script.wait(milliseconds: 1)
        script.open()
        for line in lines {
            let request = try script.request(line)
            script.add(.replySent(status: status, byteCount: 90), request: request)
        }
        return script.entries
    }

    private let order = ["task": "response(200) data+ complete(ok)"]

    @Test func `a client without callbacks passes by its requests and its result`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let verdict = try grade(
            item, "resume result{status=200,bytes=2,body=ok}", journal: try journal("GET /a"), lanes: [.harness])
        #expect(verdict.outcome == .pass, "\(verdict)")
        #expect(verdict.claims.map(\.state.word) == ["held", "held", "left-out"])
    }

    @Test func `one that reports no result passes nothing but its requests`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let verdict = try grade(item, "resume", journal: try journal("GET /a"), lanes: [.harness])
        #expect(verdict.outcome == .partly)
        #expect(
            verdict.reason == "1 of 2 claims was judged; how the load ended: the client reported no result for step 0")
        #expect(!verdict.outcome.isFailure)
    }

    @Test func `requests alone pass where the case asks about nothing else`() throws {
        let item = try makeCase(wire: "request(GET /a)")
        let verdict = try grade(item, "resume", journal: try journal("GET /a"), lanes: [.harness])
        #expect(verdict.outcome == .pass)
        #expect(verdict.claims.map(\.claim.subject) == [.request])
    }

    @Test func `what the client made of the reply is a claim where the case needs it, and does not say it`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        let requests = try journal("GET /a", status: 302)
        #expect(try grade(item, "resume", journal: requests, lanes: [.harness]).outcome == .partly)
        #expect(
            try grade(item, "resume result{status=302,bytes=0}", journal: requests, lanes: [.harness]).outcome == .pass)
        #expect(
            try grade(item, "resume result{error=connectionLost}", journal: requests, lanes: [.harness]).outcome
                == .pass)
        #expect(try grade(item, "resume result{bytes=0}", journal: requests, lanes: [.harness]).outcome == .partly)
    }

    @Test func `a client that does nothing passes nothing, however little may happen`() throws {
        let item = try makeCase(wire: "request(GET /a)?", facts: [("wire.count", .range(minimum: nil, maximum: 1))])
        let verdict = try grade(item, "", journal: [], lanes: [.harness])
        #expect(verdict.outcome == .notJudged)
        #expect(verdict.outcome.isFailure)
        #expect(verdict.reason.contains("nothing shows that the client did anything"))
    }

    @Test func `a case about callbacks alone is none for a client that has none`() throws {
        let item = try makeCase(
            lanes: ["session": "sessionInvalid(ok)"], edges: ["session sessionInvalid after task complete"])
        let verdict = try grade(item, "resume", journal: [], lanes: [.harness])
        // How the load ended is said nowhere, so that it is no claim that could be judged.
        #expect(verdict.outcome == .notJudged || verdict.outcome == .lacks(.callbacks), "\(verdict)")
    }

    @Test func `a fact that nobody told leaves a case judged in part`() throws {
        let item = try makeCase(lanes: order, facts: [("suggestedName", .literal("a.txt"))])
        let verdict = try grade(
            item, "resume result{status=200,bytes=2,body=ok}", lanes: [.harness],
            facts: [.status, .body, .bodyLength, .error])
        #expect(verdict.outcome == .partly)
        #expect(verdict.description.contains("not judged: suggestedName: nobody who could tell it has told it"))
    }

    @Test func `the JSON of a verdict has each claim`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let verdict = try grade(item, "resume", journal: try journal("GET /a"), lanes: [.harness])
        let json = String(decoding: verdict.json, as: UTF8.self)
        #expect(json.contains(#""outcome":"partly""#))
        #expect(json.contains(#""subject":"request, reply, callbacks""#))
        #expect(
            json.contains(#"{"about":"request","claim":"wire: request(GET /a)","state":"held"}"#), "\(json)")
        #expect(json.contains(#""state":"left-out","reason":"the client cannot report what happens there"}"#))
    }
}
