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
