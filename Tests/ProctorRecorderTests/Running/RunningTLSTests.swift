#if !canImport(Darwin)
    import Foundation
    import ProctorRecorder
    import ProctorTrace
    import Testing

    /// URLSession before a server that speaks TLS; on Linux it knows the system's authorities alone and asks nobody.
    @Suite(.timeLimit(.minutes(5)))
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

        /// Where the system lets nobody mount, the adapter says so, and there is nothing to see.
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

        @Test(arguments: [SecureServer.Kind.expired, .selfSigned])
        func `a wrong certificate is refused for its own reason`(kind: SecureServer.Kind) async throws {
            let report = try await run(try await SecureServer(kind))
            try requireMounts(report)
            #expect(report.lane("task") == "complete(unknown)")
            let words = kind == .expired ? "certificate has expired" : "self-signed certificate"
            #expect(report.first("complete(unknown)", lane: "task")?.text("message")?.contains(words) == true)
        }

        @Test func `an answer about certificates is never asked for, and takes no other question's turn`() async throws
        {
            let server = try PlainServer.usual()
            defer { server.stop() }
            let report = try await Adapter.urlSession.run([
                step("\(server.base)/secret") {
                    $0.onChallenge = [
                        Assignment.ChallengeAnswer("trust"),
                        Assignment.ChallengeAnswer("use", user: "u", password: "p"),
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
