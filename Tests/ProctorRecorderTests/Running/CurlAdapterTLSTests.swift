import ProctorTrace
import Testing

/// The adapter that others copy, before a server of somebody else's that speaks TLS.
@Suite(.timeLimit(.minutes(5)))
struct CurlAdapterTLSTests {
    private func run(_ server: SecureServer, _ change: (inout SessionSetup) -> Void = { _ in }) async throws -> Report {
        var session = SessionSetup()
        session.trust = server.authority
        change(&session)
        return try await Adapter.curl.run([step("\(server.base)/")], session: session)
    }

    @Test func `the authority of the assignment is trusted, and no other is`() async throws {
        let server = try await SecureServer(.valid)
        let trusting = try await run(server)
        #expect(trusting.result()?.number("status") == 200)
        let other = try await run(server) { $0.trust = nil }
        #expect(other.result()?.text("error") == "serverCertificateUntrusted")
        #expect(other.result()?.number("code") == 60)
    }

    @Test(arguments: [
        SecureServer.Kind.expired: "serverCertificateHasBadDate", .selfSigned: "serverCertificateUntrusted",
        .demanding: "clientCertificateRequired",
    ])
    func `what is wrong has the name of its error`(kind: SecureServer.Kind, error: String) async throws {
        let report = try await run(try await SecureServer(kind))
        #expect(report.result()?.text("error") == error, "\(report.result()?.text("message") ?? report.errors)")
    }

    @Test func `the identity of the session is shown to who asks`() async throws {
        let server = try await SecureServer(.demanding)
        let report = try await run(server) {
            $0.identity = Assignment.Identity(
                name: "any", certificate: server.certificate, key: server.key, pkcs12: "", passphrase: "")
        }
        #expect(report.result()?.number("status") == 200, "\(report.result()?.text("message") ?? report.errors)")
    }

    @Test(arguments: ["trust", "identity"])
    func `an answer about a certificate needs a question, which curl never asks`(answer: String) async throws {
        let report = try await Adapter.curl.run([
            step("https://127.0.0.1:9/") { $0.onChallenge = [Assignment.ChallengeAnswer(answer)] }
        ])
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg?.hasPrefix("steps[0].onChallenge: curl never asks about a certificate") == true)
    }

    @Test func `the default answer needs no question`() async throws {
        let server = try await SecureServer(.valid)
        var session = SessionSetup()
        session.trust = server.authority
        let report = try await Adapter.curl.run(
            [step("\(server.base)/") { $0.onChallenge = [Assignment.ChallengeAnswer("default")] }], session: session)
        #expect(report.result()?.number("status") == 200)
    }
}
