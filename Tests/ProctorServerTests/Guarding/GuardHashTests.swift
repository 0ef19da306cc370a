import ProctorCrypto
import ProctorHTTP
import ProctorScenario
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Guards whose hash function the system refuses, as MD5 in FIPS mode.
struct GuardHashTests {
    private static let refusal = HashRefusal(function: .md5, reason: "unsupported")

    private func yaml(_ schemes: String) -> String {
        """
        summary: guarded
        guards: { lab: { users: { user: pass }, schemes: [\(schemes)] } }
        auth: lab
        exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
        """
    }

    private func withServer(
        _ scenarios: [Scenario], _ body: (Server) async throws -> Void
    ) async throws {
        let catalogue = Catalogue(scenarios) { wanted throws(HashRefusal) in
            if wanted.contains(.md5) { throw Self.refusal }
        }
        let server = try await Server.start(catalogue, configuration: ServerConfiguration())
        do {
            try await body(server)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
    }

    @Test func `a scenario that needs a refused hash is not served, and says why`() async throws {
        let scenarios = [
            try scenario(yaml("basic, digest: { algorithm: SHA-256 }, digest: {}"), id: "auth/md5"),
            try scenario(yaml("digest: { algorithm: SHA-256 }"), id: "auth/sha"),
        ]
        try await withServer(scenarios) { server in
            await #expect(throws: Self.refusal) { try await server.run("auth/md5") }
            _ = try await server.run("auth/sha")
            let base = server.base
            let got = try await talk(to: base) { wire in
                [try wire.ask("GET /auth/md5/a"), try wire.ask("GET /auth/sha/a")]
            }
            #expect(got.map(\.status) == [500, 401])
            #expect(got[0].hasSuffix("scenario auth/md5 can't be served: \(Self.refusal)\n"))
        }
    }

    @Test(
        arguments: [
            ("basic", []), ("digest: { algorithm: null }", [.md5]),
            ("digest: { algorithm: SHA-512-256-sess }, digest: { algorithm: SHA-256 }, basic", [.sha256, .sha512t256]),
        ] as [(String, [HashFunction])])
    func `what is asked of the system is what the offers need`(schemes: String, wanted: [HashFunction]) throws {
        let compiled = CompiledScenario(try scenario(yaml(schemes))) { asked throws(HashRefusal) in
            for function in asked { throw HashRefusal(function: function, reason: "\(asked.count)") }
        }
        #expect(compiled.hashRefusal?.reason == (wanted.isEmpty ? nil : "\(wanted.count)"))
        #expect(compiled.hashRefusal?.function.map { wanted.contains($0) } ?? wanted.isEmpty)
        #expect(Set(compiled.guards.flatMap(\.hashFunctions)) == Set(wanted))
    }
}
