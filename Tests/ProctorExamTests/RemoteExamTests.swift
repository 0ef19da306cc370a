import Foundation
import ProctorAssignments
import ProctorEvents
import ProctorExam
import ProctorFixtures
import ProctorRecorder
import ProctorReplies
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorProgram

/// A client that talks to the server over the control API alone, as one on a device does.
@Suite(.limit(minutes: 5))
struct RemoteExamTests {
    /// The calls that Docs/clients/adapters.md shows.
    private func examine(_ scenario: String, case name: String, on server: URL) async throws -> ControlVerdict {
        // begin of the page's block
        let control = ControlClient(base: server)
        let run = try await control.createRun(of: scenario)
        let assignment = try await control.assignment(of: name, in: run.run)
        let runner = AssignmentRunner(assignment, recordingTo: TraceRecorder(), reportingTo: control)
        _ = await runner.run()
        let verdict = try await control.grade(runner.recorder.events, header: runner.header, of: name, in: run.run)
        try await control.deleteRun(run.run)
        // end of the page's block
        return verdict
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../..")

    private func withServer<Value>(
        _ ids: [String], _ body: (URL, Server) async throws -> Value
    ) async throws -> Value {
        let fixtures = Self.root.appendingPathComponent("fixtures").standardized.path
        let scenarios = try ids.map { id in
            let file = "\(fixtures)/\(id).yaml"
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            let (scenario, diagnostics) = ScenarioLoader.parse(bytes, id: id, file: file)
            #expect(diagnostics.isEmpty)
            return try #require(scenario)
        }
        let server = try await Server.start(Catalogue(scenarios))
        do {
            let value = try await body(try #require(URL(string: server.base)), server)
            await server.stop(grace: .zero)
            return value
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }

    @Test func `a client elsewhere is set, and passes`() async throws {
        try await withServer(["plain/get"]) { url, _ in
            let verdict = try await examine("plain/get", case: "get", on: url)
            #expect(verdict.outcome == "pass", "\(verdict.text)")
            // The timeline has both sides, in one order.
            #expect(verdict.text.contains("GET /hello"), "\(verdict.text)")
            #expect(verdict.text.contains("response(200)"), "\(verdict.text)")
        }
    }

    @Test(arguments: [true, false])
    func `a client elsewhere reports what a reply waits for, or is not waited for`(reports: Bool) async throws {
        let yaml = """
            summary: The rest comes when the beginning was seen
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  body: hello
                  effects:
                    - { at: body 2, do: { await: response, within: 60s } }
                    - { at: body 4, do: { await: data, within: 60s } }
            cases:
              get: { client: { url: /a }, wire: request(GET /a), facts: { status: 200, body: hello } }
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "sync/one", file: "one.yaml")
        let server = try await Server.start(Catalogue([try #require(scenario, "\(diagnostics)")]))
        let control = ControlClient(base: try #require(URL(string: server.base)))
        let run = try await control.createRun(of: "sync/one")
        let assignment = try await control.assignment(of: "get", in: run.run)
        #expect(assignment.awaited == ["data", "response"])
        let runner = AssignmentRunner(
            assignment, recordingTo: TraceRecorder(), reportingTo: reports ? control : nil)
        #expect(await runner.run() == .finished)
        let verdict = try await control.grade(runner.recorder.events, header: runner.header, of: "get", in: run.run)
        #expect(verdict.text.contains("had reported response") == reports, "\(verdict.text)")
        #expect(verdict.text.contains("had reported data") == reports, "\(verdict.text)")
        #expect(verdict.text.contains("this client reports nothing") == !reports, "\(verdict.text)")
        await server.stop(grace: .zero)
    }

    @Test func `one that does something else fails, with what was wanted and what came`() async throws {
        try await withServer(["plain/get"]) { url, _ in
            let control = ControlClient(base: url)
            let run = try await control.createRun(of: "plain/get")
            var assignment = try await control.assignment(of: "get", in: run.run)
            #expect(assignment.run == run.run)
            assignment.steps[0].method = "HEAD"
            // A machine that does much else takes long.
            assignment.deadline = 100_000
            let runner = AssignmentRunner(assignment, recordingTo: TraceRecorder())
            #expect(await runner.run() == .finished)
            let verdict = try await control.grade(
                runner.recorder.events, header: runner.header, of: "get", in: run.run)
            #expect(verdict.outcome == "fail")
            #expect(verdict.text.contains("the first request was HEAD /hello; wanted GET /hello"), "\(verdict.text)")
        }
    }

    @Test func `runs do not see one another`() async throws {
        try await withServer(["plain/get"]) { url, server in
            try await withThrowingTaskGroup(of: ControlVerdict.self) { group in
                for _ in 0..<6 { group.addTask { try await examine("plain/get", case: "get", on: url) } }
                for try await verdict in group { #expect(verdict.outcome == "pass", "\(verdict.text)") }
            }
            _ = server
        }
    }

    @Test func `a case that is not there is said so, with the nearest name`() async throws {
        try await withServer(["plain/get"]) { url, _ in
            let control = ControlClient(base: url)
            let run = try await control.createRun(of: "plain/get")
            do throws(ControlFailure) {
                _ = try await control.assignment(of: "got", in: run.run)
                Issue.record("there is no such case")
            } catch {
                guard case .refused(status: 404, code: "unknown-case", let message) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(message.contains("did you mean 'get'?"))
            }
        }
    }

    @Test func `the page shows what is tried here`() throws {
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let begin = try #require(source.range(of: "// begin of the page's block\n"))
        let end = try #require(source.range(of: "        // end of the page's block"))
        let lines = source[begin.upperBound..<end.lowerBound].split(separator: "\n").map { $0.dropFirst(8) }
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("Docs/clients/adapters.md").standardized, encoding: .utf8)
        #expect(lines.count > 5)
        #expect(page.contains(lines.map { "    \($0)\n" }.joined()), "\(lines.joined(separator: "\n"))")
    }
}
