import ProctorJournal
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

/// What rules and grammars say becomes findings.
struct CaseRuleTests {
    static let lanes: Set<Lane> = [.proto, .protocolClient, .harness]
    static let twoEnds = "protocolClient:response(200) protocolClient:complete(ok) protocolClient:complete(cancelled)"

    @Test func `a rule that breaks fails the case, with its title and its place`() throws {
        let verdict = try grade(try makeCase(), "resume data{n=1} response(200) complete(ok)")
        #expect(verdict.outcome == .fail)
        let title = try #require(Rules.rule(RuleNumber(25))).title
        let finding = try #require(verdict.findings.first { $0.rules == [RuleNumber(25)] })
        #expect(finding.sentence.hasPrefix("R25 \(title): task: "))
        #expect(finding.details == ["  at      : data   [event 2 of 4, +1.000 ms]   n=1"])
        #expect(finding.lane == LaneID(.task) && finding.event == 2)
    }

    @Test func `a rule that breaks again and again is one finding`() throws {
        let zeros = String(repeating: "data{n=0} ", count: 9)
        let verdict = try grade(try makeCase(), "resume response(200) \(zeros)complete(ok)")
        for rule in verdict.brokenRules {
            #expect(
                verdict.findings.filter { if case .rule = $0.subject { $0.rules == [rule] } else { false } }.count == 1)
        }
    }

    @Test func `a rule that a platform makes an observation does not fail`() throws {
        var platform = Platform(name: "p")
        for rule in 1...58 { platform.weights[RuleNumber(rule)] = .observation }
        let trace = "resume data{n=1} response(200) complete(ok)"
        let verdict = try grade(try makeCase(), trace, platform: platform)
        #expect(verdict.outcome == .pass, "\(verdict)")
        #expect(verdict.brokenRules.contains(RuleNumber(25)))
    }

    @Test func `a grammar that no rule explains fails and says so`() throws {
        // An event of the lane that no task of this family brings.
        let verdict = try grade(try makeCase(), "resume response(200) betterRoute complete(ok)")
        let finding = try #require(verdict.findings.first { if case .grammar = $0.subject { true } else { false } })
        #expect(finding.weight == .failure)
        #expect(finding.sentence.hasPrefix("task: no sessionData load brings this: got betterRoute"))
        #expect(finding.details.last == "  rule    : no rule explains it: a gap in the rules")
        #expect(finding.event == 3)
    }

    @Test func `a grammar that a rule explains weighs what the rule weighs`() throws {
        let trace = "resume data{n=1} response(200) complete(ok)"
        let failing = try grade(try makeCase(), trace)
        let grammar = try #require(failing.findings.first { if case .grammar = $0.subject { true } else { false } })
        #expect(grammar.rules.contains(RuleNumber(25)))
        #expect(grammar.weight == .failure)
        var platform = Platform(name: "p")
        for rule in grammar.rules { platform.weights[rule] = .observation }
        let observing = try grade(try makeCase(), trace, platform: platform)
        #expect(
            observing.findings.filter { if case .grammar = $0.subject { true } else { false } }.map(\.weight) == [
                .observation
            ])
    }

    @Test func `a rule that the program breaks on purpose is reported and does not count`() throws {
        let item = try makeCase(breaks: [39])
        let verdict = try grade(item, Self.twoEnds, lanes: Self.lanes)
        #expect(verdict.brokenRules.contains(RuleNumber(39)))
        let hits = verdict.findings.filter {
            if case .rule = $0.subject { $0.rules == [RuleNumber(39)] } else { false }
        }
        #expect(hits.map(\.weight) == [.observation])
        #expect(hits.first?.sentence.hasSuffix(" (on purpose)") == true)
        #expect(!verdict.failures.contains { $0.rules == [RuleNumber(39)] })
        #expect(try grade(try makeCase(), Self.twoEnds, lanes: Self.lanes).outcome == .fail)
    }

    @Test func `a rule that the program breaks on purpose must be reported`() throws {
        let item = try makeCase(breaks: [39])
        let trace = "protocolClient:response(200) protocolClient:complete(ok)"
        let verdict = try grade(item, trace, lanes: Self.lanes)
        #expect(verdict.outcome == .fail)
        let sentence = try #require(verdict.failures.first?.sentence)
        #expect(sentence.hasPrefix("the program breaks R39 ("))
        #expect(sentence.hasSuffix(") on purpose, and the grader did not see it"))
        #expect(verdict.failures.first?.location == place)
        // A client that reports nothing of protocols cannot show it.
        #expect(try grade(item, "resume complete(timedOut)", lanes: [.task, .harness]).outcome == .pass)
    }

    @Test func `a rule that the client breaks in addition counts`() throws {
        // The protocol ends twice on purpose; that the task ends twice is the loader's doing.
        let item = try makeCase(breaks: [39])
        let trace = "resume \(Self.twoEnds) response(200) complete(ok) complete(cancelled)"
        let verdict = try grade(item, trace)
        #expect(verdict.failures.contains { $0.rules == [RuleNumber(39)] && $0.lane == LaneID(.task) })
        #expect(!verdict.failures.contains { $0.lane?.lane == .protocolClient && $0.rules == [RuleNumber(39)] })
    }
}

/// What the authentication rules learn from the journal, and where the journal shows nothing.
struct WireOfRulesTests {
    private func journal(_ statuses: [Int?], fields: [String] = [], verdict: GuardVerdict? = nil) throws
        -> [JournalEntry]
    {
        var script = JournalScript.opened()
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

    @Test func `with two tasks the task of a reply is unknown`() throws {
        let trace =
            "resume [1]resume +5 challenge(basic){failures=0} answer(cancel){to=challenge} complete(cancelled) [1]complete(ok)"
        #expect(!(try broken(trace, try journal([200]))).contains(16))
    }

    @Test func `a count that stays after a refusal breaks R17, after an old nonce it does not`() throws {
        for (outcome, rules) in [(GuardVerdict.Outcome.stale, []), (.refused, [17])] {
            var script = JournalScript()
            try script.guarded("GET /a", .judging(.challenged), status: 401)
            script.wait(milliseconds: 4)
            try script.guarded(
                "GET /a", fields: ["Authorization: Digest x=y"], .judging(outcome, attempt: 1, scheme: "Digest"),
                status: 401
            )
            let trace =
                "resume +1 challenge(digest){failures=0} answer(use){to=challenge} +5 challenge(digest){failures=0} "
                + "answer(cancel){to=challenge} complete(cancelled)"
            #expect(try broken(trace, script.entries) == rules)
        }
    }
}
