import Foundation
import ProctorServer
import Testing

/// The verdict over the control API: what it says, and how it changes as requests come.
struct VerdictCallTests {
    @Test func `a case fails as long as a request is missing, and passes then`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let early = try await call("GET /runs/\(id)/verdict", on: server).json
            #expect(early["case"] as? String == "both" && early["kind"] as? String == "must")
            #expect(early["verdict"] as? String == "fail" && (early["timeline"] as? [String])?.isEmpty == true)
            let findings = try #require(early["findings"] as? [[String: Any]])
            #expect(findings.count == 1 && findings[0]["weight"] as? String == "failure")
            #expect((findings[0]["sentence"] as? String)?.isEmpty == false)
            #expect((findings[0]["details"] as? [String])?.contains { $0.contains("request(GET /)") } == true)
            #expect((findings[0]["location"] as? String)?.hasPrefix("plain/turns.yaml:6:") == true)

            for _ in 0..<2 { _ = try await exchange(.request("GET /"), with: base) }
            let late = try await call("GET /runs/\(id)/verdict?case=both", on: server).json
            #expect(late["verdict"] as? String == "pass" && (late["findings"] as? [Any])?.isEmpty == true)
            let timeline = try #require(late["timeline"] as? [String])
            #expect(timeline.count { $0.contains("GET / HTTP/1.1, 1 field") } == 2)
            #expect(timeline[0].contains(" ms  c0       opened by 127.0.0.1:"))

            _ = try await call("POST /runs/\(id)/reset", on: server)
            #expect(try await call("GET /runs/\(id)/verdict", on: server).text("verdict") == "fail")
        }
    }

    @Test func `a fact that differs is found with what was wanted, what came, and where`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            _ = try await exchange(.request("GET /", "X-A: 2"), with: base)
            let verdict = try await call("GET /runs/\(id)/verdict?case=must", on: server).json
            #expect(verdict["verdict"] as? String == "fail" && verdict["undecidedFacts"] as? Int == 1)
            let finding = try #require((verdict["findings"] as? [[String: Any]])?.first)
            #expect((finding["wanted"] as? String)?.contains("1") == true)
            #expect((finding["got"] as? String)?.contains("2") == true)
            #expect(finding["seq"] as? Int == 2)
            #expect((finding["location"] as? String)?.hasPrefix("plain/deep/origins.yaml:7:") == true)
        }
    }

    @Test func `a case that asks for nothing is observed, with what was odd`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            _ = try await exchange(.request("GET /missing"), with: base)
            let verdict = try await call("GET /runs/\(id)/verdict?case=sees", on: server).json
            #expect(verdict["verdict"] as? String == "observed" && verdict["kind"] as? String == "observes")
            let findings = try #require(verdict["findings"] as? [[String: Any]])
            #expect(!findings.isEmpty && findings.allSatisfy { $0["weight"] as? String == "observation" })
        }
    }

    @Test func `a journal that lost entries is not judged`() async throws {
        try await withControl(configure: { $0.limits.journal = Journal.Limits(entryCount: 3) }) { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            for _ in 0..<2 { _ = try await exchange(.request("GET /"), with: base) }
            let verdict = try await call("GET /runs/\(id)/verdict", on: server).json
            #expect(verdict["verdict"] as? String == "setup-failed")
            #expect((verdict["reason"] as? String)?.contains("dropped") == true)
        }
    }
}
