import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

/// The adapter that is the example for others.
@Suite(.limit(minutes: 5))
struct CurlAdapterTests {
    private let server: PlainServer

    init() throws { server = try PlainServer.usual() }

    private func run(
        _ path: String, _ method: String = "GET", _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async throws -> Report {
        defer { server.stop() }
        return try await Adapter.curl.run([step(server.base + path, method, change)])
    }

    @Test func `a get reports its result alone`() async throws {
        let report = try await run("/hello")
        #expect(report.status == 0)
        #expect(report.header?.client == "curl")
        #expect(report.header?.lanes == ["harness"])
        #expect(report.lines.map(\.symbol) == ["resume", "result"])
        #expect(report.result()?.text("body") == "hello")
        #expect(report.result()?.text("mime") == "text/plain")
        #expect(report.result()?.text("url") == "\(server.base)/hello")
    }

    @Test func `redirects are followed or not`() async throws {
        let followed = try await Adapter.curl.run([step("\(server.base)/moved")])
        #expect(followed.result()?.text("body") == "hello")
        let refused = try await run("/moved") { $0.onRedirect = [Assignment.RedirectAnswer.refuse] }
        #expect(refused.result()?.number("status") == 302)
        #expect(refused.result()?.text("body") == "moved")
    }

    @Test(arguments: [Assignment.BodyForm.data, .stream])
    func `a body arrives`(form: Assignment.BodyForm) async throws {
        let report = try await run("/echo", "POST") {
            $0.body = Assignment.Bytes(text: "ab", count: 5)
            $0.bodyForm = form
        }
        #expect(report.result()?.text("body") == "POST ababa")
    }

    @Test func `steps share a connection and each has its result`() async throws {
        defer { server.stop() }
        let report = try await Adapter.curl.run([step("\(server.base)/hello"), step("\(server.base)/echo", "PUT")])
        #expect(report.lines.map(\.symbol) == ["resume", "result", "resume", "result"])
        #expect(report.result(of: 1)?.text("body") == "PUT ")
    }

    @Test func `a token answers a challenge of Bearer`() async throws {
        server.stop()
        let guarded = try PlainServer { request in
            request.headers["authorization"] == nil
                ? PlainServer.reply(401, "no", "WWW-Authenticate: Bearer realm=\"it\"")
                : PlainServer.reply(200, "hello")
        }
        defer { guarded.stop() }
        let report = try await Adapter.curl.run([
            step(guarded.base) {
                $0.onChallenge = [
                    Assignment.ChallengeAnswer.use(Assignment.Credential(user: "", password: "", token: "abc.def"))
                ]
            }
        ])
        #expect(report.result()?.number("status") == 200)
        #expect(guarded.requests.map { $0.headers["authorization"] } == [nil, "Bearer abc.def"])
    }

    @Test func `a proxy is given the credential that it asks for`() async throws {
        let proxy = try PlainServer { request in
            request.headers["proxy-authorization"] == "Basic dTpw"
                ? PlainServer.reply(200, "by proxy")
                : PlainServer.reply(407, "no", "Proxy-Authenticate: Basic realm=\"it\"")
        }
        defer { proxy.stop() }
        var session = SessionSetup()
        session.proxy = "127.0.0.1:\(proxy.port)"
        let report = try await Adapter.curl.run(
            [
                step("\(server.base)/hello") {
                    $0.onChallenge = [Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))]
                }
            ], session: session)
        server.stop()
        #expect(report.result()?.text("body") == "by proxy")
        #expect(proxy.requests.allSatisfy { $0.target == "\(server.base)/hello" })
        #expect(server.requests.isEmpty)
    }

    @Test func `a credential answers a challenge`() async throws {
        let report = try await run("/secret") {
            $0.onChallenge = [Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))]
        }
        #expect(report.result()?.text("body") == "hello")
        #expect(server.requests.last?.headers["authorization"] == "Basic dTpw")
    }

    @Test func `errors have their names`() async throws {
        server.stop()
        let closing = try PlainServer { _ in nil }
        defer { closing.stop() }
        let report = try await Adapter.curl.run([step(closing.base)])
        #expect(report.result()?.text("error") == "connectionLost")
        #expect(report.result()?.number("code") == 52)
    }

    @Test func `what curl has no option for is unimplemented, before anything is asked`() async throws {
        let report = try await run("/hello") { $0.cancelAt = Assignment.Moment("data") }
        #expect(report.status == 0)
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg?.hasPrefix("steps[0].cancelAt") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `a delegate's methods and what a download's delegate decides are none of curl's`() async throws {
        var session = SessionSetup()
        session.without = [.redirect]
        let lacking = try await Adapter.curl.run(
            [step("\(server.base)/hello")], session: session, needs: ["callbacks"])
        #expect(lacking.lines.map(\.ev) == ["unimplemented"])
        #expect(lacking.lines.first?.arg == "needs: curl has no callbacks")
        let deciding = try await run("/hello") { $0.download = Assignment.DownloadFileProgram() }
        #expect(deciding.lines.map(\.ev) == ["unimplemented"])
        #expect(deciding.lines.first?.arg == "steps[0].download: curl decides nothing about a file")
    }

    @Test(arguments: ["", "{}", "[1]", #"{"version": 1}"#])
    func `input that is no assignment is refused`(input: String) async throws {
        let outcome = try await Adapter.curl.run(input: Array(input.utf8))
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.err.contains("the assignment can't be read"))
    }
}

/// The example adapter with a TLS server that is not Proctor's.
@Suite(.limit(minutes: 5))
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

    @Test(arguments: [Assignment.ChallengeAnswer.trust, .identity(nil)])
    func `an answer about a certificate needs a question, which curl never asks`(answer: Assignment.ChallengeAnswer)
        async throws
    {
        let report = try await Adapter.curl.run([
            step("https://127.0.0.1:9/") { $0.onChallenge = [answer] }
        ])
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg == "steps[0].beforehand: curl is told no such answers before a load")
    }

    @Test func `the default answer needs no question`() async throws {
        let server = try await SecureServer(.valid)
        var session = SessionSetup()
        session.trust = server.authority
        let report = try await Adapter.curl.run(
            [step("\(server.base)/") { $0.onChallenge = [Assignment.ChallengeAnswer.performDefault] }], session: session
        )
        #expect(report.result()?.number("status") == 200)
    }
}
