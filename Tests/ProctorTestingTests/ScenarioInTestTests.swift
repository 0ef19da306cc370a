import Foundation
import ProctorClientTesting
import ProctorDocument
import ProctorFixtures
import ProctorRecorder
import ProctorScenario
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Scenarios that a test writes itself, in code and as YAML.
struct ScenarioInTestTests {
    private typealias Reply = ProctorTesting.Reply

    // Not in a macro, in which every line is that of the macro.
    private func failure(of make: () throws(LoadFailure) -> Scenario) throws -> LoadFailure {
        do throws(LoadFailure) {
            _ = try make()
        } catch {
            return error
        }
        throw Missing()
    }

    private struct Missing: Error {}

    @Test func `every mistake of a scenario in code is told at its own line`() throws {
        let line = #line
        let failure = try failure { () throws(LoadFailure) in
            try Scenario("Wrong in three places") {
                On(.get("/a")) {
                    Reply(42)
                }
                On(.get("relative")) { Reply(.ok).effect("explode") }
            }
        }
        let messages = failure.diagnostics.map(\.description)
        try #require(messages.count == 3, "\(messages)")
        #expect(messages[0].hasPrefix("\(#filePath):\(line + 4):"), "\(messages)")
        #expect(messages[0].contains("permitted is 100 ... 999"), "\(messages)")
        #expect(messages[1...].allSatisfy { $0.hasPrefix("\(#filePath):\(line + 6):") }, "\(messages)")
        #expect(messages[1...].contains { $0.contains("a target begins with /") }, "\(messages)")
        #expect(messages[1...].contains { $0.contains("explode") }, "\(messages)")
    }

    @Test func `a mistake in YAML is told with line and column of the test's source`() throws {
        let line = #line
        let failure = try failure { () throws(LoadFailure) in
            try Scenario(
                yaml: """
                    summary: Wrong
                    exchanges:
                      - request: GET /a
                        reply: { stauts: 200 }
                    """)
        }
        let message = failure.description
        #expect(message.contains("\(#filePath):\(line + 7):34: error: unknown key \"stauts\""), "\(message)")
    }

    @Test func `a text that stands nowhere in the source is told at the line of the call`() throws {
        let text = ["summary: \(1)", "exchanges: []"].joined(separator: "\n")
        let line = #line + 1
        let failure = #expect(throws: LoadFailure.self) { try Scenario(yaml: text) }
        let message = try #require(failure).description
        #expect(message.hasPrefix("\(#filePath):\(line + 1):12:"), "\(message)")
    }

    @Test func `conditions, several replies, bounds and loops reach the wire`() async throws {
        let scenario = try Scenario("Everything the builder has", id: "builder") {
            for name in ["a", "b"] {
                On(.get("/\(name)").headers(["X-Key": "1*", "Cookie": nil])) {
                    Reply(.ok, headers: ["X-Name": .text(name), "x-name": "again"], body: name)
                }.optional()
            }
            On(.post("/form").form(["user": "*"]).query(["q": 1])) { Reply(.created) }
            On(.put("/text").body("exact")) { Reply(204) }
            On(.any("/once")) { Reply(.ok, body: "once") }.times(1)
            On(.get("/chunks")) { Reply(.ok, body: "12345").setting("framing", ["chunked": [2, 3]]) }
        }
        #expect(scenario.id == "builder" && scenario.cases.isEmpty)
        try await withScenario(scenario) { exam in
            let recorder = exam.recorder()
            let session = recorder.session()
            func ask(
                _ path: String, _ method: String = "GET", _ body: String? = nil, _ fields: [String: String] = [:]
            ) async throws -> (status: Int, text: String, name: String?) {
                var request = URLRequest(url: exam.url(path))
                request.httpMethod = method
                request.httpBody = body.map { Data($0.utf8) }
                for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
                let (data, response) = try await recorder.data(for: request, in: session)
                let head = try #require(response as? HTTPURLResponse)
                return (
                    head.statusCode, String(decoding: data, as: UTF8.self), head.value(forHTTPHeaderField: "X-Name")
                )
            }
            let page = try await ask("/b", "GET", nil, ["X-Key": "12"])
            #expect(page.status == 200 && page.text == "b" && page.name != nil)
            let type = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(try await ask("/form?q=1", "POST", "user=me", type).status == 201)
            #expect(try await ask("/text", "PUT", "exact").status == 204)
            #expect(try await ask("/once").text == "once")
            #expect(try await ask("/chunks").text == "12345")
            recorder.invalidate(session)
        }
    }

    @Test func `a request that no exchange expects fails a scenario without cases`() async throws {
        let page = try Scenario("One page") { On(.get("/page")) { Reply(.ok) } }
        try await withKnownIssue {
            try await withScenario(page) { exam in
                exam.session().dataTask(with: exam.url("/pgae")).resume()
            }
        } matching: { issue in
            issue.comments.contains { "\($0)".contains("fail: ScenarioInTestTests-") && "\($0)".contains("/pgae") }
        }
    }

    @Test func `what never came fails a scenario without cases, unless it is optional`() async throws {
        let two = try Scenario("Two pages") {
            On(.get("/page")) { Reply(.ok) }
            On(.get("/other")) { Reply(.ok) }
        }
        try await withKnownIssue {
            try await withScenario(two) { exam in exam.session().dataTask(with: exam.url("/page")).resume() }
        } matching: { issue in
            issue.comments.contains { "\($0)".contains("never came: GET /other, exchange 1") }
        }
        let optional = try Scenario("Two pages, one of which may come") {
            On(.get("/page")) { Reply(.ok) }
            On(.get("/other")) { Reply(.ok) }.optional()
        }
        try await withScenario(optional) { exam in exam.session().dataTask(with: exam.url("/page")).resume() }
    }

    @Test func `a client that asks nothing does not pass`() async throws {
        let page = try Scenario("One page") { On(.get("/page")) { Reply(.ok) } }
        try await withKnownIssue {
            try await withScenario(page) { _ in }
        } matching: { issue in
            issue.comments.contains { "\($0)".contains("wire.count") }
        }
    }

    @Test(.scenario(yaml: "{ summary: A page, exchanges: [{ request: GET /, reply: { status: 200, body: a } }] }"))
    func `a trait holds a scenario of its own`() async throws {
        let exam = try #require(Exam.current)
        #expect(exam.scenario.summary == "A page")
        exam.session().dataTask(with: exam.url("/")).resume()
    }

    @Test func `a scenario without cases has no program`() async throws {
        let page = try Scenario("One page") { On(.get("/page")) { Reply(.ok) } }
        try await withScenario(page) { exam in
            await #expect {
                try await exam.performProgram()
            } throws: { "\($0)".contains("has no case") }
            exam.session().dataTask(with: exam.url("/page")).resume()
        }
    }
}
