import Foundation
import ProctorServer
import Testing

/// Exchanges that take turns together.
struct SharedTurnTests {
    private static let yaml = """
        summary: turns
        exchanges:
          - { request: GET /a, turns: { shared: t }, reply: [{ status: 200, body: a0 }, { status: 200, body: a1 }, { status: 200, body: a2 }] }
          - { request: GET /b, turns: { shared: t }, reply: [{ status: 200, body: b0 }, { status: 200, body: b1 }] }
          - { request: GET /c, turns: { shared: u }, reply: { status: 200, body: c } }
          - { request: GET /d, turns: { shared: u }, reply: [{ status: 200, body: d0 }, { status: 200, body: d1 }] }
        """

    private func ask(_ targets: [String], _ base: String, below path: String = "") async throws -> String {
        var bodies: [String] = []
        for target in targets {
            let text = try await exchange(.request("GET \(path)/\(target)", "Connection: close"), with: base).text
            bodies.append(text.components(separatedBy: "\r\n\r\n").last ?? "")
        }
        return bodies.joined(separator: " ")
    }

    @Test func `a request to any of them takes the turn of all, and the last reply of each stays`() async throws {
        try await withRun(Self.yaml) { run in
            let shared = try await ask(["a", "b", "a", "b", "b", "a"], run.base)
            #expect(shared == "a0 b1 a2 b1 b1 a2")
            let other = try await ask(["c", "d", "d"], run.base)
            #expect(other == "c d1 d1")
        }
    }

    @Test func `on the shared port the turns start over together`() async throws {
        try await withServer([try scenario(Self.yaml)]) { server in
            let targets = ["a", "b", "b", "b", "a", "a"]
            let answers = try await ask(targets, server.base, below: "/test/one")
            #expect(answers == "a0 b1 b1 b0 a1 a2")
        }
    }
}
