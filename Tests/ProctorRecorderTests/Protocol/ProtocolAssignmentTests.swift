import Foundation
import ProctorTrace
import Testing

@testable import ProctorRecorder

/// Whole assignments played without URLSession, here and by the adapter.
@Suite(.timeLimit(.minutes(5)))
struct ProtocolAssignmentTests {
    private func assignment(
        _ scripts: [String?], deadline: Int = 200_000, _ change: (inout Assignment) -> Void = { _ in }
    ) -> Assignment {
        let steps = scripts.map { script in
            step("http://example.test/a") { $0.protocolScript = script.map { DrivenTrace.calls($0) } }
        }
        var assignment = Assignment(
            scenario: "s", caseName: "c", base: "http://example.test", deadline: deadline, steps: steps)
        change(&assignment)
        return assignment
    }

    @Test func `steps and objects are numbered through the whole trace`() async {
        let scripts = ["response 200,data one,finish", "redirect /b,await-stop,response 201,finish", "fail -1004"]
        let outcome = await ProtocolAssignment(assignment(scripts)).run()
        #expect(outcome.ending == .finished)
        #expect(outcome.writeFailure == nil)
        #expect(outcome.events.map(\.sequence) == Array(1...outcome.events.count))
        let trace = DrivenTrace(events: outcome.events)
        #expect(trace.lane(.protocolClient, 0) == "response(200) data complete(ok)", "\(trace.text)")
        #expect(trace.lane(.protocolClient, 1) == "redirect(302)")
        #expect(trace.lane(.protocolClient, 2) == "response(201) complete(ok)")
        #expect(trace.lane(.protocolClient, 3) == "complete(cannotConnect)")
        for event in outcome.events {
            guard let object = event.object else { continue }
            #expect(event.task == [0, 1, 1, 2][object], "\(trace.text)")
        }
        let results = outcome.events.filter { $0.name == .result }
        #expect(results.map(\.task) == [0, 1, 2])
        #expect(results.allSatisfy { $0.object == nil })
        #expect(results.map { $0.facts.text(.error) } == [nil, nil, "cannotConnect"])
        #expect(trace.rules().isEmpty, "\(trace.report())")
    }

    @Test func `a step's time-out ends it, and the next one begins`() async {
        let outcome = await ProtocolAssignment(
            assignment(["response 200", "response 200,finish"]) { $0.steps[0].timeout = 200 }
        ).run()
        #expect(outcome.ending == .finished)
        let trace = DrivenTrace(events: outcome.events)
        #expect(trace.first(.result)?.facts.text(.message)?.contains("no end within") == true, "\(trace.text)")
        #expect(trace.rules() == [39], "\(trace.report())")
        // What the abandoned object does behind its result is nobody's any more.
        let first = outcome.events.prefix { $0.task == 0 }
        #expect(first.last?.name == .result)
        #expect(outcome.events.dropFirst(first.count).allSatisfy { $0.task == 1 })
    }

    @Test func `a token is no URLCredential, which is said before the default is done`() async {
        let outcome = await ProtocolAssignment(
            assignment(["challenge basic,await-answer,response 401,finish"]) {
                $0.steps[0].onChallenge = [Assignment.ChallengeAnswer("use", token: "abc")]
            }
        ).run()
        let trace = DrivenTrace(events: outcome.events)
        let said = outcome.events.filter { $0.name == .unimplemented || $0.name == .answer }
        #expect(said.map(\.name) == [.unimplemented, .answer], "\(trace.text)")
        #expect(said.first?.argument?.hasPrefix("onChallenge: use: a URLCredential") == true, "\(trace.text)")
        #expect(said.last?.argument == "default", "\(trace.text)")
    }

    @Test func `the deadline ends the whole`() async {
        let outcome = await ProtocolAssignment(assignment(["response 200", "finish"], deadline: 500)).run()
        #expect(outcome.ending == .outOfTime)
        #expect(outcome.events.allSatisfy { $0.task == 0 })
    }

    @Test(arguments: ["script", "redirect", "suspend", "session"])
    func `what cannot be done is said before anything is done`(_ what: String) async {
        let outcome = await ProtocolAssignment(
            assignment(["response 200,finish", what == "script" ? nil : "response 200,finish"]) { assignment in
                switch what {
                case "redirect": assignment.steps[1].onRedirect = [Assignment.RedirectAnswer("twice")]
                case "suspend": assignment.steps[1].suspendAt = Assignment.Moment("data")
                case "session": assignment.session.endAt = Assignment.Moment("data")
                default: break
                }
            }
        ).run()
        #expect(outcome.ending == .unimplemented)
        #expect(outcome.events.map(\.name) == [.unimplemented])
        let place =
            ["script": "steps[1].protocolScript", "redirect": "steps[1].onRedirect", "suspend": "steps[1].suspendAt"][
                what] ?? "session.endAt"
        #expect(outcome.events.first?.argument?.hasPrefix(place) == true)
    }

    @Test func `the adapter plays scripts when it is told to`() async throws {
        let input = [UInt8](try JSONEncoder().encode(assignment(["response 200,data x,finish"])))
        let report = try Report(await Adapter.urlSession.run(input: input, arguments: ["--drive-protocols"]))
        #expect(report.status == 0)
        #expect(report.header?.client == "protocol-driver")
        #expect(report.header?.lanes == ["proto", "protocolClient", "harness"])
        let calls = report.lines.filter { $0.lane == "protocolClient" && $0.phase != "exit" }.map(\.symbol)
        #expect(calls == ["response(200)", "data", "complete(ok)"])
        #expect(report.result()?.text("body") == "x")
    }

    @Test func `a task that is closed keeps nothing more, and the next one goes on with numbers and threads`() {
        let recorder = TraceRecorder()
        let thread = recorder.record(TraceEvent(lane: .harness, task: 0, name: .resume)).thread
        recorder.close(with: TraceEvent(lane: .harness, task: 0, name: .result))
        recorder.record(TraceEvent(lane: .harness, task: 0, name: .cancel))
        #expect(recorder.events.map(\.name) == [.resume, .result])
        let event = recorder.record(TraceEvent(lane: .harness, task: 1, name: .resume))
        #expect(event.sequence == 3)
        #expect(event.thread == thread)
        #expect(recorder.events.count == 3)
    }
}
