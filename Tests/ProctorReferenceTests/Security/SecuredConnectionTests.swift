import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorReference
@testable import ProctorTLSWire

/// Connections that TLS secures: what is asked, what is kept, and what comes of a refusal.
@Suite(.limit(minutes: 5))
struct SecuredConnectionTests {
    @Test func `connections of different security are not shared`() async throws {
        try await SecuredBench.run { bench in
            _ = try await bench.load()
            let distrustful = try await bench.load(by: ConnectionSecurity(ReferenceSecurity()))
            #expect(distrustful.failure?.kind == .serverCertificateUntrusted)
            #expect(bench.bench.server.connectionCount == 2)
        }
    }

    // MARK: Sessions

    @Test func `sessions are kept for so many origins, the latest`() async throws {
        try await SecuredBench.run(
            client: { $0.keptSessions = 0 }, script: { _ = try await $0.answer("Connection: close\r\n") }
        ) { bench in
            for _ in 0..<2 {
                let host = try await bench.load()
                #expect(host.kinds == ["serverTrust"])
            }
        }
    }

    // MARK: Identities

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `an identity that can't be used fails the load, and says so`(version: TLSVersion) async throws {
        let alice = try await Vouched.client("alice")
        let bob = try await Vouched.client("stranger")
        let wrong = [
            LoadIdentity(chain: [[1, 2]], key: alice.key), LoadIdentity(chain: alice.chain, key: [3]),
            LoadIdentity(chain: alice.chain, key: bob.key), LoadIdentity(chain: [], key: []),
        ]
        try await SecuredBench.run({
            $0.versions = version...version
            $0.clientCertificate = .request
        }) { bench in
            for identity in wrong {
                let host = try await bench.load(
                    RecordingHost(answering: { challenge, _ in challenge.trust == nil ? .identify(identity) : .trust }))
                #expect(host.failure?.kind == .clientCertificateRejected)
                #expect(
                    host.failure?.description.contains("can't be used") == true, "\(String(describing: host.failure))")
            }
        }
    }

    @Test func `an identity is printed without its key`() async throws {
        let alice = try await Vouched.client("alice")
        var text = "\(alice) \(HandshakeAnswer.identify(alice))"
        dump(alice, to: &text)
        #expect(text.contains("chain") && !text.contains("\(alice.key)") && !text.contains("key"))
    }
}

/// How connections that TLS secures come to an end, in the handshake and after it.
@Suite(.limit(minutes: 5))
struct SecuredEndTests {
    @Test func `a handshake that stalls runs out of time`() async throws {
        let security = ConnectionSecurity(try await Vouched.security())
        try await TransportBench.run { peer in
            try await peer.wait()
        } _: { bench in
            let host = try await SecuredBench(bench: bench, security: security).load(
                RecordingHost(idleLimit: 300_000_000))
            #expect(host.failure?.kind == .timedOut)
            #expect(host.failure?.sentence.contains("handshake") == true)
            #expect(bench.pool.connections.isEmpty)
        }
    }

    @Test func `no time runs while the question is open`() async throws {
        try await SecuredBench.run { bench in
            // Long, since what follows the question shares the processors with all other tests.
            let host = RecordingHost(idleLimit: 4_000_000_000)
            host.handshakeAnswer = { _, _ in
                _ = await bench.bench.loop.sleep(for: .seconds(6))
                return .trust
            }
            let told = try await bench.load(host)
            #expect(told.text == "page")
        }
    }

    @Test func `a transfer that is cancelled while the question is open says nothing more`() async throws {
        try await SecuredBench.run { bench in
            let host = try await bench.load(
                RecordingHost(answering: { _, host in
                    host.transfer?.cancel()
                    return nil
                }))
            #expect(host.events == [])
            #expect(bench.bench.pool.connections.isEmpty)
        }
    }
}
