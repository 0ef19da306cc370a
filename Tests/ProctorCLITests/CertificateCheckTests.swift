import ProctorTestSupport
import Testing

/// `proctor check` looks up the certificates and identities that scenarios name.
struct CertificateCheckTests {
    private static let scenario = """
        summary: s
        origins: { main: { scheme: https, certificate: CERTIFICATE } }
        exchanges: [{ request: GET /a, reply: { status: 200 } }]
        cases: { c: { client: { url: /a, onChallenge: { identity: IDENTITY } } } }

        """

    private func folder(certificate: String, identity: String, and files: [String: String] = [:]) throws -> Folder {
        let text = Self.scenario.replacing("CERTIFICATE", with: certificate).replacing("IDENTITY", with: identity)
        return try Folder(files.merging(["fixtures/a.yaml": text]) { $1 })
    }

    @Test func `the shipped ones are known`() async throws {
        let folder = try folder(certificate: "expired", identity: "alice")
        let outcome = try await Child.run(["check", "fixtures"], in: folder)
        #expect(outcome.status == 0 && outcome.out == "1 scenario with 1 case, no errors\n", "\(outcome.err)")
    }

    @Test func `an unknown one is told with its place, the nearest name and where it was looked for`() async throws {
        let folder = try folder(certificate: "expierd", identity: "alcie", and: ["more/readme.txt": "x"])
        let outcome = try await Child.run(["check", "fixtures", "--certs", "more"], in: folder)
        let lines = outcome.err.split(separator: "\n").map(String.init)
        #expect(outcome.status == 1 && lines.count == 3)
        let certificate = #"fixtures/a.yaml:2:48: error: there is no certificate profile "expierd"; "#
        #expect(lines.first?.hasPrefix(certificate + #"did you mean "expired"? (looked for in "#) == true)
        #expect(lines.first?.hasSuffix("/certs, more)") == true)
        let identity = #"fixtures/a.yaml:4:59: error: there is no client identity "alcie"; did you mean "alice"?"#
        #expect(lines.dropFirst().first?.hasPrefix(identity) == true)
        #expect(lines.dropFirst().first?.hasSuffix("/certs/clients, more/clients)") == true)
    }

    @Test func `profiles of one's own are found beside the fixtures, by the environment and by a flag`() async throws {
        let mine = try Project.text("certs/expired.yaml")
        for (place, arguments, environment) in [
            ("certs", [], [:]), ("elsewhere", ["--certs", "elsewhere"], [:]),
            ("elsewhere", [], ["PROCTOR_CERTS": "elsewhere"]),
        ] as [(String, [String], [String: String])] {
            let folder = try folder(certificate: "mine", identity: "alice", and: ["\(place)/mine.yaml": mine])
            let outcome = try await Child.run(
                ["check", "fixtures/a.yaml"] + arguments, environment: environment, in: folder)
            #expect(outcome.status == 0, "\(place) \(arguments): \(outcome.err)")
        }
    }

    @Test func `a folder that is not there is refused`() async throws {
        let folder = try folder(certificate: "valid", identity: "alice")
        let flagged = try await Child.run(["check", "fixtures", "--certs", "nowhere"], in: folder)
        #expect(flagged.status == 2)
        #expect(
            flagged.err == "proctor: --certs takes a folder of certificate profiles, and 'nowhere' is none\n")
        let named = try await Child.run(["check", "fixtures"], environment: ["PROCTOR_CERTS": "nowhere"], in: folder)
        #expect(named.status == 2 && named.err == "proctor: PROCTOR_CERTS names 'nowhere', which is no folder\n")
    }
}
