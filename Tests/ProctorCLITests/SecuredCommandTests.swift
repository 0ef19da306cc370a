import Foundation
import ProctorTestSupport
import Testing

/// TLS by the command line: `run`, `exam` and `serve`, as far as certificates and authorities concern them.
struct SecuredCommandTests {
    private static let files = [
        "fixtures/a.yaml": """
        summary: s
        origins: { main: { scheme: https, certificate: valid } }
        exchanges: [{ request: GET /a, reply: { status: 200, body: ok } }]
        cases: { c: { client: { url: /a }, wire: request(GET /a) } }
        """,
        "fixtures/plain.yaml": """
        summary: p
        exchanges: [{ request: GET /, reply: { status: 200, body: plain } }]
        cases: { c: { client: { url: / }, wire: request(GET /) } }
        """,
    ]

    private static func misspelt(_ files: [String: String]) -> [String: String] {
        files.mapValues { $0.replacing("certificate: valid", with: "certificate: vaild") }
    }

    /// An environment without a usable folder for user files, for any user.
    private static let homeless = ["HOME": "/dev/null", "XDG_DATA_HOME": "", "PROCTOR_CA_DIR": ""]
    private static let ask = ["--", "/usr/bin/curl", "-sS", "--cacert", "{{ca}}", "{{base}}/a"]
    private static let unknown =
        #"fixtures/a.yaml:2:48: error: there is no certificate profile "vaild"; did you mean "valid"? (looked for in "#

    @Test func `an ephemeral authority needs no home, and leaves nothing`() async throws {
        let folder = try TestFolder(Self.files.merging(["tmp/x": ""]) { $1 })
        let environment = Self.homeless.merging(["TMPDIR": "\(folder.path)/tmp"]) { $1 }
        let outcome = try await Child.run(
            ["run", "a", "--ephemeral-ca"] + Self.ask, environment: environment, in: folder)
        #expect(outcome.status == 0 && outcome.out == "ok", "\(outcome.err)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/tmp") == ["x"])
    }

    @Test func `a command that does not trust the certificate is told how to`() async throws {
        let folder = try TestFolder(Self.files)
        let outcome = try await Child.run(
            ["run", "a", "--ephemeral-ca", "--", "/usr/bin/curl", "-sS", "{{base}}/a"], in: folder)
        #expect(outcome.status == 1)
        let sentence = "the client ended the TLS handshake with the alert unknown_ca; wanted GET /a"
        #expect(outcome.err.contains("\nfail: \(sentence)\n"), "\(outcome.err)")
        #expect(outcome.err.contains("curl by --cacert '{{ca}}', others by the path in PROCTOR_CA"), "\(outcome.err)")
    }

    @Test func `the folder of the authority is filled in, with the certificates of clients`() async throws {
        let folder = try TestFolder([
            "fixtures/b.yaml": """
            summary: s
            origins: { main: { scheme: https, tls: { client-certificate: require } } }
            exchanges: [{ request: GET /b, reply: { status: 200, body: known } }]
            cases: { c: { client: { url: /b, session: { identity: alice } }, wire: request(GET /b) } }
            """
        ])
        let outcome = try await Child.run(
            [
                "run", "b", "--ephemeral-ca", "--", "/usr/bin/curl", "-sS", "--cacert", "{{ca-folder}}/ca.pem",
                "--cert",
                "{{ca-folder}}/clients/alice.pem", "--key", "{{ca-folder}}/clients/alice.key", "{{base}}/b",
            ], in: folder)
        #expect(outcome.status == 0 && outcome.out == "known", "\(outcome.err)")
    }

    @Test func `without a home it says what to do, while plain HTTP goes on`() async throws {
        let folder = try TestFolder(Self.files)
        let outcome = try await Child.run(["run", "a"] + Self.ask, environment: Self.homeless, in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        let words = "proctor: a can't be served: the folder of the private authority, /dev/null/"
        #expect(outcome.err.hasPrefix(words) && outcome.err.contains("--ephemeral-ca"), "\(outcome.err)")
        let plain = try await Child.run(
            ["run", "plain", "--", "/usr/bin/curl", "-sS", "{{base}}"], environment: Self.homeless, in: folder)
        #expect(plain.status == 0 && plain.out == "plain", "\(plain.err)")
    }

    @Test(arguments: [
        ["exam", "--adapter", "true"], ["serve", "fixtures", "--port", "0", "--check-first"],
    ])
    func `a certificate without a description is reported at the start`(_ words: [String]) async throws {
        let folder = try TestFolder(Self.misspelt(Self.files))
        let outcome = try await Child.run(words, in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        let lines = outcome.err.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasPrefix(Self.unknown) == true, "\(outcome.err)")
        #expect(lines.last == "proctor: 1 error in 1 file; 1 scenario without")
    }

    @Test func `a command reports it for the scenario that it names, and for no other`() async throws {
        let folder = try TestFolder(Self.misspelt(Self.files))
        let outcome = try await Child.run(["run", "a", "--", "true"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix(Self.unknown) && outcome.err.split(separator: "\n").count == 1)
        let other = try await Child.run(["run", "plain", "--", "/usr/bin/curl", "-sS", "{{base}}/"], in: folder)
        #expect(other.status == 0, "\(other.err)")
        let child = try await onThread { try ServingChild(folder, ["--ephemeral-ca"]) }
        #expect(try await curl("\(child.base)/a").out.contains(#"there is no certificate profile "vaild""#))
        #expect(try await onThread { try child.end() } == 1)
    }

    @Test func `one of a folder's own is known to each`() async throws {
        let own = try Project.text("certs/expired.yaml")
        let folder = try TestFolder(Self.misspelt(Self.files).merging(["own/vaild.yaml": own]) { $1 })
        let words = ["run", "a", "--ephemeral-ca", "--certs", "own"] + Self.ask
        let outcome = try await Child.run(words, in: folder)
        // It is as expired as the one it was copied from.
        #expect(outcome.err.contains("certificate has expired") && outcome.status == 1, "\(outcome.err)")
    }

    @Test(arguments: [
        (
            ["--ca-seed", "x", "--ephemeral-ca"],
            "--ca-seed takes a whole number from 0 to 18446744073709551615, not 'x'"
        ),
        (["--ca-seed", "1"], "--ca-seed goes with --ephemeral-ca; an authority that is kept has keys of its own"),
        (["--ca-dir", "d", "--ephemeral-ca"], "--ca-dir and --ephemeral-ca exclude each other"),
        (["--ca-dir="], "--ca-dir takes a folder's path"), (["--key-log="], "--key-log takes a file's path"),
        (["--certs", "no"], "--certs takes a folder of certificate profiles, and 'no' is none"),
    ])
    func `flags that make no sense are refused by each command`(_ row: (flags: [String], sentence: String)) async throws
    {
        let folder = try TestFolder(Self.files)
        for words in [["run", "plain"], ["exam", "--adapter", "true"], ["serve", "fixtures", "--port", "0"]] {
            let command = words[0] == "run" ? ["--", "true"] : []
            let outcome = try await Child.run(words + row.flags + command, in: folder)
            #expect(outcome.status == 2 && outcome.err == "proctor: \(row.sentence)\n", "\(words): \(outcome.err)")
        }
    }

    @Test func `a port of TLS is a number, and none that is taken by the other`() async throws {
        let folder = try TestFolder(Self.files)
        for (flags, sentence) in [
            (["--port", "7", "--tls-port", "7"], "--port and --tls-port are both 7; they are two ports"),
            (["--tls-closes-http"], "--tls-closes-http is about the port of --tls-port, and there is none"),
            (["--tls-port", "65536"], "--tls-port takes a whole number from 0 to 65535, not '65536'"),
        ] {
            let outcome = try await Child.run(["serve", "fixtures"] + flags, in: folder)
            #expect(outcome.status == 2 && outcome.err == "proctor: \(sentence)\n")
        }
    }

    @Test func `serve speaks TLS on a port of its own, and tells it with the certificate to trust`() async throws {
        let folder = try TestFolder(Self.files)
        let child = try await onThread {
            try ServingChild(folder, ["--tls-port", "0", "--ephemeral-ca", "--key-log", "\(folder.path)/keys"])
        }
        let base = try #require(child.ready["tls"] as? String)
        let authority = try #require(child.ready["ca"] as? String)
        #expect(base.hasPrefix("https://127.0.0.1:") && base != child.base)
        let outcome = try await curl("--cacert", authority, "\(base)/plain/")
        #expect(outcome.out == "plain", "\(outcome.err)")
        #expect(
            try await curl("\(child.base)/__proctor/ca.pem").out == String(contentsOfFile: authority, encoding: .utf8))
        #expect(try folder.text("keys").contains("CLIENT_TRAFFIC_SECRET_0"))
        #expect(try await onThread { try child.end() } == 0)
        #expect(!FileManager.default.fileExists(atPath: authority))
    }

    @Test(arguments: [false, true])
    func `plain HTTP at the TLS port gets a 400 that says where to go, or is closed where that is asked`(
        _ closes: Bool
    ) async throws {
        let folder = try TestFolder(Self.files)
        let flags = ["--tls-port", "0", "--ephemeral-ca"] + (closes ? ["--tls-closes-http"] : [])
        let child = try await onThread { try ServingChild(folder, flags) }
        let base = try #require(child.ready["tls"] as? String)
        let outcome = try await curl(base.replacing("https://", with: "http://") + "/plain/")
        // 52 of curl is an empty reply.
        #expect(outcome.status == (closes ? 52 : 0), "\(outcome.err)")
        #expect(outcome.out.contains("\(base)/plain/") != closes, "\(outcome.out)")
        let authority = try #require(child.ready["ca"] as? String)
        #expect(try await curl("--cacert", authority, "\(base)/plain/").out == "plain")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `a reload that names an unknown certificate is told, and changes nothing`() async throws {
        let folder = try TestFolder(Self.files)
        try await onThread {
            let child = try ServingChild(folder, ["--check-first"])
            for (name, text) in Self.misspelt(Self.files) { try folder.write(text, to: name) }
            child.send(signal: SIGHUP)
            try wait(for: "the message") { child.err.contains("still serving the last good version") }
            #expect(child.err.contains(Self.unknown), "\(child.err)")
            #expect(try child.end() == 0)
        }
    }
}

/// `proctor check` looks up the certificates and identities that scenarios name.
struct CertificateCheckTests {
    private static let scenario = """
        summary: s
        origins: { main: { scheme: https, certificate: CERTIFICATE } }
        exchanges: [{ request: GET /a, reply: { status: 200 } }]
        cases: { c: { client: { url: /a, onChallenge: { identity: IDENTITY } } } }

        """

    private func folder(certificate: String, identity: String, and files: [String: String] = [:]) throws -> TestFolder {
        let text = Self.scenario.replacing("CERTIFICATE", with: certificate).replacing("IDENTITY", with: identity)
        return try TestFolder(files.merging(["fixtures/a.yaml": text]) { $1 })
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
