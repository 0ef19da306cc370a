import Foundation
import ProctorServer
import Testing

/// What a client is to do, and how it did, over the control API.
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

    private func sentences(_ verdict: [String: Any]) -> String {
        let findings = verdict["findings"] as? [[String: Any]] ?? []
        return findings.compactMap { $0["sentence"] as? String }.joined(separator: "\n")
    }

    @Test func `an assignment has the addresses of its run`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            let assignment = try await call("GET /runs/\(id)/assignment?case=must", on: server).json
            #expect(assignment["version"] as? Int == 1 && assignment["base"] as? String == base)
            #expect(
                assignment["scenario"] as? String == "plain/deep/origins" && assignment["case"] as? String == "must")
            let steps = try #require(assignment["steps"] as? [[String: Any]])
            #expect(
                steps.count == 1 && steps[0]["method"] as? String == "GET" && steps[0]["url"] as? String == "\(base)/")
            // The only case need not be named.
            let (other, _) = try await makeRun("other", on: server)
            #expect(try await call("GET /runs/\(other)/assignment", on: server).text("case") == "both")
        }
    }

    @Test func `a trace is judged together with what the run saw`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            let early = try await call("POST /runs/\(id)/grade?case=must", on: server, body: Self.trace)
            #expect(early.status == 200)
            #expect(try early.text("outcome") == "fail" && early.text("case") == "plain/deep/origins#must")

            _ = try await exchange(.request("GET /", "X-A: 1"), with: base)
            let late = try await call("POST /runs/\(id)/grade?case=must", on: server, body: Self.trace).json
            #expect(late["outcome"] as? String == "pass", "\(late)")

            let broken = Self.trace.replacingOccurrences(
                of: "\"arg\":\"ok\"}", with: "\"arg\":\"ok\"}\n{\"ev\":\"data\"}")
            let wrong = try await call("POST /runs/\(id)/grade?case=must", on: server, body: broken).json
            #expect(wrong["outcome"] as? String == "fail" && sentences(wrong).contains("R40"), "\(wrong)")
        }
    }

    @Test func `without any event the wire alone is judged`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            for _ in 0..<2 { _ = try await exchange(.request("GET /"), with: base) }
            let header = #"{"trace":"proctor","version":1,"client":"tiny","lanes":["harness"]}"#
            let verdict = try await call("POST /runs/\(id)/grade", on: server, body: header).json
            #expect(verdict["outcome"] as? String == "pass", "\(verdict)")
        }
    }

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
