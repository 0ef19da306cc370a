import ProctorEvents
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// One test for each verdict, and for what a verdict says.
struct CaseGraderTests {
    static let good = "resume response(200) answer(allow) data data complete(ok)"

    @Test func `a load as the case asks for passes`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: ["task": "response(200) data+ complete(ok)"])
        let script = try JournalScript.opened("GET /a", after: 1)
        let verdict = try grade(item, Self.good, journal: script.entries)
        #expect(verdict.outcome == .pass)
        #expect(verdict.description == "pass: redirect/302#follow")
        #expect(verdict.brokenRules.isEmpty && verdict.undecidedFacts.isEmpty && verdict.failures.isEmpty)
    }

    @Test func `a lane in another order fails and the finding tells all that is known of the place`() throws {
        let item = try makeCase(lanes: ["task": "redirect(302) response(200) data+ complete(ok)"])
        let verdict = try grade(
            item,
            "resume redirect(302){to=/b} answer(refuse) response(302){mime=text/plain} answer(allow) data complete(ok)")
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.description == """
                callback 2 of task was the response with status 302; wanted the response with status 200
                fail: redirect/302#follow
                a.yaml:3:5: task: got response(302), wanted response(200)
                  matched : redirect(302)
                  then got: response(302)   [event 2] of 4, +3.000 ms   mime=text/plain
                  wanted  : response(200)
                  in      : redirect(302) response(200) data+ complete(ok)
                                          ^
                """)
        let finding = try #require(verdict.failures.first)
        #expect(finding.lane == LaneID(.task))
        #expect(finding.event == 4)
        #expect(finding.wanted == "redirect(302) response(200) data+ complete(ok)")
        #expect(finding.got == "redirect(302) response(302) data complete(ok)")
    }

    @Test func `a refusal names the rule that explains it, and the rule is a finding of its own`() throws {
        let item = try makeCase(lanes: ["task": "challenge(basic) response(200) data+ complete(ok)"])
        let verdict = try grade(item, "resume response(401) data challenge(basic) response(200) data complete(ok)")
        #expect(verdict.outcome == .fail)
        #expect(verdict.brokenRules.contains(RuleNumber(12)))
        let expression = try #require(verdict.findings.first)
        #expect(
            expression.details.contains("  later   : response(401) would be accepted after challenge(basic)") == false)
        #expect(verdict.findings.contains { $0.rules == [RuleNumber(12)] && $0.weight == .failure })
        let title = try #require(Rules.rule(RuleNumber(12))).title
        #expect(verdict.findings.contains { $0.sentence.hasPrefix("R12 \(title): task: ") })
    }

    @Test func `a fact that does not hold fails`() throws {
        let item = try makeCase(facts: [("body", "ok")])
        let verdict = try grade(item, Self.good + " result{status=200,body=no,bytes=2}")
        #expect(verdict.outcome == .fail)
        #expect(verdict.failures.map(\.sentence) == [#"body: wanted "ok", got "no""#])
    }

    @Test func `a case that observes tells what it saw and does not fail`() throws {
        let item = try makeCase(kind: .observes, lanes: ["task": "response(404) complete(ok)"])
        let verdict = try grade(item, Self.good)
        #expect(verdict.outcome == .observed)
        #expect(!verdict.outcome.isFailure)
        #expect(verdict.findings.map(\.weight) == [.observation])
        #expect(
            verdict.description.hasPrefix("observed: redirect/302#follow (observes)\na.yaml:3:5: observed: task: got"))
    }

    @Test func `a case that only recommends fails and says so`() throws {
        let item = try makeCase(kind: .should, lanes: ["task": "response(404) complete(ok)"])
        let verdict = try grade(item, Self.good)
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.description.hasPrefix(
                "callback 1 of task was the response with status 200; wanted the response with status 404\n"
                    + "fail: redirect/302#follow (should)\na.yaml:3:5: should: task: got"), "\(verdict)")
    }

    @Test func `an adapter's report that it cannot run the program decides, whatever else its trace shows`() throws {
        let item = try makeCase(lanes: ["task": "response(200) complete(ok)"])
        let verdict = try grade(item, "unimplemented(cachePolicy)")
        #expect(verdict.outcome == .notInThisAdapter)
        #expect(verdict.reason == "the adapter says: cachePolicy")
        #expect(verdict.failures.isEmpty)
        #expect(
            try grade(item, "unimplemented(x)", ending: .crashed(signal: "SIGILL", lastErrorLine: nil)).outcome
                == .crash)
    }

    @Test func `a fault of the test's own code is not the client's`() throws {
        let item = try makeCase(lanes: ["task": "redirect(302) response(404)"])
        let verdict = try grade(
            item,
            "resume redirect(302) answer(follow){to=redirect} answer(follow){to=redirect} response(200) "
                + "answer(allow){to=response} data complete(ok)")
        guard case .setupFailed(let reason) = verdict.outcome else {
            Issue.record("judged \(verdict)")
            return
        }
        #expect(reason.hasPrefix("the test's own code broke R53: "))
        #expect(verdict.outcome.isFailure)
    }

    @Test func `a program that answers twice on purpose is no fault`() throws {
        let trace =
            "resume redirect(302) answer(follow){to=redirect} answer(follow){to=redirect} response(200) "
            + "answer(allow){to=response} data complete(ok)"
        #expect(try grade(try makeCase(tasks: [makeProgram(onRedirect: .twice)]), trace).outcome == .pass)
        #expect(try grade(try makeCase(breaks: [53]), trace).outcome == .pass)
    }

    @Test func `an incomplete journal is not judged`() throws {
        let item = try makeCase(wire: "request(GET /b)")
        let grader = CaseGrader(item, scenario: "a")
        var evidence = CaseEvidence(journal: try JournalScript.requests("GET /a"), droppedCount: 2)
        #expect(grader.grade(evidence).outcome == .setupFailed("the journal was full and dropped 2 entries"))
        var script = JournalScript.opened()
        script.skip(3)
        try script.request("GET /a")
        evidence = CaseEvidence(journal: script.entries)
        #expect(grader.grade(evidence).outcome == .setupFailed("the journal has a gap after entry 1"))
    }

    @Test func `a client that could not start is a matter of the set-up`() throws {
        let verdict = try grade(try makeCase(), "", ending: .couldNotStart(reason: "no such file"))
        #expect(verdict.description == "setup-failed: redirect/302#follow: the client could not start: no such file")
        #expect(verdict.ending == .couldNotStart(reason: "no such file"))
    }

    @Test func `a case can be skipped for a platform that has no such tasks`() throws {
        var platform = Platform(name: "darwin-legacy")
        platform.families = [.connection, .download]
        // A connection can take what a data task can.
        #expect(CaseGrader(try makeCase(), scenario: "a", platform: platform).skipReason == nil)
        platform.families = [.download]
        let grader = CaseGrader(try makeCase(), scenario: "a", platform: platform)
        let reason = try #require(grader.skipReason)
        #expect(reason == "darwin-legacy has no tasks of family sessionData")
        let verdict = CaseVerdict.skipped(grader.id, kind: .must, reason: reason)
        #expect(verdict.description == "skipped: a#follow: darwin-legacy has no tasks of family sessionData")
        #expect(!verdict.outcome.isFailure)
        #expect(CaseGrader(try makeCase(), scenario: "a").skipReason == nil)
    }

    @Test func `without a journal the wire is not judged and the verdict says so`() throws {
        let verdict = try grade(
            try makeCase(wire: "request(GET /b)", facts: [("wire.count", "7")]), Self.good)
        #expect(verdict.outcome == .notJudged)
        #expect(
            verdict.description == """
                not-judged: redirect/302#follow
                not judged: wire: there is no journal
                not judged: wire.count: no report of it came
                """)
    }

    @Test func `a sentence of the client cannot control a terminal`() throws {
        let verdict = try grade(
            try makeCase(), "resume", ending: .crashed(signal: "SIG\u{1B}[2J", lastErrorLine: "a\u{1B}[31mb\u{202E}c"))
        #expect(!verdict.description.unicodeScalars.contains("\u{1B}"))
        #expect(verdict.description.contains("stderr  : a?[31mb?c"))
    }
}
