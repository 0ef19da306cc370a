import ProctorLoop
import ProctorTLSWire
import Testing

@testable import ProctorTLS

@Suite struct ClientCertificateTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    @Test(arguments: versions)
    func `a client shows what the context has`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version) {
            $0.clientCertificate = .require
        } client: {
            $0.identity = authority.alice
        }
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            #expect(pair.serverFailure == nil)
            try await pair.exchange()
            #expect(pair.server.report.peerChain == authority.alice.chain)
            #expect(pair.server.report.clientVerdict == 0)
            #expect(pair.client.report.wasAskedForCertificate)
        }
    }

    @Test(arguments: versions)
    func `who the client is can be asked in the middle of the handshake`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version, server: { $0.clientCertificate = .require })
        try await onLoop { loop in
            let answers = Answers(trusts: true, identity: authority.alice)
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, questions: answers)
            defer { pair.close() }
            #expect(pair.serverFailure == nil)
            try await pair.exchange()
            #expect(answers.verdicts.count == 1)
            #expect(answers.authorities.map(\.count) == [1])
            #expect(pair.server.report.peerChain == authority.alice.chain)
        }
    }

    @Test(arguments: versions)
    func `a client without a certificate is let in where one is only requested`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version, server: { $0.clientCertificate = .request })
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            #expect(pair.serverFailure == nil)
            try await pair.exchange()
            #expect(pair.client.report.wasAskedForCertificate)
            #expect(pair.server.report.peerChain.isEmpty)
        }
    }

    @Test(arguments: versions)
    func `a client without a certificate is refused where one is required`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version, server: { $0.clientCertificate = .require })
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            guard case .failed(let sentence) = pair.serverFailure else {
                Issue.record("\(String(describing: pair.serverFailure))")
                return
            }
            #expect(sentence == "peer did not return a certificate")
            let alert = version == .tls13 ? "certificate_required" : "handshake_failure"
            #expect(pair.server.report.alerts.map(\.name) == [alert])
            // In TLS 1.3 the client completes the handshake before the server's alert arrives.
            #expect((pair.clientFailure == nil) == (version == .tls13))
            if version == .tls13 {
                await #expect(throws: (any Error).self) { _ = try await pair.sockets.client.take(1) }
            }
            #expect(pair.client.report.alerts.map(\.name) == [alert])
        }
    }

    @Test(arguments: versions)
    func `a certificate of nobody we know is refused`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version) {
            $0.clientCertificate = .request
        } client: {
            $0.identity = authority.untrusted
        }
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            #expect(pair.server.report.alerts.map(\.name) == ["unknown_ca"])
            #expect(pair.serverFailure?.description.hasPrefix("certificate verify failed") == true)
            #expect(pair.server.report.clientVerdict != 0)
            #expect(pair.server.report.peerChain == authority.untrusted.chain)
        }
    }

    @Test func `the list of authorities can be ours, others' or empty`() async throws {
        let authority = try await TestAuthority.shared
        for (authorities, count) in [
            (TLSProgram.ClientAuthorities.ours, 1), (.others, 1), (.none, 0),
        ] {
            let contexts = try await Contexts {
                $0.clientCertificate = .request
                $0.clientAuthorities = authorities
            }
            let names = try await onLoop { loop in
                let answers = Answers(trusts: true)
                let pair = try await PairOutcome.play(
                    on: loop, server: contexts.server, client: contexts.client, questions: answers)
                pair.close()
                return answers.authorities
            }
            #expect(names.first?.count == count)
            // The root's subject stands in the root as it does in the list.
            let isOurs = names.first?.first.map { name in
                authority.root.indices.contains { authority.root[$0...].starts(with: name) }
            }
            #expect(isOurs == (count == 0 ? nil : authorities == .ours))
        }
    }

    @Test func `TLS 1_3 asks after the handshake, and TLS 1_2 refuses to`() async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(server: { $0.clientCertificate = .afterHandshake })
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try await pair.exchange()
            #expect(pair.server.report.peerChain.isEmpty)
            pair.client.identityAfterHandshake = { authorities in authorities.count == 1 ? authority.alice : nil }
            async let heard = pair.sockets.client.take(1)
            try await pair.server.requestClientCertificate(within: patience)
            #expect(pair.server.report.peerChain == authority.alice.chain)
            try await pair.sockets.server.write([7], within: patience)
            #expect(try await heard == [7])
        }
        await #expect(throws: TLSSetupError.self) {
            _ = try await Contexts(.tls12, server: { $0.clientCertificate = .afterHandshake })
        }
    }

    @Test func `a client that is asked twice shows its chain once each time`() async throws {
        let authority = try await TestAuthority.shared
        let alice = ClientIdentity(
            name: "alice", chain: authority.alice.chain + [authority.root], key: authority.alice.key)
        let contexts = try await Contexts(server: { $0.clientCertificate = .afterHandshake })
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            pair.client.identityAfterHandshake = { _ in alice }
            let client = pair.sockets.client
            async let heard = client.take(1)
            for _ in 0..<3 {
                try await pair.server.requestClientCertificate(within: patience)
                #expect(pair.server.report.peerChain == alice.chain)
            }
            try await pair.sockets.server.write([7], within: patience)
            #expect(try await heard == [7])
        }
    }
}
