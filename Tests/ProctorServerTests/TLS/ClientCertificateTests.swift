import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTrace
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ClientCertificateTests {
    private func yaml(_ word: String) -> String {
        """
        summary: asks for a certificate
        origins:
          main: { scheme: https, tls: { client-certificate: \(word) } }
        exchanges:
          - request: "GET /"
            reply: { status: 200, body: ok }
        cases:
          get:
            kind: must
            client: { url: "{{base}}/", session: { identity: alice } }
            wire: request(GET /)
        """
    }

    private func clients(of run: Run) -> [String?] {
        run.journal.snapshot().entries.compactMap { entry in
            if case .secured(let handshake) = entry.event { .some(handshake.clientCertificate) } else { nil }
        }
    }

    @Test(arguments: ["request", "require"], ["1.2", "1.3"])
    func `an identity of the scenario's is taken and named`(_ word: String, _ version: String) async throws {
        try await withRun(yaml(word)) { run in
            let seen = try await TLSWatch.run(run, newest: version, identity: true)[0]
            #expect(seen.text == "ok", "\(seen)")
            #expect(clients(of: run) == ["alice"])
        }
    }

    @Test(arguments: ["1.2", "1.3"])
    func `who has none is refused where one is required, and goes on where it is asked for`(
        _ version: String
    ) async throws {
        try await withRun(yaml("request")) { run in
            let seen = try await TLSWatch.run(run, newest: version)[0]
            #expect(seen.text == "ok", "\(seen)")
            #expect(clients(of: run) == [nil])
        }
        try await withRun(yaml("require")) { run in
            let seen = try await TLSWatch.run(run, newest: version)[0]
            #expect(seen.text.isEmpty && seen.error.contains("ALERT"), "\(seen)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.contains("handshake failed") } && clients(of: run).isEmpty)
        }
    }

    @Test func `behind the handshake it is asked for before the first reply`() async throws {
        try await withRun(yaml("after-handshake")) { run in
            let seen = try await TLSWatch.run(run, identity: true)[0]
            #expect(seen.text == "ok", "\(seen)")
            #expect(clients(of: run) == [nil, "alice"])
        }
    }

    @Test func `an assignment has the identity's files`() async throws {
        try await withRun(yaml("require")) { run in
            let session = try run.assignment(for: run.scenario.cases[0]).session
            #expect(session.trust == run.trust && session.identity?.name == "alice")
        }
    }
}
