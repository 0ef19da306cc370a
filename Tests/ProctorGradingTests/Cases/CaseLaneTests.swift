import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Which events an expression of a case is held against.
struct CaseLaneTests {

    @Test func `numbers that do not rise are counted anew`() throws {
        let item = try makeCase(lanes: ["task": "response(404) complete(ok)"])
        var events = try TraceScript.events("resume response(200) complete(ok)")
        for index in events.indices { events[index].sequence = 0 }
        let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
        #expect(verdict.failures.first?.event == 2)
    }

    @Test func `the header of a trace file says what the client can report`() throws {
        let header = #"{"trace":"proctor","version":1,"lanes":["harness"]}"#
        let event = #"{"seq":1,"ns":5,"lane":"harness","ev":"result","facts":{"status":200}}"#
        let trace = try Trace(Array("\(header)\n\(event)\n".utf8))
        let evidence = CaseEvidence(trace, milliseconds: 7)
        #expect(evidence.reportedLanes == [.harness])
        let item = try makeCase(lanes: ["task": "complete(ok)"], facts: [("status", "200")])
        let verdict = CaseGrader(item, scenario: "a").grade(evidence)
        #expect(verdict.outcome == .pass && verdict.milliseconds == 7)
        #expect(verdict.notJudged == ["task: the client cannot report what happens there"])
        let bare = try Trace(Array("\(event)\n".utf8))
        #expect(CaseEvidence(bare).reportedLanes == nil)
    }

    @Test func `a client that sees nothing of its loads breaks no rule`() throws {
        let events = #"{"lane":"harness","ev":"resume"}\#n{"lane":"harness","ev":"result","facts":{"status":200}}"#
        for (lanes, outcome) in [(#"["harness"]"#, CaseVerdict.Outcome.pass), (#"["task","harness"]"#, .hang)] {
            let header = #"{"trace":"proctor","version":1,"lanes":\#(lanes)}"#
            let trace = try Trace(Array("\(header)\n\(events)\n".utf8))
            let verdict = CaseGrader(try makeCase(lanes: [:]), scenario: "a").grade(CaseEvidence(trace))
            #expect(verdict.outcome == outcome && verdict.brokenRules.isEmpty == (outcome == .pass), "\(verdict)")
        }
    }

    @Test func `facts that the header does not name are not judged`() throws {
        let item = try makeCase(facts: [("mime", "text/plain"), ("status", "200")])
        for (facts, outcome) in [(#""facts":["status"],"#, CaseVerdict.Outcome.partly), ("", .fail)] {
            let header = #"{"trace":"proctor","version":1,\#(facts)"lanes":["harness"]}"#
            let event = #"{"lane":"harness","ev":"result","facts":{"status":200}}"#
            let verdict = CaseGrader(item, scenario: "a").grade(
                CaseEvidence(try Trace(Array("\(header)\n\(event)\n".utf8))))
            #expect(verdict.outcome == outcome, "\(verdict)")
        }
    }

    @Test(arguments: [
        ("task", Lane.task, 0, "task"), ("task[0]", .task, 0, "task"), ("task[12]", .task, 12, "task[12]"),
        ("download[1]", .task, 1, "download[1]"), ("handler", .handler, 0, "handler"),
    ]) func `a lane's name is taken apart`(text: String, lane: Lane, number: Int, key: String) throws {
        let read = try #require(CaseLane(text))
        #expect(read.lane == lane && read.number == number && read.key == key)
    }

    @Test(arguments: ["", "tasks", "task[", "task[]", "task[-1]", "task[x]", "[1]"])
    func `a key without a lane is refused`(text: String) { #expect(CaseLane(text) == nil) }
}
