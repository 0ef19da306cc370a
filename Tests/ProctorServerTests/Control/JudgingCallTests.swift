import Foundation
import ProctorJournal
import ProctorServer
import ProctorTestWire
import Testing

/// The verdict over the control API: what it says, and how it changes as requests come.
struct VerdictCallTests {
    @Test func `a case fails as long as a request is missing, and passes then`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let early = try await call("GET /runs/\(id)/verdict", on: server).json
            #expect(early["case"] as? String == "both" && early["kind"] as? String == "must")
            #expect(early["verdict"] as? String == "fail" && (early["timeline"] as? [String])?.isEmpty == true)
            #expect((early["text"] as? String)?.hasPrefix("fail: the client made no connection to 127.") == true)
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
            let text = try #require(verdict["text"] as? String)
            let sentence = try #require(finding["plain"] as? String)
            #expect(text.hasPrefix("fail: the field x-a of request 1 was ") && text.contains(sentence), "\(text)")
            #expect(!text.contains("\nnot judged: ") && text.contains("\ntimeline:\n    0.000 ms"), "\(text)")
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

    @Test func `a scenario without a case is judged by what holds for every run`() async throws {
        try await withControl { server in
            let text = "summary: A page\nexchanges: [{ request: GET /page, reply: { status: 200 } }]"
            let created = try await call("POST /inline", on: server, body: text)
            let (id, base) = (try created.text("run"), try created.text("base"))
            _ = try await exchange(.request("GET /page"), with: base)
            let right = try await call("GET /runs/\(id)/verdict", on: server).json
            #expect(right["verdict"] as? String == "observed" && right["case"] == nil && right["kind"] == nil)
            #expect((right["timeline"] as? [String])?.contains { $0.contains("GET /page HTTP/1.1") } == true)

            _ = try await exchange(.request("GET /pages"), with: base)
            let wrong = try await call("GET /runs/\(id)/verdict", on: server).json
            #expect(wrong["verdict"] as? String == "fail", "\(wrong)")
            let sentence = (wrong["findings"] as? [[String: Any]])?.first?["sentence"] as? String
            #expect(sentence?.contains("/pages") == true, "\(wrong)")
            let first = "the second request was GET /pages; wanted GET /page"
            #expect(wrong["sentence"] as? String == first)
            let told = try #require(wrong["text"] as? String)
            #expect(told.hasPrefix("fail: \(first)\n"), "\(told)")
            // Of Proctor's own reply one line, without its fields.
            #expect(told.contains("  Proctor itself replied 404, ") && !told.contains("Content-Type"), "\(told)")
            #expect(!told.contains("reply 404 begins") || told.contains("reply 200 begins"), "\(told)")
            let named = try await call("GET /runs/\(id)/verdict?case=both", on: server)
            #expect(named.status == 404)
        }
    }

    @Test func `the timeline can be had without a case`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            let early = try await call("GET /runs/\(id)/timeline", on: server).json
            #expect(early["run"] as? String == id && (early["timeline"] as? [String])?.isEmpty == true)
            _ = try await exchange(.request("GET /"), with: base)
            let late = try await call("GET /runs/\(id)/timeline", on: server).json
            let whole = try await call("GET /runs/\(id)/verdict?case=must", on: server).json
            let lines = try #require(late["timeline"] as? [String])
            #expect(lines.contains { $0.contains("GET / HTTP/1.1") })
            #expect((whole["timeline"] as? [String])?.first == lines.first)
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

    @Test func `a client that had not ended is judged as a hang`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            _ = try await exchange(.request("GET /", "X-A: 1"), with: base)
            let open = Self.trace.split(separator: "\n").prefix(5).joined(separator: "\n")
            let path = "POST /runs/\(id)/grade?case=must"
            let verdict = try await call("\(path)&hung=2000", on: server, body: open).json
            #expect(verdict["outcome"] as? String == "hang" && verdict["ms"] as? Int == nil, "\(verdict)")
            #expect(sentences(verdict).contains("hung: still running after 2000 ms"), "\(verdict)")
            let wrong = try await call("\(path)&hung=soon", on: server, body: open)
            #expect(try wrong.error.message == "'hung' is a whole number from 0 to 86400000, not 'soon'")
        }
    }

    @Test func `a report has the parts of which a test makes its own`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/deep/origins", on: server)
            let path = "POST /runs/\(id)/grade?case=must"
            let early = try await call("\(path)&report=yes", on: server, body: Self.trace).json
            let failed = try #require(early["report"] as? [String: Any])
            #expect(failed["isFailure"] as? Bool == true && failed["requestCount"] as? Int == 0)
            _ = try await exchange(.request("GET /", "X-A: 1"), with: base)
            // The exchange has closed its connection, so that nothing is waited for.
            let late = try await call("\(path)&report=yes&settle=5000", on: server, body: Self.trace).json
            let passed = try #require(late["report"] as? [String: Any])
            #expect(passed["isFailure"] as? Bool == false && passed["requestCount"] as? Int == 1)
            #expect((passed["summary"] as? String)?.hasPrefix("pass: plain/deep/origins#must") == true, "\(passed)")
            for timeline in ["timeline", "wideTimeline"] {
                #expect((passed[timeline] as? String)?.contains("GET / HTTP/1.1") == true, "\(passed)")
            }
            let plain = try await call(path, on: server, body: Self.trace).json
            #expect(plain["report"] == nil)
            let wrong = try await call("\(path)&report=please", on: server, body: Self.trace)
            #expect(try wrong.error.message == "'report' is one of yes, no, not 'please'")
        }
    }

    @Test func `a run is graded with the ledger and the platform that were set`() async throws {
        try await withControl { server in
            let (id, _) = try await makeRun("plain/deep/origins", on: server)
            let path = "POST /runs/\(id)/grade?case=must"
            #expect(try await call(path, on: server, body: Self.trace).text("outcome") == "fail")
            let ledger = "client: tiny\ndeviations:\n  plain/deep/origins#must: { because: it never asks }\n"
            #expect(try await call("PUT /runs/\(id)/ledger", on: server, body: ledger).text("ledger") == "tiny")
            #expect(try await call(path, on: server, body: Self.trace).text("outcome") == "known")
            let platform = "platform: mine\nfamilies: [sessionData]\n"
            #expect(try await call("PUT /runs/\(id)/platform", on: server, body: platform).text("platform") == "mine")
            let wrong = try await call("PUT /runs/\(id)/ledger", on: server, body: "clint: tiny")
            #expect(try wrong.status == 400 && wrong.error.code == "broken-ledger")
            #expect(try wrong.error.message.contains("body:1:1: error: unknown key \"clint\""))
        }
    }

    @Test func `the name of a run has its cases and what replies wait for`() async throws {
        try await withControl { server in
            let made = try await call("POST /runs", on: server, body: #"{"scenario": "plain/deep/origins"}"#).json
            #expect((made["cases"] as? [String])?.contains("must") == true && made["awaited"] == nil)
            let yaml = """
                summary: A page that waits
                exchanges:
                  - request: GET /
                    reply: { status: 200, body: hello, effects: [ { at: body 2, do: { await: response } } ] }
                """
            let waiting = try await call("POST /inline", on: server, body: yaml).json
            #expect(waiting["awaited"] as? [String] == ["response"] && (waiting["cases"] as? [String])?.isEmpty == true)
            // Without cases a trace is judged by what holds for every client.
            let run = try #require(waiting["run"] as? String)
            let verdict = try await call("POST /runs/\(run)/grade", on: server, body: Self.trace).json
            #expect(verdict["case"] as? String == "inline#requests" && verdict["outcome"] as? String == "fail")
        }
    }
}
