import Foundation
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// The state of a run: conditions, changes, what replies show of it, and its bounds.
struct StateTests {
    private func ask(_ line: String, _ base: String, body: String? = nil) async throws -> (status: String, body: String)
    {
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        let head = (["\(line) HTTP/1.1", "Host: a", "Connection: close"] + length).joined(separator: "\r\n")
        let text = try await exchange("\(head)\r\n\r\n\(body ?? "")", with: base).text
        let parts = text.components(separatedBy: "\r\n\r\n")
        return (
            String(text.split(separator: " ").dropFirst().first ?? ""), parts.dropFirst().joined(separator: "\r\n\r\n")
        )
    }

    @Test func `a hundred clients at once change a number a hundred times, and no two see the same`() async throws {
        let yaml = """
            summary: A counter
            state: { n: 0 }
            exchanges: [{ request: POST /, reply: { status: 200, body: "{{state.n}} {{state.copy}}", sets: { n: { add: 1 }, copy: "{{state.n}}" } } }]
            """
        for threadCount in [1, 2] {
            try await withServer([try scenario(yaml)], configure: { $0.threadCount = threadCount }) { server in
                let base = "\(server.base)/test/one"
                let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<100 { group.addTask { try await ask("POST /test/one/", base, body: "x").body } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(bodies) == Set((1...100).map { "\($0) \($0)" }))
            }
        }
    }
}
