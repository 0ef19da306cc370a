import Foundation
import ProctorTestSupport
import ProctorTrace
import Testing

/// What Docs/adapters.md shows is tried.
@Suite(.timeLimit(.minutes(2)))
struct AdapterPageTests {
    private let page: String

    init() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Docs/adapters.md").standardized
        page = try String(contentsOf: url, encoding: .utf8)
    }

    private func block(_ language: String) throws -> String {
        let start = try #require(page.range(of: "```\(language)\n"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        return String(page[start.upperBound..<end.lowerBound])
    }

    @Test func `the smallest adapter works`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString).py")
        try Data(try block("python").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try PlainServer.usual()
        defer { server.stop() }
        let adapter = Adapter(command: ["/usr/bin/env", "python3", file.path])
        let done = try await adapter.run([step("\(server.base)/moved")])
        #expect(done.status == 0)
        #expect(done.lines.map(\.symbol) == ["resume", "result"])
        #expect(done.result()?.text("body") == "hello")
        let refused = try await adapter.run([step("\(server.base)/echo", "POST")])
        #expect(refused.lines.map(\.ev) == ["unimplemented"])
    }

    @Test func `the assignment to try is one`() async throws {
        let assignment = try JSONDecoder().decode(Assignment.self, from: Data(try block("json").utf8))
        #expect(assignment.steps.count == 1)
        #expect(assignment.version == Assignment.currentVersion)
    }

    @Test func `every key of an assignment is explained`() throws {
        var one = step("http://127.0.0.1/")
        one.body = Assignment.Bytes(text: "x", count: 1)
        one.answerAfter = 1
        one.cancelAt = Assignment.Moment("data")
        one.suspendAt = Assignment.Moment("data")
        one.timeout = 1
        one.resume = 0
        one.cachePolicy = "reload"
        one.protocolScript = []
        var session = SessionSetup()
        (session.end, session.endAt, session.cache) = ("finish", Assignment.Moment("data"), 1)
        (session.requestTimeout, session.resourceTimeout, session.proxy) = (1, 1, "x")
        session.trust = "/ca.pem"
        session.identity = Assignment.Identity(name: "a", certificate: "b", key: "c", pkcs12: "d", passphrase: "e")
        let assignment = Assignment(
            scenario: "s", caseName: "c", base: "b", run: "r", session: session, steps: [one])
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(assignment))
        let whole = try #require(object as? [String: Any])
        let setup = try #require(whole["session"] as? [String: Any])
        let first = try #require((whole["steps"] as? [[String: Any]])?.first)
        let keys = Set(whole.keys).union(setup.keys).union(first.keys)
        #expect(keys.count >= 35)
        for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}
