import ProctorTLS
import ProctorTLSWire
import Testing

@Suite struct TrustTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    @Test(arguments: versions)
    func `a server that is not trusted is refused with the alert that says why`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version, identity: authority.expiredServer)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            guard case .untrusted(let trust) = pair.clientFailure else {
                Issue.record("\(String(describing: pair.clientFailure))")
                return
            }
            #expect(trust.verdict == .expired)
            #expect(trust.reason == "certificate has expired")
            #expect(pair.client.report.alerts.map(\.name) == ["certificate_expired"])
            // In TLS 1.3 the alert arrives before the client's Finished.
            #expect(pair.server.report.alerts == [TLSAlert(isOurs: false, isFatal: true, number: 45)])
            guard case .failed = pair.serverFailure else {
                Issue.record("\(String(describing: pair.serverFailure))")
                return
            }
        }
    }

    @Test(arguments: versions, ["localhost", "127.0.0.1", "elsewhere.test", "::1"])
    func `the name or address that was asked for must be in the certificate`(
        _ version: TLSVersion, _ host: String
    ) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, host: host)
            defer { pair.close() }
            let isRight = host == "localhost" || host == "127.0.0.1"
            #expect((pair.clientFailure == nil) == isRight)
            #expect(pair.client.report.trust?.verdict == (isRight ? .trusted : .wrongHost))
            let isName = host == "localhost" || host == "elsewhere.test"
            #expect(pair.client.report.serverName == (isName ? host : nil))
        }
    }

    @Test(arguments: versions)
    func `whoever is asked decides, with the verdict before the eyes`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version, identity: authority.expiredServer)
        try await onLoop { loop in
            let answers = Answers(trusts: true)
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, questions: answers)
            defer { pair.close() }
            #expect(pair.clientFailure == nil)
            #expect(answers.verdicts.map(\.verdict) == [.expired])
            #expect(answers.verdicts.first?.chain == authority.expiredServer.chain)
            #expect(answers.authorities.isEmpty)
            try await pair.exchange()
        }
    }

    @Test(arguments: versions)
    func `a good server can be refused too`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let answers = Answers(trusts: false)
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, questions: answers)
            defer { pair.close() }
            #expect(answers.verdicts.map(\.verdict) == [.trusted])
            guard case .untrusted = pair.clientFailure else {
                Issue.record("\(String(describing: pair.clientFailure))")
                return
            }
            #expect(pair.server.report.alerts.map(\.isFatal) == [true])
        }
    }

    @Test func `nobody is trusted without an anchor, and everybody where nothing is verified`() async throws {
        let none = try await Contexts(client: { $0.anchors = [] })
        let all = try await Contexts(client: {
            $0.anchors = []
            $0.verifies = false
        })
        try await onLoop { loop in
            let refused = try await PairOutcome.play(on: loop, server: none.server, client: none.client)
            refused.close()
            #expect(refused.client.report.trust?.verdict == .unknownRoot)
            #expect(refused.clientFailure != nil)
            let taken = try await PairOutcome.play(on: loop, server: all.server, client: all.client)
            defer { taken.close() }
            #expect(taken.clientFailure == nil)
            #expect(taken.client.report.trust?.isTrusted == false)
            try await taken.exchange()
        }
    }
}
