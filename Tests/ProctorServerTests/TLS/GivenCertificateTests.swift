import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// Certificates that a fixture brings itself, and ports of TLS that answer no plain HTTP.
@Suite(.timeLimit(.minutes(5)))
struct GivenCertificateTests {
    private static let yaml = """
        summary: shows what it was given
        origins: { main: { scheme: https, certificate: { file: own.pem, key: own.key } } }
        exchanges: [{ request: GET /, reply: { status: 200, body: ok } }]
        """

    /// A certificate that signs itself, and its key.
    private func folder(keyOfAnother: Bool = false) async throws -> FixtureFolder {
        let folder = try FixtureFolder()
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
