import Foundation
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Replies that a script makes, as bytes of the wire.
struct ScriptedReplyTests {
    /// A scenario whose one exchange is answered by a script.
    private func scripted(_ lua: String, request: String = "\"* /{rest}*\"") -> String {
        let lines = lua.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
        return """
            summary: is computed
            exchanges:
              - request: \(request)
                reply:
                  script: |
            \(lines)
            """
    }

    @Test func `hostile scripts of one run leave the others whole`() async throws {
        let scenarios = [
            try scenario(scripted("while true do local s = ('x'):rep(1000) end"), id: "test/hostile"),
            try scenario(scripted("return { status = 200, body = 'fine' }"), id: "test/good"),
        ]
        try await withServer(scenarios) { server in
            let hostile = try await server.run("test/hostile")
            let good = try await server.run("test/good")
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 { group.addTask { try await exchange(.request("GET /a"), with: hostile.base).text } }
                for _ in 0..<8 {
                    let text = try await exchange(.request("GET /a"), with: good.base).text
                    #expect(text.hasSuffix("fine"))
                }
                for try await text in group { #expect(text.hasPrefix("HTTP/1.1 500 ")) }
            }
        }
    }
}
