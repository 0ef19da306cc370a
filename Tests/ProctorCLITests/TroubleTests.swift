import Foundation
import ProctorTestSupport
import Testing

/// What goes wrong around a server is told with what to do.
struct TroubleTests {
    private func serve(_ folder: TestFolder, _ arguments: String...) async throws -> Child.Outcome {
        try await Child.run(["serve", "fixtures", "--port", "0"] + arguments, in: folder)
    }

    @Test func `a folder without scenarios, and one that is not there`() async throws {
        let folder = try TestFolder(["fixtures/readme.txt": "x"])
        let empty = try await serve(folder)
        #expect(empty.status == 1 && empty.out.isEmpty)
        #expect(empty.err.contains("fixtures: error: the folder holds no scenario; "))
        #expect(empty.err.contains("scenarios are files named *.yaml or *.yml"))
        let absent = try await serve(try TestFolder())
        #expect(absent.status == 1 && absent.err.contains("fixtures: error: cannot be read: No such file or directory"))
    }

    @Test func `where no fixtures are named, found or shipped, the places are told`() async throws {
        let folder = try TestFolder()
        // A copy of the binary has no fixtures above it.
        let copied = try await Child.run([Child.binary, "\(folder.path)/proctor"], program: "/bin/cp")
        #expect(copied.status == 0)
        let outcome = try await Child.run(
            ["serve", "--port", "0"], program: "\(folder.path)/proctor", environment: ["PROCTOR_FIXTURES": ""],
            in: folder)
        #expect(outcome.status == 2 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("proctor: there are no fixtures: name a folder, set PROCTOR_FIXTURES, or run"))
    }

    @Test func `a folder or file that may not be read is named`() async throws {
        let folder = try TestFolder([
            "fixtures/a.yaml": Fixtures.files["fixtures/plain/hello.yaml"] ?? "", "fixtures/shut/b.yaml": "x",
            "fixtures/c.yaml": "x",
        ])
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try files.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder.path)/fixtures/shut")
        try files.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder.path)/fixtures/c.yaml")
        defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/fixtures/shut") }
        var words = [Child.binary, "check", "fixtures"]
        if geteuid() == 0 {
            // Root may read everything, so the test uses another user where the system permits it.
            guard let setpriv = Project.tool("setpriv") else { return }
            let other = [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            let trial = try await Child.run(Array(other.dropFirst()) + [Child.binary, "version"], program: setpriv)
            guard trial.status == 0 else { return }
            words = other + words
        }
        let outcome = try await Child.run(Array(words.dropFirst()), program: words[0], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.contains("fixtures/shut: error: cannot be read: Permission denied"))
        #expect(outcome.err.contains("fixtures/c.yaml: error: cannot be read: Permission denied"))
        #expect(outcome.err.hasSuffix("proctor: 2 errors in 2 files; 1 scenario without\n"))
    }

    @Test func `fifty errors are fifty lines with their places, and nothing is served`() async throws {
        var lines = ["summary: fifty", "exchanges:"]
        for number in 0..<50 { lines.append("  - { request: GET /\(number), reply: { status: 200, bodi: x } }") }
        let folder = try TestFolder(["fixtures/fifty.yaml": lines.joined(separator: "\n") + "\n"])
        let outcome = try await serve(folder, "--check-first")
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        let errors = outcome.err.split(separator: "\n")
        #expect(errors.count == 51 && errors.last == "proctor: 50 errors in 1 file; 0 scenarios without")
        for (number, error) in errors.dropLast().enumerated() {
            #expect(error.hasPrefix("fixtures/fifty.yaml:\(number + 3):") && error.contains("did you mean \"body\""))
        }
    }

    #if os(Linux)
        @Test func `a ready file that can not be made ends the start`() async throws {
            let folder = try TestFolder(Fixtures.files)
            let outcome = try await serve(folder, "--ready-file", "/proc/ready")
            #expect(outcome.status == 1 && outcome.out.isEmpty)
            #expect(outcome.err.contains("--ready-file /proc/ready can't be written: "))
        }
    #endif

    @Test(arguments: [
        (["--allow-remote", "--host", "0.0.0.0"], "--allow-remote wants --token TEXT, or anybody could drive"),
        (["--host", "0.0.0.0", "--token", "x"], "say --allow-remote --token TEXT if that is meant"),
        (["--token", ""], "--token takes a text that is not empty"),
    ])
    func `other machines are let in knowingly only`(arguments: [String], message: String) async throws {
        let folder = try TestFolder(Fixtures.files)
        let outcome = try await Child.run(["serve", "fixtures", "--port", "0"] + arguments, in: folder)
        #expect(outcome.status == 2 && outcome.out.isEmpty && outcome.err.contains(message))
    }

    @Test func `a folder of that name that holds something else is passed over`() async throws {
        let folder = try TestFolder(["fixtures/a/answer.json": "{}", "sub/keep": ""])
        let outcome = try await Installation(fixtures: ["plain/get.yaml"]).run(["check"], in: folder)
        #expect(outcome.status == 0 && outcome.out.hasPrefix("1 scenario with "), "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.hasSuffix("no errors\n"))
    }

    @Test func `a variable that names no folder is named`() async throws {
        let folder = try TestFolder([:])
        let outcome = try await Child.run(["check"], environment: ["PROCTOR_FIXTURES": "/no/where"], in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.err == "proctor: PROCTOR_FIXTURES names '/no/where', which is not there\n")
    }
}

/// Colour is used on terminals, unless NO_COLOR is set.
struct ColourTests {
    private static let red = "\u{1B}[1;31m"

    /// Runs `proctor check` on a terminal of its own and returns what it showed there.
    private func shown(_ environment: [String: String]) async throws -> String? {
        guard let script = Project.tool("script") else { return nil }
        let folder = try TestFolder(["fixtures/a.yaml": "summary: x\n"])
        var arguments = ["-qec", "'\(Child.binary)' check", "/dev/null"]
        #if canImport(Darwin)
            arguments = ["-q", "/dev/null", Child.binary, "check"]
        #endif
        let outcome = try await Child.run(
            arguments, program: script, environment: environment, in: folder)
        #expect(outcome.out.contains("fixtures/a.yaml:1:1: "))
        return outcome.out
    }

    @Test func `on a terminal an error is red`() async throws {
        guard let out = try await shown(["TERM": "xterm", "NO_COLOR": ""]) else { return }
        #expect(out.contains("fixtures/a.yaml:1:1: \(Self.red)error:\u{1B}[0m "))
    }

    @Test(arguments: [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb", "NO_COLOR": ""]])
    func `NO_COLOR and a dumb terminal turn it off`(environment: [String: String]) async throws {
        guard let out = try await shown(environment) else { return }
        #expect(out.contains("fixtures/a.yaml:1:1: error: ") && !out.contains("\u{1B}"))
    }

    @Test func `in a file there is none`() async throws {
        let folder = try TestFolder(["fixtures/a.yaml": "summary: x\n"])
        let outcome = try await Child.run(["check"], environment: ["TERM": "xterm", "NO_COLOR": ""], in: folder)
        #expect(outcome.err.hasPrefix("fixtures/a.yaml:1:1: error: ") && !outcome.err.contains("\u{1B}"))
    }
}
