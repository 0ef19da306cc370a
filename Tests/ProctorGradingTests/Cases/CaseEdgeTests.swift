import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What must hold between lanes, and which task a request belongs to.
struct CaseEdgeTests {
    /// Requests at these milliseconds after the beginning.
    static func journal(_ requests: (UInt64, String)...) throws -> [JournalEntry] {
        var script = JournalScript()
        var passed: UInt64 = 0
        for (index, (time, line)) in requests.enumerated() {
            script.wait(milliseconds: time - passed)
            passed = time
            if index == 0 { script.open() }
            try script.request(line)
        }
        return script.entries
    }

    static func edges(_ verdict: CaseVerdict) -> [Finding] {
        verdict.findings.filter { if case .edge = $0.subject { true } else { false } }
    }

    static let followed =
        "resume redirect(302) +10 answer(follow){to=redirect} +10 response(200) answer(allow){to=response} data complete(ok)"

    @Test func `the second request comes only after the answer`() throws {
        let item = try makeCase(edges: ["wire request[1] after harness answer(follow)"])
        let good = try grade(item, Self.followed, journal: try Self.journal((1, "GET /a"), (16, "GET /b")))
        #expect(good.outcome == .pass, "\(good)")
        let early = try grade(item, Self.followed, journal: try Self.journal((1, "GET /a"), (5, "GET /b")))
        #expect(early.outcome == .fail)
        let findings = Self.edges(early)
        #expect(
            findings.map(\.sentence) == [
                "wire request[1] after harness answer(follow): wire request(GET /b) came before harness answer(follow)",
                "wire request(GET /b) came before task redirect(302) was answered",
            ])
        #expect(findings.map(\.location) == [place, nil])
        #expect(findings.map(\.rules) == [[], [RuleNumber(8)]])
        #expect(findings.first?.sequence == 4)
    }

    @Test func `an edge is judged by the events of the trace`() throws {
        let item = try makeCase(edges: ["task redirect[1] after harness answer", "task data after task informational"])
        let verdict = try grade(item, Self.followed)
        // There is no second redirect, so nothing had to wait; there is data, and nothing it may wait for.
        #expect(
            verdict.failures.map(\.sentence) == [
                "task data after task informational: task data came, and task informational never did"
            ])
    }

    @Test func `edges within the trace need no clock, edges with the wire do`() throws {
        let item = try makeCase(edges: ["handler handler after task redirect", "wire request after harness resume"])
        let grader = CaseGrader(item, scenario: "a")
        let events = try TraceScript.events("resume handler(ok) redirect(302) complete(ok)", isMonotonic: false)
        let verdict = grader.grade(CaseEvidence(events: events, journal: try Self.journal((0, "GET /a"))))
        #expect(Self.edges(verdict).map(\.wanted) == ["handler handler after task redirect"])
        #expect(
            verdict.notJudged == [
                "wire request after harness resume: the trace has no times of the server's clock",
                "the order of wire and callbacks: the trace has no times of the server's clock",
                "R5, R8: the trace has no answers, and redirect asks for one",
            ])
        let blind = grader.grade(CaseEvidence(events: try TraceScript.events("resume"), reportedLanes: [.task]))
        #expect(
            blind.notJudged == [
                "handler handler after task redirect: the client cannot report what happens in lane handler",
                "wire request after harness resume: there is no journal",
            ])
    }

    @Test func `a task that was not resumed sends nothing`() throws {
        let early = try grade(try makeCase(), "+5 resume complete(timedOut)", journal: try Self.journal((2, "GET /a")))
        #expect(Self.edges(early).map(\.sentence) == ["wire request(GET /a) came before task was resumed"])
        #expect(early.outcome == .fail)
        let good = try grade(try makeCase(), "resume +5 complete(timedOut)", journal: try Self.journal((2, "GET /a")))
        #expect(good.outcome == .pass)
    }

    @Test func `a session ends only when it is told to`() throws {
        let good = try grade(try makeCase(), "resume complete(timedOut) invalidate(finish) sessionInvalid")
        #expect(good.outcome == .pass)
        let alone = try grade(try makeCase(), "resume complete(timedOut) sessionInvalid")
        #expect(alone.outcome == .fail)
        #expect(alone.failures.contains { $0.rules == [RuleNumber(43)] })
        // Without any event of the harness it is unknown.
        #expect(try grade(try makeCase(), "complete(timedOut) sessionInvalid").outcome == .pass)
    }

    // MARK: Correlation

    static func tasks(_ trace: String, _ journal: [JournalEntry]) throws -> [Int?] {
        WireCorrelation(try TraceScript.events(trace)).tasks(of: WireRecord(journal))
    }

    @Test func `all requests of a single task are its own`() throws {
        let journal = try Self.journal((0, "GET /a"), (500, "GET /b"))
        #expect(try Self.tasks("+5 resume complete(ok)", journal) == [0, 0])
        #expect(try Self.tasks("", journal) == [nil, nil])
    }

    @Test func `of several tasks the one that is under way gets the request`() throws {
        let journal = try Self.journal((2, "GET /a"), (12, "GET /b"), (22, "GET /c"), (32, "GET /d"))
        let trace = "resume +5 complete(ok) +3 [1]resume +5 [2]resume +5 [1]complete(ok) +5 [2]complete(ok)"
        // 1: task 0; 11: task 1; 17: task 2 as well; 23: task 1 ends; 29: task 2 ends.
        #expect(try Self.tasks(trace, journal) == [0, 1, nil, nil])
        #expect(try Self.tasks(trace, try Self.journal((26, "GET /c"))) == [2])
    }

    @Test func `a local port tells tasks apart that run at the same time`() throws {
        var script = JournalScript()
        script.wait(milliseconds: 2)
        script.open(0)
        script.open(1)
        try script.request("GET /a", on: 1)
        try script.request("GET /b", on: 0)
        script.wait(milliseconds: 10)
        try script.request("GET /c", on: 1)
        // The script's connections come from the ports 50 and 51.
        let trace =
            "resume [1]resume +3 response(200){localPort=51} [1]response(200){localPort=50} complete(ok) [1]complete(ok)"
        #expect(try Self.tasks(trace, script.entries) == [0, 1, 0])
        let shared =
            "resume [1]resume +3 response(200){localPort=51} complete(ok) +20 [1]response(200){localPort=51} [1]complete(ok)"
        #expect(try Self.tasks(shared, script.entries) == [0, nil, 1])
    }

    @Test func `a request reaches the rules of its own task only`() throws {
        // HEAD has no content (R31): the task that sent it must not be told of data, the other may.
        let trace =
            "resume response(200) answer(allow){to=response} data{n=1} complete(ok) "
            + "[1]resume +5 [1]response(200) [1]answer(allow){to=response} [1]data{n=1} [1]complete(ok)"
        let item = try makeCase(tasks: [makeProgram(), makeProgram()])
        let verdict = try grade(item, trace, journal: try Self.journal((1, "GET /a"), (8, "HEAD /b")))
        let hits = verdict.findings.filter { $0.rules.contains(RuleNumber(31)) }
        #expect(hits.map(\.lane) == [LaneID(.task, 1)])
    }
}
