import Foundation
import ProctorAssignments
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// The runner in this process, with what is safe here.
@Suite(.limit(minutes: 5))
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
    func `an unknown program is not begun`(reason: String) async throws {
        var one = step("http://127.0.0.1:9/")
        var session = SessionSetup()
        switch reason {
        case "task: carrier": one.unknownWords = [.init(key: "task", word: "carrier")]
        case "bodyForm: pigeon": one.unknownWords = [.init(key: "bodyForm", word: "pigeon")]
        case "cachePolicy: hope": one.unknownWords = [.init(key: "cachePolicy", word: "hope")]
        default: session.unknownWords = [.init(key: "queue", word: "long")]
        }
        let recorder = TraceRecorder()
        let assignment = Assignment(scenario: "s", caseName: "c", base: "b", session: session, steps: [one])
        #expect(await AssignmentRunner(assignment, recordingTo: recorder).run() == .unimplemented)
        #expect(recorder.events.map(\.name) == [.unimplemented])
        #expect(recorder.events.first?.argument?.hasSuffix(reason) == true)
    }
}

/// What comes on the command line, on standard input and in the environment.
@Suite(.limit(minutes: 5))
struct RunningInputTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let input: String
        let complaint: String
        var testDescription: String { complaint }
    }

    @Test(arguments: [
        Row(input: "", complaint: "standard input is empty"),
        Row(input: "GET / HTTP/1.1", complaint: "it is no JSON"),
        Row(input: "{}", complaint: "version is missing"),
        Row(input: #"{"version": 2}"#, complaint: "the assignment has version 2; this program knows 1"),
        Row(input: #"{"version": 1}"#, complaint: "scenario is missing"),
        Row(
            input: #"{"version": 1, "scenario": "s", "case": "c", "base": "b", "deadline": "soon"}"#,
            complaint: "deadline is no Int"),
    ])
    func `input that is no assignment is refused in a sentence`(row: Row) async throws {
        let outcome = try await Adapter.urlSession.run(input: Array(row.input.utf8))
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.err.contains(row.complaint), "\(outcome.err)")
    }

    @Test(arguments: [0, 99, 600_001])
    func `a deadline out of range is refused`(deadline: Int) async throws {
        let assignment = Assignment(scenario: "s", caseName: "c", base: "b", deadline: deadline, steps: [step("x")])
        let outcome = try await Adapter.urlSession.run(input: assignment.json)
        #expect(outcome.status == 64)
        #expect(outcome.err.contains("expected 100 to 600000"))
    }

    @Test func `a step can only resume an earlier one`() async throws {
        let assignment = Assignment(scenario: "s", caseName: "c", base: "b", steps: [step("x") { $0.resume = 0 }])
        let outcome = try await Adapter.urlSession.run(input: assignment.json)
        #expect(outcome.status == 64)
        #expect(outcome.err.contains("steps[0].resume: 0 is no earlier step"))
    }

    @Test func `it says what it is and how it is used`() async throws {
        let version = try await Adapter.urlSession.run(input: [], arguments: ["--version"])
        #expect(version.status == 0)
        #expect(version.out.hasPrefix("urlsession-"))
        let help = try await Adapter.urlSession.run(input: [], arguments: ["--help"])
        #expect(help.status == 0)
        #expect(help.out.contains("Exit codes"))
        let wrong = try await Adapter.urlSession.run(input: [], arguments: ["--verbose"])
        #expect(wrong.status == 64)
        #expect(wrong.err.contains("unknown argument '--verbose'"))
    }

    @Test func `proxies of the environment do not count`() async throws {
        let server = try PlainServer.usual()
        defer { server.stop() }
        let nobody = ["http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9", "NO_PROXY": ""]
        let report = try await Adapter.urlSession.run([step("\(server.base)/hello")], environment: nobody)
        #expect(report.result()?.text("body") == "hello")
    }
}
