import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

/// Adapters that stand where their client is looked for, under its very name.
@Suite(.timeLimit(.minutes(5)))
struct AdapterInPathTests {
    private static let scripts = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent().path

    /// A folder with the adapters, as links to them or as copies.
    private func folder(_ isCopied: Bool) throws -> String {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let files = [
            "curl", "requests", "aiohttp", "proctor_adapter.py", "proctor_program.py", "proctor_python.py",
        ]
        for name in files {
            if isCopied {
                try manager.copyItem(atPath: "\(Self.scripts)/\(name)", toPath: "\(folder)/\(name)")
            } else {
                try manager.createSymbolicLink(
                    atPath: "\(folder)/\(name)", withDestinationPath: "\(Self.scripts)/\(name)")
            }
        }
        return folder
    }

    @Test(arguments: [false, true])
    func `curl is looked for behind the adapter`(isCopied: Bool) async throws {
        let folder = try folder(isCopied)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        // Either file may be the one that is started.
        for program in ["\(folder)/curl", "\(Self.scripts)/curl"] {
            let found = try await Adapter(command: [program]).run(
                input: [], arguments: ["--version"], environment: ["PATH": "\(folder)::\(path)"])
            #expect(
                found.status == 0 && found.out.firstRange(of: "curl ")?.lowerBound == found.out.startIndex,
                "\(found.err)")
            #expect(!found.out.contains("unknown"))
            let lost = try await Adapter(command: ["/usr/bin/python3", program]).run(
                input: [], arguments: ["--version"], environment: ["PATH": folder])
            #expect(lost.status == 69 && lost.out.isEmpty)
            #expect(
                lost.err
                    == "curl adapter: there is no curl to run: \(folder)/curl is this adapter, and PATH has no other curl\n"
            )
        }
    }

    @Test func `a program of another kind that is called curl is none`() async throws {
        let folder = try folder(true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.removeItem(atPath: "\(folder)/curl")
        try "#!/bin/sh\necho hello\n".write(toFile: "\(folder)/curl", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/curl")
        let outcome = try await Adapter.curl.run(
            input: [], arguments: ["--version"],
            environment: ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"])
        #expect(outcome.status == 69)
        #expect(outcome.err == "curl adapter: \(folder)/curl is no curl: --version says 'hello\\n'\n")
    }

    @Test(arguments: ["requests", "aiohttp"])
    func `a library is looked for elsewhere than in the adapter's folder`(name: String) async throws {
        let folder = try folder(true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // So it is a module of the library's name.
        try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/\(name).py")
        let python = Adapter.python(name).command.dropLast()
        let command = python + ["\(folder)/\(name).py"]
        let found = try await ChildProcess.run(command + ["--version"])
        #expect(found.status == 0 || found.err.contains("is not installed for"), "\(found.err)")
        // Without the packages of the system there is no other.
        let lost = try await ChildProcess.run([command[0], "-S", "-E", "-s", "-B", "\(folder)/\(name).py", "--version"])
        #expect(lost.status == 69 && lost.out.isEmpty, "\(lost.err)")
        #expect(lost.err.contains("what has that name is no library but \(folder)/\(name).py\n"), "\(lost.err)")
    }
}
