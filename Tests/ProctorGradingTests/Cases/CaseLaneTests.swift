import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Which events an expression of a case is held against.
struct CaseLaneTests {
    @Test func `ambient events are taken out unless the expression names them`() throws {
        let trace = "created resume bodySent bodySent response(200) data willCache metrics complete(ok)"
        for (text, outcome) in [
            ("response(200) data+ complete(ok)", CaseVerdict.Outcome.pass),
            ("response(200) data+ metrics complete(ok)", .pass),
            ("response(200) data+ metrics metrics complete(ok)", .fail),
        ] { #expect(try grade(try makeCase(lanes: ["task": text]), trace).outcome == outcome, "\(text)") }
    }

    @Test func `the ambient events of a case may be interleaved in a lane`() throws {
        let trace = "resume progress progress fileReady complete(ok)"
        let download = [makeProgram(.download)]
        let lanes = ["download": "fileReady complete(ok)"]
        #expect(try grade(try makeCase(lanes: lanes, tasks: download), trace).outcome == .fail)
        #expect(
            try grade(try makeCase(lanes: lanes, with: ["download": "progress*"], tasks: download), trace).outcome
                == .pass)
    }

    @Test func `each step has a lane of its own`() throws {
        let item = try makeCase(
            lanes: ["task": "response(200) complete(ok)", "task[1]": "response(204) complete(ok)"],
            tasks: [makeProgram(), makeProgram()])
        let trace = "resume [1]resume response(200) [1]response(204) [1]complete(ok) complete(ok)"
        #expect(try grade(item, trace).outcome == .pass)
        let swapped = try grade(item, "resume [1]resume response(204) [1]response(204) [1]complete(ok) complete(ok)")
        #expect(swapped.failures.map(\.sentence) == ["task: got response(204), wanted response(200)"])
        let second = try grade(item, "resume [1]resume response(200) complete(ok) [1]response(200) [1]complete(ok)")
        #expect(second.failures.map(\.lane) == [LaneID(.task, 1)])
    }

    @Test func `a download is held against the expression for downloads`() throws {
        let item = try makeCase(lanes: [
            "task": "response(200) data+ complete(ok)", "download": "progress* fileReady complete(ok)",
        ])
        let events = try TraceScript.events("resume fileReady complete(ok)", family: .sessionDownload)
        let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
        #expect(verdict.outcome == .pass)
        #expect(verdict.notJudged.isEmpty)
        #expect(try grade(item, "resume response(200) data complete(ok)").outcome == .pass)
    }

    @Test func `a trace of another kind of task is not held against an expression that is not for it`() throws {
        let item = try makeCase(lanes: ["task": "response(200) data+ complete(ok)"])
        let events = try TraceScript.events("resume fileReady complete(ok)", family: .sessionDownload)
        let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
        #expect(verdict.outcome == .pass)
        #expect(verdict.notJudged == ["task: the trace is of a download, for which the case has no expression"])
        // What the program itself asks for is what its expression speaks of.
        let own = try makeCase(lanes: ["task": "fileReady complete(ok)"], tasks: [makeProgram(.download)])
        #expect(try grade(own, "resume fileReady complete(ok)").notJudged.isEmpty)
    }

    @Test func `a task expression speaks for a protocol that is driven without tasks`() throws {
        let item = try makeCase(lanes: ["task": "response(200) data+ complete(ok)"])
        let trace = "protocolClient:response(200) protocolClient:data protocolClient:complete(ok)"
        let lanes: Set<Lane> = [.proto, .protocolClient, .harness]
        #expect(try grade(item, trace, lanes: lanes).outcome == .pass)
        let verdict = try grade(item, "protocolClient:response(404) protocolClient:complete(ok)", lanes: lanes)
        #expect(verdict.failures.map(\.sentence) == ["task: got response(404), wanted response(200)"])
    }

    @Test func `a lane that the client cannot report is not judged`() throws {
        let item = try makeCase(lanes: ["task": "response(200) complete(ok)", "session": "sessionInvalid"])
        let verdict = try grade(item, "result{status=200}", lanes: [.harness])
        #expect(verdict.outcome == .pass)
        #expect(
            verdict.notJudged == [
                "task: the client cannot report what happens there",
                "session: the client cannot report what happens there",
            ])
    }

    @Test func `handlers, sessions and protocol objects have lanes`() throws {
        let item = try makeCase(
            lanes: [
                "handler": "handler(ok)", "handler[1]": "awaited(timedOut)", "session": "sessionInvalid",
                "proto": "p.init p.start p.stop",
            ], tasks: [makeProgram(.handler), makeProgram(.async)])
        let trace =
            "p.canInit p.canInit p.init resume p.start handler(ok) p.stop [1]resume [1]awaited(timedOut) "
            + "invalidate(finish) sessionInvalid"
        let verdict = try grade(item, trace)
        #expect(verdict.findings.filter { if case .expression = $0.subject { true } else { false } }.isEmpty)
        let broken = try grade(item, trace.replacing("handler(ok)", with: "handler(cancelled)"))
        #expect(broken.findings.contains { $0.sentence == "handler: got handler(cancelled), wanted handler(ok)" })
    }

    @Test func `returns of callbacks are no events of an expression`() throws {
        let item = try makeCase(lanes: ["task": "response(200) data complete(ok)"])
        let trace = "resume response(200) /response(200) data /data complete(ok) /complete(ok)"
        #expect(try grade(item, trace).outcome == .pass)
    }

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
