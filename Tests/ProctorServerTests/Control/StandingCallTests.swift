import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// Scenarios of the shared port as runs: their journals, their verdicts, and their return to the first reply.
struct StandingCallTests {
    private static let rooted = """
        summary: A root of its own
        exchanges:
          - { request: GET /a, reply: { status: 302, headers: { Location: /b }, body: "{{base}}" } }
          - { request: GET /, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        """

    private func withStanding(_ body: (Server) async throws -> Void) async throws {
        let scenarios = try ControlFixtures.scenarios() + [try scenario(Self.rooted, id: "rooted")]
        try await withServer(scenarios, body)
    }

    private func body(_ target: String, _ base: String) async throws -> String {
        let text = try await exchange(.request("GET \(target)", "Connection: close"), with: base).text
        return text.components(separatedBy: "\r\n\r\n").last ?? ""
    }

    @Test func `a scenario of the shared port has a run from its first request on, and none before`() async throws {
        try await withStanding { server in
            #expect(try await call("GET /runs", on: server).list("runs").isEmpty)
            #expect(try await body("/plain/turns/", server.base) == "one")
            let runs = try await call("GET /runs", on: server).list("runs")
            #expect(runs.count == 1 && runs[0]["scenario"] as? String == "plain/turns")
            #expect(
                runs[0]["base"] as? String == "http://127.0.0.1/plain/turns" && runs[0]["standing"] as? Bool == true)
            let id = try #require(runs[0]["run"] as? String)
            #expect(try await call("GET /runs/\(id)", on: server).text("scenario") == "plain/turns")
            // It is none of the runs that are bounded in number, and none that may be ended.
            #expect(try await call("GET /health", on: server).json["runs"] as? Int == 0)
            let refused = try await call("DELETE /runs/\(id)", on: server)
            #expect(try refused.status == 409 && refused.error.code == "standing-run")
            #expect(try await body("/plain/turns/", server.base) == "two")
        }
    }

    @Test func `its journal and its verdict are those of a run, from the last reset on`() async throws {
        try await withStanding { server in
            #expect(try await body("/plain/turns/", server.base) == "one")
            let run = try await call("GET /standing/plain/turns", on: server).text("run")
            let journal = try await call("GET /runs/\(run)/journal", on: server).entries
            #expect(journal.contains { $0["ev"] as? String == "requestHead" && $0["target"] as? String == "/" })
            #expect(journal.allSatisfy { $0["run"] as? String == run && $0["scenario"] as? String == "plain/turns" })
            #expect(try await call("GET /runs/\(run)/verdict", on: server).text("verdict") == "fail")
            #expect(try await body("/plain/turns/", server.base) == "two")
            #expect(try await call("GET /runs/\(run)/verdict", on: server).text("verdict") == "pass")
            let steps = try await call("GET /runs/\(run)/assignment", on: server).json["steps"] as? [[String: Any]]
            #expect(steps?.first?["url"] as? String == "http://127.0.0.1/plain/turns/")

            let reset = try await call("POST /standing/plain/turns/reset", on: server)
            #expect(try reset.status == 200 && reset.text("reset") == run)
            #expect(try await call("GET /runs/\(run)/journal", on: server).body.isEmpty)
            for wanted in ["one", "two"] { #expect(try await body("/plain/turns/", server.base) == wanted) }
            #expect(try await call("GET /runs/\(run)/verdict", on: server).text("verdict") == "pass")
        }
    }

    @Test func `a scenario with a root of its own is opened by the call, and reset`() async throws {
        try await withStanding { server in
            let first = try await call("GET /standing/rooted", on: server)
            let base = try first.text("base")
            let isStanding = try first.json["standing"] as? Bool
            #expect(base.hasPrefix("http://127.") && isStanding == true)
            #expect(try await body("/", base) == "one")
            #expect(try await call("POST /standing/rooted/reset", on: server).text("reset") == first.text("run"))
            #expect(try await body("/", base) == "one")
            #expect(try await call("GET /standing/rooted", on: server).text("run") == first.text("run"))
        }
    }

    @Test func `reset of one scenario leaves the others where they are`() async throws {
        try await withStanding { server in
            for id in ["plain/turns", "other"] { #expect(try await body("/\(id)/", server.base) == "one") }
            _ = try await call("POST /standing/other/reset", on: server)
            #expect(try await body("/plain/turns/", server.base) == "two")
            #expect(try await body("/other/", server.base) == "one")
        }
    }

    @Test(arguments: [
        ("GET /standing/plain", "unknown-scenario"), ("GET /standing/plain/turns/x", "unknown-scenario"),
        ("GET /standing/plain/turn", "unknown-scenario"), ("POST /standing/none/reset", "unknown-scenario"),
        ("GET /standing", "unknown-call"), ("POST /standing/plain/turns", "method-not-allowed"),
    ])
    func `what is no scenario is refused`(line: String, code: String) async throws {
        try await withStanding { server in
            let refused = try await call(line, on: server).error
            #expect(refused.code == code)
        }
    }

    @Test func `a browser that pressed the button comes back to the page`() async throws {
        try await withStanding { server in
            let reply = try await call(
                "POST /standing/other/reset", on: server,
                fields: ["Accept: text/html,*/*", "Origin: http://proctor.localhost", "Sec-Fetch-Site: same-origin"],
                host: "proctor.localhost")
            #expect(reply.status == 303 && reply.field("Location") == "/other")
        }
    }

    @Test func `the page of a scenario with a list of replies says so, and has the way back`() async throws {
        try await withStanding { server in
            for id in ["other", "rooted"] {
                let text = try await body("/\(id)", server.base)
                #expect(
                    text.contains("Its replies come in turn, and begin again behind the last one. From the start:\n"))
                #expect(text.contains("    curl -X POST http://a/__proctor/standing/\(id)/reset\n"))
                let page = try await exchange(
                    .request("GET /\(id)", "Accept: text/html", "Connection: close"), with: server.base
                ).text
                #expect(page.contains("action=\"/__proctor/standing/\(id)/reset\"><button>"))
            }
            let plain = try await body("/plain/deep/origins", server.base)
            #expect(!plain.contains("begin again"))
        }
    }

    @Test func `a replaced catalogue keeps the runs of what did not change`() async throws {
        try await withStanding { server in
            let kept = try await call("GET /standing/other", on: server).text("run")
            let gone = try await call("GET /standing/plain/turns", on: server).text("run")
            let other = try #require(server.catalogue.scenario("other"))
            await server.replaceCatalogue(Catalogue([other]))
            #expect(try await call("GET /runs", on: server).list("runs").compactMap { $0["run"] as? String } == [kept])
            #expect(try await call("GET /runs/\(gone)", on: server).error.code == "unknown-run")
        }
    }
}
