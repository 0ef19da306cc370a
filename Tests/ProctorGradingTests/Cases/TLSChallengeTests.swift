import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Questions about TLS in the lanes of a case: of the task, or of a session whose method names none.
struct TLSChallengeTests {
    private static let expected = "challenge(serverTrust) response(200) data* complete(ok)"
    private static let session =
        "resume session:challenge(serverTrust){scope=session} answer(trust){to=challenge} /challenge(serverTrust) "
        + "response(200) answer(allow){to=response} data{n=1} complete(ok)"

    private static func trace(session: Bool) -> String {
        session
            ? Self.session
            : Self.session.replacing("session:challenge(serverTrust){scope=session}", with: "challenge(serverTrust)")
    }

    @Test(arguments: [true, false]) func `one expression holds for clients that are asked by session and by task`(
        session: Bool
    ) throws {
        let item = try makeCase(lanes: ["task": Self.expected])
        let verdict = try grade(item, Self.trace(session: session))
        #expect(verdict.outcome == .pass, "\(verdict)")
        #expect(verdict.notJudged == [])
        let other = try makeCase(lanes: ["task": "response(200) data* complete(ok)"])
        #expect(
            try grade(other, Self.trace(session: session)).failures.map(\.sentence) == [
                "task: got challenge(serverTrust), wanted response(200)"
            ])
    }

    @Test func `a recorder that puts a copy into the task's lane is asked once`() throws {
        let copied =
            "resume session:challenge(serverTrust) challenge(serverTrust){scope=session} answer(trust){to=challenge} "
            + "response(200) answer(allow){to=response} complete(ok)"
        let verdict = try grade(try makeCase(lanes: ["task": Self.expected]), copied)
        #expect(!verdict.failures.contains { $0.laneKey == "task" }, "\(verdict)")
    }

    @Test func `without acts of the test the first step that has not ended was meant`() throws {
        let item = try makeCase(
            lanes: ["task": Self.expected, "task[1]": Self.expected], tasks: [makeProgram(), makeProgram()])
        let step = "session:challenge(serverTrust) response(200) complete(ok) "
        let second = "session:challenge(serverTrust) [1]response(200) [1]complete(ok)"
        #expect(try grade(item, step + second).outcome == .pass)
        #expect(try grade(item, step + "[1]response(200) [1]complete(ok)").outcome == .fail)
    }

    @Test func `where several tasks run, the task of a TLS challenge is unknown, and no lane gets it`() throws {
        let item = try makeCase(
            lanes: ["task": Self.expected, "task[1]": Self.expected], tasks: [makeProgram(), makeProgram()])
        let verdict = try grade(
            item,
            "resume [1]resume session:challenge(serverTrust) response(200) [1]response(200) complete(ok) [1]complete(ok)"
        )
        #expect(verdict.outcome == .pass, "\(verdict)")
        #expect(
            verdict.notJudged == [
                "task, task[1]: for which of them the session was asked about TLS, since they ran at once",
                "R28, R29: the trace has no answers, and response asks for one",
            ])
    }

    @Test func `a case that names session challenges finds them in the session's lane`() throws {
        let item = try makeCase(lanes: [
            "session": "challenge(serverTrust) sessionInvalid(ok)", "task": "response(200) data* complete(ok)",
        ])
        let end = " invalidate(finish) sessionInvalid(ok)"
        #expect(try grade(item, Self.session + end).outcome == .pass)
        #expect(try grade(item, Self.trace(session: false) + end).outcome == .fail)
        // An expression for the end alone does not match the challenge.
        let ofEnd = try makeCase(lanes: ["session": "sessionInvalid(ok)", "task": Self.expected])
        #expect(try grade(ofEnd, Self.session + end).outcome == .pass)
    }

    @Test func `a question of the session that is never answered is a wait on purpose`() throws {
        let waiting = try makeCase(tasks: [makeProgram(onChallenge: [.never])])
        let trace = "resume session:challenge(serverTrust)"
        let ending = ClientEnding.hung(afterMilliseconds: 9, lastErrorLine: nil)
        let lanes: Set<Lane> = [.task, .session, .harness]
        #expect(try grade(waiting, trace, lanes: lanes, ending: ending).outcome == .pass)
        #expect(
            try grade(try makeCase(tasks: [makeProgram(onChallenge: [.trust])]), trace, lanes: lanes, ending: ending)
                .outcome == .hang)
    }

    // MARK: Handshakes

    private static func journal(_ count: Int, resumed: Bool = false) throws -> [JournalEntry] {
        var script = JournalScript()
        script.wait(milliseconds: 2)
        for number in 0..<count {
            script.open(number)
            script.hello(number)
            script.secure(number, resumed: resumed && number > 0)
        }
        script.wait(milliseconds: 4)
        try script.request("GET /a", on: count - 1)
        return script.entries
    }

    private static let twice =
        "resume +1 challenge(serverTrust) answer(trust){to=challenge} session:challenge(serverTrust) "
        + "answer(trust){to=challenge} +9 response(200) answer(allow){to=response} complete(ok)"

    @Test func `there is at most one question for each handshake that the server saw`() throws {
        let item = try makeCase()
        #expect(try grade(item, Self.twice, journal: try Self.journal(2)).outcome == .pass)
        let verdict = try grade(item, Self.twice, journal: try Self.journal(1))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.failures.map(\.sentence) == [
                "R18 TLS first, by its own way: task: challenge(serverTrust) came 2 times for 1 handshake; TLS asks once "
                    + "for each handshake"
            ])
        #expect(verdict.failures.first?.event == 4)
        #expect(verdict.brokenRules == [RuleNumber(18)])
    }

    @Test func `a question for a resumed handshake is noted and fails nothing`() throws {
        let verdict = try grade(try makeCase(), Self.twice, journal: try Self.journal(2, resumed: true))
        #expect(verdict.outcome == .pass)
        #expect(verdict.findings.map(\.rules) == [[RuleNumber(18)]])
    }

    @Test func `with several tasks challenges are not counted`() throws {
        let two = "\(Self.twice) [1]resume [1]response(200) [1]answer(allow){to=response} [1]complete(ok)"
        let item = try makeCase(tasks: [makeProgram(), makeProgram()])
        #expect(try grade(item, two, journal: try Self.journal(1)).brokenRules == [])
    }

    @Test func `a request before the question breaks the rule at the request`() throws {
        var script = JournalScript()
        script.wait(milliseconds: 1)
        script.hello(0)
        script.secure(0)
        try script.request("GET /a")
        let late =
            "resume +5 challenge(serverTrust) answer(trust){to=challenge} response(200) answer(allow){to=response} complete(ok)"
        let verdict = try grade(try makeCase(), late, journal: script.entries)
        #expect(verdict.failures.map(\.rules) == [[RuleNumber(18)]])
        #expect(verdict.failures.first?.sequence == 3)
    }

    @Test func `a load of a URLProtocol may not pass on what TLS asks`() throws {
        let trace =
            "protocolClient#1:challenge(serverTrust) answer(trust){to=challenge} protocolClient#1:response(200) protocolClient#1:complete(ok)"
        let verdict = try grade(try makeCase(), trace, lanes: [.protocolClient, .proto, .harness])
        #expect(verdict.brokenRules.contains(RuleNumber(20)))
        #expect(verdict.outcome == .fail)
    }
}
