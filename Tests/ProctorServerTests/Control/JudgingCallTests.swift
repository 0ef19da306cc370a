import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// Assignments and verdicts over the control API.
struct GradeCallTests {
    private static let trace = """
        {"trace":"proctor","version":1,"client":"tiny","lanes":["task","harness"]}
        {"lane":"harness","ev":"resume"}
        {"lane":"task","ev":"response","arg":"200","family":"US"}
        {"lane":"harness","ev":"answer","arg":"allow","facts":{"to":"response"}}
        {"lane":"task","ev":"data","facts":{"bytes":4}}
        {"lane":"task","ev":"complete","arg":"ok"}
        {"lane":"harness","ev":"result","facts":{"status":200}}

        """

    @Test func `a long trace is taken, and one that is too long is refused`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            _ = try await exchange(.request("GET /", "X-A: 1"), with: base)
            let data = "{\"lane\":\"task\",\"ev\":\"data\",\"facts\":{\"bytes\":4}}\n"
            // Without a number of bytes, which would have to add up to what was sent.
            let piece = "{\"lane\":\"task\",\"ev\":\"data\"}\n"
            let many = Self.trace.replacingOccurrences(of: data, with: String(repeating: piece, count: 20_000))
            #expect(many.utf8.count > 64 << 10)
            let reply = try await call("POST /runs/\(id)/grade?case=must", on: server, body: many)
            #expect(try reply.status == 200 && reply.text("outcome") == "pass")
            let blanks = String(repeating: " ", count: (16 << 20) + 1)
            let refused = try await call("POST /runs/\(id)/grade?case=must", on: server, body: blanks)
            #expect(refused.status == 413)
            #expect(try refused.error.message == "a call's body has at most 16777216 bytes")
        }
    }
}
