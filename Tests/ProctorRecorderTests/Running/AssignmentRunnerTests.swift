import ProctorRecorder
import ProctorTrace
import Testing

/// The runner in this process, with what is safe here.
@Suite(.timeLimit(.minutes(2)))
struct AssignmentRunnerTests {
    @Test func `an assignment is done in the process of a test`() async throws {
        let server = try PlainServer.usual()
        defer { server.stop() }
        let recorder = TraceRecorder()
        let assignment = Assignment(
            scenario: "s", caseName: "c", base: server.base, deadline: 120_000,
            steps: [step("\(server.base)/hello"), step("\(server.base)/moved")])
        #expect(await AssignmentRunner(assignment, recordingTo: recorder).run() == .finished)
        let results = recorder.events.filter { $0.name == .result }
        #expect(results.map(\.task) == [0, 1])
        #expect(results.map { $0.facts.text(.body) } == ["hello", "hello"])
    }

    @Test(arguments: ["task: carrier", "bodyForm: pigeon", "cachePolicy: hope", "session.queue: long"])
    func `a program nobody knows is not begun`(reason: String) async throws {
        var one = step("http://127.0.0.1:9/")
        var session = SessionSetup()
        switch reason {
        case "task: carrier": one.task = "carrier"
        case "bodyForm: pigeon": one.bodyForm = "pigeon"
        case "cachePolicy: hope": one.cachePolicy = "hope"
        default: session.queue = "long"
        }
        let recorder = TraceRecorder()
        let assignment = Assignment(scenario: "s", caseName: "c", base: "b", session: session, steps: [one])
        #expect(await AssignmentRunner(assignment, recordingTo: recorder).run() == .unimplemented)
        #expect(recorder.events.map(\.name) == [.unimplemented])
        #expect(recorder.events.first?.argument?.hasSuffix(reason) == true)
    }
}
