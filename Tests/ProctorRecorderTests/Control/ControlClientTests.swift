import Foundation
import ProctorRecorder
import ProctorTrace
import Testing

/// Against a server that answers as Docs/control-api.md says.
@Suite(.timeLimit(.minutes(2)))
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
        let text = String(decoding: try JSONEncoder().encode(assignment), as: UTF8.self)
        let server = try PlainServer { _ in PlainServer.reply(200, text) }
        defer { server.stop() }
        #expect(try await client(server).assignment(of: "a b", in: "r1") == assignment)
        #expect(server.requests.first?.target == "/__proctor/runs/r1/assignment?case=a%20b")
    }

    @Test func `a trace is posted with its header and the verdict is read`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, #"{"outcome":"fail","text":"R39 …"}"#) }
        defer { server.stop() }
        let events = [TraceEvent(sequence: 1, lane: .harness, name: .resume)]
        let verdict = try await client(server).grade(events, header: TraceHeader(client: "me"), of: "get", in: "r1")
        #expect(verdict.outcome == "fail")
        #expect(verdict.text == "R39 …")
        let lines = try #require(server.requests.first).body.split(separator: "\n")
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
