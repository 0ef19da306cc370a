import Foundation
import ProctorReplies
import ProctorServer
import ProctorTestWire
import Testing

/// The one call by which the helpers for other languages judge a run.
struct JudgeCallTests {
    private struct Answer: Decodable {
        let outcome: String
        let isFailure: Bool
        let codes: [String]
        let cases: [String]?
        let sentence: String?
        let text: String
        let requestCount: Int
    }

    private func judge(
        _ id: String, _ query: String = "", on server: Server, body: String? = nil
    ) async throws -> Answer {
        let reply = try await call("POST /runs/\(id)/judge\(query)", on: server, body: body)
        return try JSONDecoder().decode(Answer.self, from: Data(reply.body.utf8))
    }

    @Test func `a run that no client came to is not judged, whatever its case says`() async throws {
        try await withControl { server in
            let (id, _) = try await makeRun("plain/deep/origins", on: server)
            for body in [nil, #"{"results": [{"error": "cannotConnectToHost"}]}"#] {
                let answer = try await judge(id, "?case=sees", on: server, body: body)
                #expect(answer.outcome == "not-judged" && answer.isFailure && answer.codes.contains("no-client-came"))
                #expect(answer.sentence?.hasPrefix("the client made no connection to 127.") == true)
                #expect(answer.text.contains("\nplain/deep/origins is at http://127."), "\(answer.text)")
            }
        }
    }

    @Test func `where a case has to be named the answer has their names and the timeline`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            _ = try await exchange(.request("GET /", "X-A: 1"), with: base)
            let answer = try await judge(id, on: server)
            #expect(answer.outcome == "not-judged" && answer.codes == ["no-case"] && answer.isFailure)
            #expect(answer.cases == ["must", "sees"])
            #expect(answer.text.hasPrefix("say which case to judge by; plain/deep/origins has must, sees\n"))
            #expect(answer.text.contains("GET / HTTP/1.1") && answer.requestCount == 1)
        }
    }

    @Test func `results are judged as the trace of a client that reports nothing else`() async throws {
        try await withControl { server in
            let text = """
                summary: A page
                exchanges: [{ request: GET /, reply: { status: 200, body: hello } }]
                cases: { get: { client: { url: / }, wire: request(GET /), facts: { body: hello, status: 200 } } }
                """
            let created = try await call("POST /inline", on: server, body: text)
            let (id, base) = (try created.text("run"), try created.text("base"))
            _ = try await exchange(.request("GET /"), with: base)
            for (body, outcome) in [
                ("", "partly"), (#"{"results": [{"status": 200, "body": "hello"}]}"#, "pass"),
                ("{ \"results\":\n[ { \"body\": {\"base64\": \"aGVsbG8=\"}, \"status\": 200 } ] }", "pass"),
                (#"{"results": [{"status": 200, "body": "hullo"}]}"#, "fail"),
                (#"{"results": [{"status": 404, "body": "hello"}]}"#, "fail"),
            ] {
                #expect(try await judge(id, on: server, body: body).outcome == outcome, "\(body)")
            }
            for (body, sentence) in [
                (#"{"results": [{"status": 200, "body": 7}]}"#, "expected a text, or an object with 'base64', not '7'"),
                (#"{"results": {"status": 200}}"#, "expected a list of results, not '{'"),
                (#"{"results": [{"body": {"base64": "a?"}}]}"#, "this is not base64"),
                (#"{"ev":"respons"}"#, "did you mean 'response'?"),
            ] {
                let reply = try await call("POST /runs/\(id)/judge", on: server, body: body)
                #expect(reply.status == 400 && reply.body.contains(sentence), "\(reply.body)")
            }
        }
    }

    @Test func `what a scenario without cases does not expect, and what never came, have codes`() async throws {
        try await withControl { server in
            let text = """
                summary: Two pages
                exchanges: [{ request: GET /a, reply: { status: 200 } }, { request: GET /b, reply: { status: 200 } }]
                """
            let created = try await call("POST /inline", on: server, body: text)
            let (id, base) = (try created.text("run"), try created.text("base"))
            _ = try await exchange(.request("GET /a"), with: base)
            let early = try await judge(id, on: server)
            #expect(early.outcome == "fail" && early.codes == ["never-came"], "\(early)")
            _ = try await exchange(.request("GET /c"), with: base)
            #expect(try await judge(id, on: server).codes == ["unexpected-request", "never-came"])
            _ = try await exchange(.request("GET /b"), with: base)
            #expect(try await judge(id, on: server).codes == ["unexpected-request"])
        }
    }

    @Test func `a run is judged when nothing is under way, or when the wait is over`() async throws {
        try await withControl { server in
            let text = """
                summary: A reply that waits
                exchanges: [{ request: GET /slow, reply: { status: 200, body: [a, { do: { await: response } }, b] } }]
                cases: { slow: { client: { url: /slow }, wire: request(GET /slow) } }
                """
            let created = try await call("POST /inline", on: server, body: text)
            let (id, base) = (try created.text("run"), try created.text("base"))
            let reached = "POST /runs/\(id)/reached"
            _ = try await call(reached, on: server, body: #"{"event": "response", "count": 0}"#)
            async let load = exchange(.request("GET /slow"), with: base)
            _ = try await call("GET /runs/\(id)/journal?after=1&wait=20000", on: server)
            #expect(try await judge(id, "?within=0", on: server).codes == ["still-under-way"])
            _ = try await call(reached, on: server, body: #"{"event": "response"}"#)
            #expect(try await judge(id, "?within=20000", on: server).codes.isEmpty)
            _ = try await load
            let wrong = try await call("POST /runs/\(id)/judge?within=soon", on: server)
            #expect(try wrong.error.message == "'within' is a whole number from 0 to 30000, not 'soon'")
        }
    }
}
