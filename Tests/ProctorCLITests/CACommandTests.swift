import Foundation
import ProctorTestSupport
import Testing

@testable import proctor

/// `proctor ca`.
struct CACommandTests {
    private func ca(_ folder: TestFolder, _ arguments: String...) async throws -> Child.Outcome {
        try await Child.run(["ca"] + arguments, environment: ["PROCTOR_CA_DIR": "\(folder.path)/ca"])
    }

    @Test func `it says what the authority is, where, and how to go on`() async throws {
        let folder = try TestFolder()
        let outcome = try await ca(folder)
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        let lines = outcome.out.split(separator: "\n")
        #expect(lines.count == 4 && lines[0].hasPrefix("subject      CN=Proctor LOCAL TEST authority of "))
        #expect(lines[1].wholeMatch(of: /sha-256      ([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
        #expect(lines[2] == "certificate  \(folder.path)/ca/ca.pem" && lines[3].hasSuffix("proctor ca trust-help"))
    }

    @Test func `it is exported in each form, and never with its key`() async throws {
        let folder = try TestFolder()
        let path = try await ca(folder, "--path")
        #expect(path.out == "\(folder.path)/ca/ca.pem\n")
        let pem = try await ca(folder, "--pem").out
        #expect(pem == (try folder.text("ca/ca.pem")) && pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        let der = try await ca(folder, "--der").output
        #expect(Data(der) == FileManager.default.contents(atPath: "\(folder.path)/ca/ca.der"))
        let file = try await ca(folder, "--p12").output
        if let openssl = Project.tool("openssl") {
            let words = [openssl, "pkcs12", "-nodes", "-passin", "pass:proctor"]
            let opened = try await ChildProcess.run(words, input: file)
            #expect(opened.status == 0 && opened.out.contains("BEGIN CERTIFICATE") && !opened.out.contains("PRIVATE"))
        }
    }

    @Test func `help to trust it names the file and how to stop, for each system`() async throws {
        let folder = try TestFolder()
        let all = try await ca(folder, "trust-help")
        #expect(all.status == 0 && TrustInstructions.names.count == 7)
        for name in TrustInstructions.names {
            let one = try await ca(folder, "trust-help", name)
            #expect(one.status == 0 && all.out.contains(one.out) && one.out.hasPrefix("\(name)\n  trust it\n"))
            #expect(one.out.contains("\(folder.path)/ca/ca.pem") && one.out.contains("\n  stop\n    "))
        }
    }

    @Test func `curl does as the help says`() async throws {
        let help = TrustInstructions(path: "/a b/it's.pem", fingerprint: "").text(for: "curl")
        #expect(help.contains("curl --cacert '/a b/it'\\''s.pem' https"))
    }

    @Test func `an identity is exported, and its files are named`() async throws {
        let folder = try TestFolder()
        let outcome = try await ca(folder, "identity", "alice")
        let wanted = [
            "certificate  \(folder.path)/ca/clients/alice.pem", "key          \(folder.path)/ca/clients/alice.key",
            "pkcs12       \(folder.path)/ca/clients/alice.p12", "passphrase   proctor", "",
        ]
        #expect(outcome.out == wanted.joined(separator: "\n") && outcome.err.isEmpty)
        #expect(folder.has("ca/clients/alice.p12"))
        let unknown = try await ca(folder, "identity", "alcie")
        #expect(unknown.status == 1)
        #expect(unknown.err == "proctor: there is no client identity 'alcie'; did you mean 'alice'?\n")
    }

    @Test func `profiles are listed, with one's own beside the shipped`() async throws {
        let folder = try TestFolder(["certs/mine.yaml": "summary: Of my own\nverdict: accept\n"])
        let shipped = try await ca(folder, "profiles")
        #expect(shipped.status == 0 && shipped.out.contains("server  expired "))
        #expect(shipped.out.contains("client  alice ") && !shipped.out.contains("Of my own"))
        let all = try await ca(folder, "profiles", "--certs", "\(folder.path)/certs")
        #expect(all.out.contains("server  mine ") && all.out.contains("accept  Of my own\n"))
        #expect(all.out.contains("server  expired ") && !folder.has("ca"))
        try folder.write("summary: Of my own\nverdict: acept\n", to: "certs/mine.yaml")
        let wrong = try await ca(folder, "profiles", "--certs", "\(folder.path)/certs")
        #expect(wrong.status == 1 && wrong.out.isEmpty)
        #expect(wrong.err.hasPrefix("\(folder.path)/certs/mine.yaml:2:10: error: unknown verdict \"acept\"; did you"))
    }

    @Test func `a folder that others may look into is refused with what to do`() async throws {
        let folder = try TestFolder()
        _ = try await ca(folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/ca")
        let outcome = try await ca(folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasSuffix("chmod 700 \(folder.path)/ca\n"), "\(outcome.err)")
        let elsewhere = try await ca(folder, "--ca-dir", "\(folder.path)/other", "--path")
        #expect(elsewhere.out == "\(folder.path)/other/ca.pem\n")
    }

    @Test(arguments: [
        (["idntity"], "'ca' does not know 'idntity'; did you mean 'identity'?"),
        (["nonsense"], "'ca' does not know 'nonsense'; there are trust-help, identity, profiles"),
        (["identity"], "'ca identity' takes one name, as 'proctor ca profiles' lists them"),
        (["trust-help", "curll"], "there is no help for 'curll'; did you mean 'curl'?"),
        (["trust-help", "curl", "x"], "'ca trust-help' does not take 'x'"),
        (["profiles", "x"], "'ca profiles' does not take 'x'"),
        (["--pem", "--der"], "say either --pem or --der, not both"),
        (["profiles", "--pem"], "--pem is not for 'ca profiles'"),
        (["--markdown"], "--markdown is for 'proctor ca profiles'"),
        (["--pam"], "'ca' has no flag '--pam'; did you mean '--pem'?"),
    ])
    func `a command line that makes no sense is told`(arguments: [String], message: String) async throws {
        let folder = try TestFolder()
        let outcome = try await Child.run(
            ["ca"] + arguments, environment: ["PROCTOR_CA_DIR": "\(folder.path)/ca"])
        #expect(outcome.status == 2 && outcome.err == "proctor: \(message)\n", "\(outcome.err)")
        #expect(!folder.has("ca"))
    }
}
