import ProctorEvents
import ProctorJournal
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

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

/// Cases that are none for a client, and say which ability it lacks.
struct AbilityTests {
    @Test func `what the client does not declare it lacks`() throws {
        let item = try makeCase(wire: "request(GET /a){2}", needs: [.cookieJar, .redirects])
        let verdict = try grade(item, "resume", journal: [], lanes: [.harness], abilities: [.redirects])
        #expect(verdict.outcome == .lacks(.cookieJar))
        #expect(verdict.reason == "the case needs cookie-jar, which the client does not declare")
        #expect(verdict.headline == "lacks cookie-jar: redirect/302#follow")
        #expect(!verdict.outcome.isFailure && verdict.failures.isEmpty)
    }

    @Test func `a client that declares nothing lacks nothing but a standard of its own`() throws {
        let all = try makeCase(wire: "request(GET /a)", needs: [.cookieJar, .digest])
        let fetch = try makeCase(wire: "request(GET /a)", applies: [.fetch])
        let foundation = try makeCase(wire: "request(GET /a)", applies: [.fetch, .foundation])
        for (item, lanes, word) in [
            (all, Set([Lane.harness]), "fail"), (fetch, [.harness], "lacks"), (foundation, [.harness], "lacks"),
            (foundation, [.harness, .task], "hang"),
        ] {
            let verdict = try grade(item, "resume", journal: [], lanes: lanes)
            #expect(verdict.outcome.word == word, "\(verdict)")
        }
    }

    @Test func `what only the adapter cannot do is said by the adapter`() throws {
        let item = try makeCase(wire: "request(GET /a)", needs: [.cookieJar])
        let verdict = try grade(
            item, "unimplemented(steps[0].url)", journal: [], lanes: [.harness], abilities: [.cookieJar])
        #expect(verdict.outcome == .notInThisAdapter)
        #expect(verdict.reason == "the adapter says: steps[0].url")
    }

    @Test func `what a platform lacks counts as told, and its questions cannot be answered`() throws {
        var platform = Platform(name: "bare")
        platform.lacks = [.metrics, .trustQuestion]
        let metrics = try makeCase(lanes: ["task": "response(200) data metrics complete(ok)"])
        let verdict = try grade(
            metrics, "resume response(200) answer(allow) data complete(ok) result{status=200,bytes=1}",
            platform: platform)
        #expect(verdict.outcome == .pass, "\(verdict)")
        let trust = try makeCase(
            lanes: ["task": "challenge(serverTrust) response(200) complete(ok)"],
            tasks: [makeProgram(onChallenge: [.trust])])
        #expect(try grade(trust, "resume complete(ok)", platform: platform).outcome == .lacks(.trustQuestion))
    }
}
