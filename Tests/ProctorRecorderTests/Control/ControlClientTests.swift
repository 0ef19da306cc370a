import Foundation
import ProctorAssignments
import ProctorEvents
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

/// Against a server that answers as Docs/use/control.md says.
@Suite(.limit(minutes: 5))
struct ControlClientTests {
    private func client(_ server: PlainServer, token: String? = nil) throws -> ControlClient {
        ControlClient(base: try #require(URL(string: server.base)), token: token)
    }

    @Test func `a run is created with its scenario and its life`() async throws {
        let server = try PlainServer { _ in
            PlainServer.reply(
                200,
                #"{"run":"r1","scenario":"plain/get","base":"http://127.0.0.1:1","origins":{"main":"http://127.0.0.1:1"},"lifeSeconds":60}"#
            )
        }
        defer { server.stop() }
        let run = try await client(server, token: "secret").createRun(of: "plain/get", lifeSeconds: 60)
        #expect(run.run == "r1")
        #expect(run.origins == ["main": "http://127.0.0.1:1"])
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/__proctor/runs")
        #expect(request.headers["authorization"] == "Bearer secret")
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
        #expect(body["scenario"] as? String == "plain/get")
        #expect(body["lifeSeconds"] as? Int == 60)
    }

    @Test func `an assignment comes back as it was written`() async throws {
        let assignment = Assignment(
            scenario: "s", caseName: "a b", base: "http://127.0.0.1:1", steps: [step("http://127.0.0.1:1/x")])
        let text = String(decoding: Data(assignment.json), as: UTF8.self)
        let server = try PlainServer { _ in PlainServer.reply(200, text) }
        defer { server.stop() }
        #expect(try await client(server).assignment(of: "a b", in: "r1") == assignment)
        #expect(server.requests.first?.target == "/__proctor/runs/r1/assignment?case=a%20b&files=bytes")
    }

    @Test func `a trace is posted with its header and the verdict is read`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, #"{"outcome":"fail","text":"R39 …"}"#) }
        defer { server.stop() }
        let events = [TraceEvent(sequence: 1, lane: .harness, name: .resume)]
        let verdict = try await client(server).grade(events, header: TraceHeader(client: "me"), of: "get", in: "r1")
        #expect(verdict.outcome == "fail")
        #expect(verdict.text == "R39 …")
        // The clock is asked for before.
        #expect(server.requests.map(\.target) == ["/__proctor/health", "/__proctor/runs/r1/grade?case=get"])
        let lines = try #require(server.requests.last).body.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""client":"me""#) == true)
    }

    @Test func `events are reported and runs are deleted`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "{}") }
        defer { server.stop() }
        let client = try client(server)
        try await client.reached(.redirect, task: 1, count: 2, in: "r1")
        try await client.deleteRun("r1")
        #expect(server.requests.map(\.method) == ["POST", "DELETE"])
        #expect(server.requests.map(\.target) == ["/__proctor/runs/r1/reached", "/__proctor/runs/r1"])
        let body = try #require(server.requests.first).body
        for member in [#""event":"redirect""#, #""task":1"#, #""count":2"#] { #expect(body.contains(member)) }
    }

    @Test func `a refusal keeps the server's words`() async throws {
        let server = try PlainServer { _ in
            PlainServer.reply(404, #"{"error":{"code":"unknown-run","message":"there is no run 'r1'"}}"#)
        }
        defer { server.stop() }
        await #expect(throws: ControlFailure.refused(status: 404, code: "unknown-run", message: "there is no run 'r1'"))
        {
            try await client(server).deleteRun("r1")
        }
    }

    @Test func `an answer that is something else is shown`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "<html>") }
        defer { server.stop() }
        do {
            _ = try await client(server).createRun(of: "plain/get")
            Issue.record("nothing was thrown")
        } catch {
            #expect("\(error)".contains("it begins with '<html>'"))
        }
    }

    @Test func `a server that closes is unreachable`() async throws {
        let server = try PlainServer { _ in nil }
        defer { server.stop() }
        do {
            try await client(server).deleteRun("r1")
            Issue.record("nothing was thrown")
        } catch {
            guard case .unreachable = error as? ControlFailure else {
                Issue.record("\(error)")
                return
            }
        }
    }
}

/// Awaited events on their way from a recorder to a server, which is a plain one here.
@Suite(.limit(minutes: 5))
struct ControlReportsTests {
    private struct Report: Decodable, Equatable {
        let event: String
        let task: Int
        let count: Int
    }

    private func reports(_ requests: [PlainServer.Request]) throws -> [Report] {
        try requests.map { try JSONDecoder().decode(Report.self, from: Data($0.body.utf8)) }
    }

    private func assignment(awaited: [String]?, run: String? = "r1") -> Assignment {
        Assignment(
            scenario: "s", caseName: "c", base: "http://127.0.0.1:1", run: run, steps: [step("http://127.0.0.1:1/x")],
            awaited: awaited)
    }

    private func client(_ server: PlainServer) throws -> ControlClient {
        ControlClient(base: try #require(URL(string: server.base)))
    }

    @Test func `awaited events are reported in their order, neighbours together, and others are not`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "{}") }
        defer { server.stop() }
        let recorder = TraceRecorder()
        let reports = try #require(
            ControlReports(of: recorder, for: assignment(awaited: ["data", "response"]), to: try client(server)))
        await reports.start()
        recorder.record(TraceEvent(lane: .task, name: .redirect, argument: "302"))
        recorder.record(TraceEvent(lane: .task, name: .response, argument: "200"))
        recorder.record(TraceEvent(lane: .task, name: .response, phase: .exit))
        // What a URLProtocol tells its client comes again as the task's own.
        recorder.record(TraceEvent(lane: .protocolClient, name: .data))
        for _ in 0..<5_000 { recorder.record(TraceEvent(lane: .task, task: 2, name: .data)) }
        #expect(await reports.finish() == nil)
        let sent = try self.reports(server.requests)
        #expect(
            sent.prefix(2) == [
                Report(event: "response", task: 0, count: 0), Report(event: "response", task: 0, count: 1),
            ])
        let data = sent.dropFirst(2)
        #expect(data.allSatisfy { $0.event == "data" && $0.task == 2 && 1...1_000 ~= $0.count })
        #expect(data.reduce(0) { $0 + $1.count } == 5_000)
        #expect(server.requests.allSatisfy { $0.target == "/__proctor/runs/r1/reached" })
    }

    @Test func `after a failure nothing more is sent, and the reason is told`() async throws {
        let server = try PlainServer { _ in
            PlainServer.reply(404, #"{"error":{"code":"unknown-run","message":"there is no run 'r1'"}}"#)
        }
        defer { server.stop() }
        let recorder = TraceRecorder()
        let reports = try #require(
            ControlReports(of: recorder, for: assignment(awaited: ["data"]), to: try client(server)))
        for _ in 0..<10 {
            recorder.record(TraceEvent(lane: .task, name: .data))
            let failure = await reports.finish()
            #expect(failure == .refused(status: 404, code: "unknown-run", message: "there is no run 'r1'"))
        }
        #expect(server.requests.count == 1)
    }

    @Test func `where nothing is awaited, or no run is named, there is nothing to do`() throws {
        let server = try PlainServer { _ in nil }
        defer { server.stop() }
        let (recorder, control) = (TraceRecorder(), try client(server))
        for assignment in [
            assignment(awaited: nil), assignment(awaited: []), assignment(awaited: ["data"], run: nil),
        ] {
            let reports = ControlReports(of: recorder, for: assignment, to: control)
            #expect(reports == nil)
        }
    }

    @Test func `an observer is told on the thread that records, before it goes on`() {
        let recorder = TraceRecorder()
        let seen = Seen()
        recorder.observe { event in
            // Recording from inside must not lock up.
            if event.name == .response { recorder.record(TraceEvent(lane: .harness, name: .suspend)) }
            seen.add(event, on: Thread.current)
        }
        recorder.record(TraceEvent(lane: .task, name: .response))
        #expect(seen.names == [.suspend, .response])
        #expect(seen.threads.allSatisfy { $0 == Thread.current })
    }
}

private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var items: [(EventName, Thread)] = []

    func add(_ event: TraceEvent, on thread: Thread) { lock.withLock { items.append((event.name, thread)) } }
    var names: [EventName] { lock.withLock { items.map { $0.0 } } }
    var threads: [Thread] { lock.withLock { items.map { $0.1 } } }
}
