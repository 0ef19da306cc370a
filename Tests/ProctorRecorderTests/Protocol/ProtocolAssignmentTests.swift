import Foundation
import ProctorEvents
import ProctorProgram
import ProctorTestSupport
import Testing

@testable import ProctorAssignments
@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whole assignments played without URLSession, here and by the adapter.
@Suite(.limit(minutes: 5))
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

    @Test func `the answer to a question of server trust is given to no question of credentials`() {
        let answers = { (url: String, given: [Assignment.ChallengeAnswer]) in
            ProtocolProgram(step(url) { $0.onChallenge = given }).onChallenge
        }
        #expect(answers("https://example.test/a", [.performDefault, .cancel]) == [.cancel])
        #expect(answers("http://example.test/a", [.performDefault, .cancel]) == [.performDefault, .cancel])
        #expect(answers("https://example.test/a", [.performDefault]) == [.performDefault])
        #expect(answers("https://example.test/a", [.cancel, .performDefault]) == [.cancel, .performDefault])
    }

    @Test func `a step's time-out ends it, and the next one begins`() async {
        let outcome = await ProtocolAssignment(
            assignment(["response 200", "response 200,finish"]) { $0.steps[0].timeout = 200 }
        ).run()
        #expect(outcome.ending == .finished)
        let trace = DrivenTrace(events: outcome.events)
        #expect(trace.first(.result)?.facts.text(.message)?.contains("no end within") == true, "\(trace.text)")
        #expect(trace.rules() == [39], "\(trace.report())")
        // Later events of the abandoned object belong to no step.
        let first = outcome.events.prefix { $0.task == 0 }
        #expect(first.last?.name == .result)
        #expect(outcome.events.dropFirst(first.count).allSatisfy { $0.task == 1 })
    }

    @Test func `a token is no URLCredential, which is said before the default is done`() async {
        let outcome = await ProtocolAssignment(
            assignment(["challenge basic,await-answer,response 401,finish"]) {
                $0.steps[0].onChallenge = [
                    Assignment.ChallengeAnswer.use(Assignment.Credential(user: "", password: "", token: "abc"))
                ]
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
                case "redirect": assignment.steps[1].onRedirect = [Assignment.RedirectAnswer.twice]
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
        let input = assignment(["response 200,data x,finish"]).json
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

@Suite(.limit(minutes: 5))
struct ProtocolClassTests {
    @Test func `a protocol with its own timers calls on its client thread`() async {
        let trace = await DrivenTrace.of(TimerProtocol.self)
        #expect(trace.lane(.protocolClient) == "response(200) data data complete(ok)", "\(trace.text)")
        #expect(trace.lane(.proto, 0) == "p.init p.start p.stop p.deinit")
        #expect(trace.rules().isEmpty, "\(trace.report())")
        #expect(trace.first(.response)?.thread == trace.first(.pStart)?.thread)
        #expect(trace.first(.pInit)?.thread != trace.first(.pStart)?.thread)
    }

    @Test func `a class that does not want the request ends the load`() async {
        let trace = await DrivenTrace.of(RefusingProtocol.self)
        #expect(trace.lane(.proto) == "p.canInit")
        #expect(trace.first(.pCanInit)?.facts[.accepts] == .flag(false))
        #expect(trace.events.last?.facts.text(.message) == "RefusingProtocol does not take GET http://example.test/a")
        #expect(trace.rules().isEmpty, "\(trace.report())")
    }

    @Test func `a canonical form that is another each time breaks R52`() async {
        let trace = await DrivenTrace.of(ImpureProtocol.self)
        #expect(trace.rules() == [52], "\(trace.report())\n\(trace.text)")
    }

    @Test func `a field that is another each time breaks R52, though method and URL are the same`() async {
        let trace = await DrivenTrace.of(CountingProtocol.self)
        #expect(trace.rules() == [52], "\(trace.report())\n\(trace.text)")
        let proposals = trace.events.filter { $0.name == .pCanonical }.compactMap { $0.facts.text(.proposed) }
        #expect(proposals.count == 3)
        #expect(proposals.dropFirst().first?.contains("field \"x-count\"") == true)
    }

    @Test func `a canonical form that is not canonical breaks R52`() async {
        let trace = await DrivenTrace.of(GrowingProtocol.self)
        #expect(trace.rules() == [52], "\(trace.report())\n\(trace.text)")
    }

    @Test func `a canonical form that is one breaks nothing and is what the object gets`() async {
        let trace = await DrivenTrace.of(
            LowercasingProtocol.self, DrivenTrace.request("HTTP://EXAMPLE.test/A"))
        #expect(trace.rules().isEmpty, "\(trace.report())")
        #expect(trace.first(.pInit)?.facts.text(.request) == "GET http://example.test/A")
        #expect(trace.first(.response)?.facts.text(.url) == "http://example.test/A")
    }

    @Test func `a protocol that refuses a certificate itself tells its client only the failure`() async {
        let trace = await DrivenTrace.of(FailingProtocol.self)
        #expect(trace.lane(.protocolClient) == "complete(secureConnectionFailed)")
        #expect(trace.rules().isEmpty, "\(trace.report())")
        #expect(trace.events.last?.facts.integer(.code) == -1200)
    }

    @Test func `an object that is kept alive has no recorded end, and the driver continues`() async {
        var program = ProtocolProgram.patient
        program.settling = .milliseconds(30)
        let trace = await DrivenTrace.of(LeakingProtocol.self, program: program)
        #expect(trace.lane(.proto, 0) == "p.init p.start p.stop")
        #expect(trace.rules() == [61], "\(trace.report())")
        LeakingProtocol.letGo()
    }

    @Test func `a late call from a thread of the protocol's own is heard`() async {
        let trace = await DrivenTrace.of(LateProtocol.self)
        #expect(trace.lane(.protocolClient) == "response(200) complete(ok) data", "\(trace.text)")
        #expect(trace.rules() == [40, 48], "\(trace.report())\n\(trace.text)")
    }

    @Test func `an object that answers although its redirect was followed breaks R51`() async {
        let trace = await DrivenTrace.of(PersistentProtocol.self)
        #expect(trace.lane(.protocolClient, 0) == "redirect(302) response(200)", "\(trace.text)")
        #expect(trace.lane(.protocolClient, 1) == "response(200) complete(ok)", "\(trace.text)")
        #expect(trace.rules() == [51], "\(trace.report())\n\(trace.text)")
        #expect(trace.events.last?.facts.text(.url) == "http://example.test/b")
    }

    @Test func `a cached response is handed to the object`() async throws {
        let url = try #require(URL(string: "http://example.test/a"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
        let load = ScriptedLoad(DrivenTrace.calls("cached-response-valid,finish"), for: URLRequest(url: url))
        let events = await ProtocolDriver(ScriptedProtocol.self).run(
            load.request, program: .patient,
            cachedResponse: CachedURLResponse(response: response, data: Data("kept".utf8)), deadline: Patience.whole)
        #expect(events.last?.facts.text(.body) == "kept")
        #expect(DrivenTrace(events: events).rules().isEmpty)
    }
}
