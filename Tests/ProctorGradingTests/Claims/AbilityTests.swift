import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

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
