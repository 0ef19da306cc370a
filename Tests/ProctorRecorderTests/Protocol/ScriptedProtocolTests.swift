import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

@testable import ProctorAssignments
@testable import ProctorEvents
@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limit(minutes: 5))
struct ScriptedProtocolTests {
    private struct Got: Sendable {
        let status: Int?
        let body: String?
        let code: Int?
    }

    private func load(_ script: String, _ recorder: TraceRecorder) async -> Got {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [ScriptedProtocol.self]
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        let scripted = ScriptedLoad(DrivenTrace.calls(script), for: DrivenTrace.request(), recorder: recorder, task: 3)
        defer { withExtendedLifetime(scripted) {} }
        return await withCheckedContinuation { continuation in
            session.dataTask(with: scripted.request) { data, response, error in
                continuation.resume(
                    returning: Got(
                        status: (response as? HTTPURLResponse)?.statusCode,
                        body: data.map { String(decoding: $0, as: UTF8.self) }, code: (error as NSError?)?.code))
            }.resume()
        }
    }

    @Test func `a script plays in a session, and what it does is written down`() async {
        let recorder = TraceRecorder()
        let got = await load("response 203 text/plain,data hello,finish", recorder)
        #expect(got.status == 203)
        #expect(got.body == "hello")
        let trace = DrivenTrace(events: recorder.events)
        #expect(trace.lane(.protocolClient, 0) == "response(203) data complete(ok)", "\(trace.text)")
        let life = trace.lane(.proto)
        #expect(life.contains("p.canInit"), "\(life)")
        #expect(life.contains("p.init p.start"), "\(life)")
        #expect(trace.events.allSatisfy { $0.task == 3 })
        #expect(trace.first(.pStart)?.object == 0)
    }

    @Test func `a script with pauses and other threads plays to its end in a session`() async {
        let recorder = TraceRecorder()
        let got = await load("wait 20,response 200,other: data hello,wait 20,fail -1005", recorder)
        #expect(got.code == -1005)
        #expect(
            DrivenTrace(events: recorder.events).lane(.protocolClient) == "response(200) data complete(connectionLost)")
    }

    @Test func `sessions at the same time play their own scripts`() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let recorder = TraceRecorder()
                    let got = await load("response 2\(10 + number),wait 5,data \(number),finish", recorder)
                    #expect(got.status == 210 + number)
                    #expect(got.body == "\(number)")
                    #expect(
                        DrivenTrace(events: recorder.events).lane(.protocolClient)
                            == "response(2\(10 + number)) data complete(ok)")
                }
            }
        }
    }

    @Test func `the class takes only requests with a script`() {
        let plain = DrivenTrace.request()
        #expect(!ScriptedProtocol.canInit(with: plain))
        var load: ScriptedLoad? = ScriptedLoad(DrivenTrace.calls("finish"), for: plain)
        let request = load?.request ?? plain
        #expect(ScriptedProtocol.canInit(with: request))
        load = nil
        #expect(!ScriptedProtocol.canInit(with: request))
    }

    @Test func `the way to the script is nothing that a server sees`() {
        var plain = DrivenTrace.request()
        plain.setValue("1", forHTTPHeaderField: "X-A")
        let request = ScriptedLoad(DrivenTrace.calls("finish"), for: plain).request
        #expect(request.url == plain.url)
        #expect(request.allHTTPHeaderFields == plain.allHTTPHeaderFields)
        #expect(request.difference(from: plain) == nil)
    }

    @Test(arguments: [
        "response two", "response 200 nonsense", "fail sometime", "challenge riddle", "redirect 200 /b", "sing",
    ])
    func `a line that means nothing fails the load and says why`(_ line: String) async {
        let recorder = TraceRecorder()
        let scripted = ScriptedLoad(DrivenTrace.calls("\(line),finish"), for: DrivenTrace.request(), recorder: recorder)
        let trace = DrivenTrace(
            events: await ProtocolDriver(ScriptedProtocol.self).run(
                scripted.request, program: .patient, deadline: Patience.whole))
        #expect(trace.lane(.protocolClient) == "complete(ProctorScript#1)", "\(trace.text)")
        let word = line.split(separator: " ").last.map(String.init) ?? line
        #expect(trace.events.last?.facts.text(.message)?.contains(word) == true, "\(trace.text)")
        #expect(DrivenTrace(events: recorder.events).lane(.harness).hasPrefix("unimplemented("))
    }

    @Test func `a request whose script was released fails instead of hanging`() async {
        let request = DrivenTrace.request()
        let recorder = TraceRecorder()
        let object = ScriptedProtocol(
            request: request, cachedResponse: nil, client: ProtocolClientRecorder(recorder: recorder, object: 0))
        object.startLoading()
        object.stopLoading()
        #expect(DrivenTrace(events: recorder.events).lane(.protocolClient) == "complete(ProctorScript#1)")
    }

    @Test func `the trace shows an object that was released without a stop`() async {
        let recorder = TraceRecorder()
        let scripted = ScriptedLoad(
            DrivenTrace.calls("response 200,finish"), for: DrivenTrace.request(), recorder: recorder)
        #expect(ScriptedProtocol.canInit(with: scripted.request))
        startAndStop(scripted) { $0.startLoading() }
        let trace = DrivenTrace(events: recorder.events)
        #expect(trace.lane(.proto) == "p.canInit p.init p.start p.deinit", "\(trace.text)")
        #expect(trace.rules() == [49, 52], "\(trace.report())")
    }

    @Test func `an object that is stopped on another thread shows that in its trace`() async {
        let recorder = TraceRecorder()
        let scripted = ScriptedLoad(
            DrivenTrace.calls("response 200,finish"), for: DrivenTrace.request(), recorder: recorder)
        #expect(ScriptedProtocol.canInit(with: scripted.request))
        _ = ScriptedProtocol.canonicalRequest(for: scripted.request)
        await withCheckedContinuation { continuation in
            startAndStop(scripted) { object in
                object.startLoading()
                let handed = Handover(value: object)
                Thread.detachNewThread {
                    handed.value.stopLoading()
                    continuation.resume()
                }
            }
        }
        #expect(DrivenTrace(events: recorder.events).rules() == [48])
    }

    private func startAndStop(_ scripted: ScriptedLoad, _ drive: (ScriptedProtocol) -> Void) {
        let silent = ProtocolClientRecorder(recorder: TraceRecorder(), object: 0)
        drive(ScriptedProtocol(request: scripted.request, cachedResponse: nil, client: silent))
    }

    @Test func `a step of a program plays under the driver`() async {
        var step = Assignment.Step(url: "http://example.test/a")
        step.onRedirect = [Assignment.RedirectAnswer.refuse]
        step.protocolScript = DrivenTrace.calls("redirect 301 /b,wait 20,response 301,data x,finish")
        var program = ProtocolProgram(step)
        program.blockedThreshold = ProtocolProgram.patient.blockedThreshold
        let trace = DrivenTrace(
            events: await ProtocolDriver.runScript(step, program: program, deadline: Patience.whole, in: LoadTrace()))
        #expect(trace.lane(.protocolClient) == "redirect(301) response(301) data complete(ok)", "\(trace.text)")
        #expect(trace.lane(.harness) == "answer(refuse) result")
        #expect(trace.rules().isEmpty, "\(trace.report())")
    }

    @Test func `a step with an invalid URL is reported as impossible`() async {
        let step = Assignment.Step(url: "")
        let trace = DrivenTrace(events: await ProtocolDriver.runScript(step, deadline: Patience.whole))
        #expect(trace.lane(.harness) == "unimplemented(Foundation cannot read the URL \"\")")
    }

    @Test func `a script that plays under the driver is written down once`() async {
        let trace = await DrivenTrace.of(script: "response 200,finish")
        #expect(trace.events.filter { $0.name == .response && $0.phase == .enter }.count == 1)
        #expect(trace.events.filter { $0.name == .pStart && $0.phase == .enter }.count == 1)
    }
}
