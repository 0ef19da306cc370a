import ProctorAssignments
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

/// A proxy of an assignment reaches URLSession by the way that the platform has.
@Suite(.limit(minutes: 5))
struct RunningProxyTests {
    @Test func `names are reached by the proxy that leads to them, and loopback without it`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "direct") }
        let names = try PlainServer { _ in PlainServer.reply(200, "by name") }
        defer {
            server.stop()
            names.stop()
        }
        var session = SessionSetup()
        session.names = [Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:9")]
        session.namesProxy = "127.0.0.1:\(names.port)"
        let report = try await Adapter.urlSession.run(
            [step("http://home.example.org/page?a=b"), step("\(server.base)/hello")], session: session)
        #expect(report.result()?.text("body") == "by name")
        #expect(report.result(of: 1)?.text("body") == "direct")
        #expect(names.requests.map(\.target) == ["http://home.example.org/page?a=b"])
    }

    @Test func `a proxy is asked for a tunnel to a host of https`() async throws {
        let proxy = try PlainServer { _ in PlainServer.reply(403, "no tunnel") }
        defer { proxy.stop() }
        var session = SessionSetup()
        session.proxy = "127.0.0.1:\(proxy.port)"
        _ = try await Adapter.urlSession.run([step("https://127.0.0.1:9/page")], session: session)
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.requests.map(\.target) == ["127.0.0.1:9"])
    }

    @Test(arguments: ["pigeon", nil])
    func `what is no HTTP over TCP is unimplemented`(scheme: String?) async throws {
        var session = SessionSetup()
        session.ownScheme = scheme
        if scheme == nil {
            session.names = [Assignment.NamedHost(name: "s.example.org", port: 80, address: "unix:/tmp/s")]
            session.namesProxy = "127.0.0.1:9"
        }
        let report = try await Adapter.urlSession.run([step("http://s.example.org/")], session: session)
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg?.hasPrefix(scheme == nil ? "session.names" : "session.ownScheme") == true)
    }

    @Test func `without a proxy in the assignment none is used, whatever the environment says`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "hello") }
        let proxy = try PlainServer { _ in PlainServer.reply(200, "by proxy") }
        defer {
            server.stop()
            proxy.stop()
        }
        let report = try await Adapter.urlSession.run(
            [step("\(server.base)/hello")], environment: ["http_proxy": proxy.base, "NO_PROXY": "", "no_proxy": ""])
        #expect(report.result()?.text("body") == "hello")
        #expect(proxy.requests.isEmpty)
    }

    #if !canImport(Darwin)
        @Test func `a runner whose process has no such proxy declines`() async {
            var session = SessionSetup()
            session.proxy = "127.0.0.1:9"
            let recorder = TraceRecorder()
            let assignment = Assignment(
                scenario: "s", caseName: "c", base: "http://127.0.0.1", session: session,
                steps: [step("http://127.0.0.1/")])
            #expect(await AssignmentRunner(assignment, recordingTo: recorder).run() == .unimplemented)
            #expect(recorder.events.map(\.name) == [.unimplemented])
            #expect(
                recorder.events.first?.argument?.contains("set http_proxy and https_proxy to http://127.0.0.1:9")
                    == true)
        }
    #endif
}

#if !canImport(Darwin)
    import Foundation
    import ProctorRecorder
    import Testing

    @testable import ProctorEvents

    /// URLSession and a server with TLS; on Linux it uses only the system's authorities and asks no delegate.
    @Suite(.limit(minutes: 5))
    struct RunningTLSTests {
        private func run(
            _ server: SecureServer, _ change: (inout SessionSetup) -> Void = { _ in },
            _ ofStep: (inout Assignment.Step) -> Void = { _ in }
        ) async throws -> Report {
            var session = SessionSetup()
            session.trust = server.authority
            change(&session)
            return try await Adapter.urlSession.run([step("\(server.base)/", "GET", ofStep)], session: session)
        }

        /// Where the system forbids the process to mount, the adapter says so, and the test ends.
        private func requireMounts(_ report: Report) throws {
            guard let reason = report.lines.first(where: { $0.ev == "unimplemented" })?.arg else { return }
            #expect(reason.hasPrefix("session.trust: "))
            try Test.cancel("\(reason)")
        }

        @Test func `the adapter trusts the authority in mounts of its own, and the system does not`() async throws {
            let server = try await SecureServer(.valid)
            let report = try await run(server)
            try requireMounts(report)
            #expect(report.lane("task") == "response(200) data complete(ok)")
            let other = try await run(server) { $0.trust = nil }
            #expect(other.lane("task") == "complete(unknown)")
        }

        @Test func `an answer about certificates is never asked for, and takes no other question's turn`() async throws
        {
            let server = try PlainServer.usual()
            defer { server.stop() }
            let report = try await Adapter.urlSession.run([
                step("\(server.base)/secret") {
                    $0.onChallenge = [
                        Assignment.ChallengeAnswer.trust,
                        Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p")),
                    ]
                }
            ])
            #expect(report.result()?.text("body") == "hello")
            #expect(report.lane("harness").contains("answer(use)"))
        }

        @Test func `a runner whose system does not know the authority declines`() async throws {
            let server = try await SecureServer(.valid)
            var session = SessionSetup()
            session.trust = server.authority
            #expect(await reason(session)?.contains("ca-certificates.crt") == true)
            session.trust = "/nowhere/ca.pem"
            #expect(await reason(session)?.hasSuffix("/nowhere/ca.pem holds no certificate in PEM") == true)
            session.trust = nil
            session.identity = Assignment.Identity(name: "any", certificate: "", key: "", pkcs12: "", passphrase: "")
            #expect(await reason(session)?.hasPrefix("session.identity: ") == true)
        }

        private func reason(_ session: SessionSetup) async -> String? {
            let recorder = TraceRecorder()
            let assignment = Assignment(
                scenario: "s", caseName: "c", base: "https://127.0.0.1:9", session: session,
                steps: [step("https://127.0.0.1:9/")])
            #expect(await AssignmentRunner(assignment, recordingTo: recorder).run() == .unimplemented)
            #expect(recorder.events.map(\.name) == [.unimplemented])
            return recorder.events.first?.argument
        }
    }
#endif
