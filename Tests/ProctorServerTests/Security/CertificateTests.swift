import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorProgram

@Suite(.limit(minutes: 5))
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

/// Certificates that a fixture brings itself, and ports of TLS that answer no plain HTTP.
@Suite(.limit(minutes: 5))
struct GivenCertificateTests {
    private static let yaml = """
        summary: shows what it was given
        origins: { main: { scheme: https, certificate: { file: own.pem, key: own.key } } }
        exchanges: [{ request: GET /, reply: { status: 200, body: ok } }]
        """

    /// A certificate that signs itself, and its key.
    private func folder(keyOfAnother: Bool = false) async throws -> TestFolder {
        let folder = try TestFolder()
        var script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout own.key -out own.pem -days 2 \\
                -subj /CN=given.test -addext subjectAltName=DNS:given.test
            """
        if keyOfAnother { script += "\nopenssl genpkey -algorithm ED25519 -out own.key" }
        let made = try await ChildProcess.run(["/bin/sh", "-e", "-c", script], in: folder.path)
        try #require(made.status == 0, "\(made.err)")
        return folder
    }

    @Test func `it is shown as it is, whatever name the client asks for`() async throws {
        let folder = try await folder()
        try await withRun(Self.yaml, folder: folder.path) { run in
            let place = run.base.dropFirst("https://".count)
            let port = place.split(separator: ":").last ?? ""
            let outcome = try await ChildProcess.run([
                "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--cacert", "\(folder.path)/own.pem", "--connect-to",
                "given.test:\(port):\(place)", "https://given.test:\(port)/",
            ])
            #expect(outcome.out == "ok", "\(outcome.err)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 secured 1.3 given"), "\(lines)")
        }
    }

    @Test func `a key of another certificate is told before anybody connects`() async throws {
        let folder = try await folder(keyOfAnother: true)
        let item = try scenario(Self.yaml, folder: folder.path)
        try await withServer([item]) { server in
            let refusal = await #expect(throws: SecurityRefusal.self) { try await server.run(item.id) }
            #expect(refusal?.description.contains("test/one.yaml:2:") == true, "\(String(describing: refusal))")
            #expect(refusal?.description.contains("the key of given") == true, "\(String(describing: refusal))")
        }
    }

    @Test(arguments: [true, false])
    func `plain HTTP on a port of TLS gets an answer, or none`(isClosed: Bool) async throws {
        let yaml = """
            summary: closes
            origins: { main: { scheme: https, tls: { plain-http: \(isClosed ? "close" : "answer") } } }
            exchanges: [{ request: GET /, reply: { status: 200 } }]
            """
        try await withRun(yaml) { run in
            let got = try await exchange(.request("GET /"), with: run.rawBase)
            #expect(got.ending == .closed && got.bytes.isEmpty == isClosed, "\(got.text)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.hasPrefix("c0 violation plain-http") }, "\(lines)")
            #expect(lines.last == "c0 closed by server: refused")
        }
    }
}
