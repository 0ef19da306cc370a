import Foundation
import ProctorTestSupport
import Testing

/// What comes with the program, wherever it stands.
@Suite(.limit(minutes: 10))
struct ShippedTests {
    /// The program with its files inside, as `make dist` makes it, alone in a folder.
    private static func oneFile(in folder: TestFolder) async throws -> String {
        let script = """
            import sys, pathlib
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            import shipped
            target = pathlib.Path(sys.argv[3])
            target.write_bytes(shipped.one_file(pathlib.Path(sys.argv[2]).read_bytes(), 0))
            target.chmod(0o755)
            """
        let path = "\(folder.path)/alone"
        let made = try await ChildProcess.run(
            ["/usr/bin/env", "python3", "-c", script, "\(Project.path)/Scripts/dist", Child.binary, path])
        #expect(made.status == 0, "\(made.err)")
        return path
    }

    private static func run(
        _ program: String, _ arguments: [String], in folder: TestFolder, _ environment: [String: String] = [:]
    ) async throws -> Child.Outcome {
        let own = ["PROCTOR_FIXTURES": "", "HOME": "\(folder.path)/home", "XDG_CACHE_HOME": "", "TMPDIR": folder.path]
        return try await Child.run(
            arguments, program: program, environment: own.merging(environment) { $1 }, in: folder)
    }

    @Test func `one file has its scenarios inside, and unpacks them once`() async throws {
        let folder = try TestFolder(["empty/x": ""])
        let program = try await Self.oneFile(in: folder)
        let first = try await Self.run(program, ["list", "--ids"], in: folder)
        #expect(first.status == 0 && first.out.contains("plain/get\n"), "\(first.err)")
        let cache = "\(folder.path)/home/.cache/proctor"
        let names = try FileManager.default.contentsOfDirectory(atPath: cache)
        #expect(names.count == 1 && names[0].hasPrefix("files-"))
        #expect(FileManager.default.isExecutableFile(atPath: "\(cache)/\(names[0])/clients/adapters/curl"))
        // What is there is used as it is.
        try "summary: mine\nexchanges: [{ request: GET /, reply: 200 }]\n".write(
            toFile: "\(cache)/\(names[0])/fixtures/plain/mine.yaml", atomically: true, encoding: .utf8)
        let second = try await Self.run(program, ["list", "--ids"], in: folder)
        #expect(second.out.contains("plain/mine\n"))
        let inside = try await Self.run(program, ["version", "--json"], in: folder)
        let said = try JSONSerialization.jsonObject(with: Data(inside.output)) as? [String: any Sendable]
        let fixtures = said?["fixtures"] as? [String: any Sendable]
        #expect(fixtures?["place"] as? String == "program" && (fixtures?["scenarios"] as? Int ?? 0) > 1_000)
        #expect(
            (said?["packs"] as? [String: any Sendable])?["names"] as? [String] == [
                "dav", "feed", "httpbin", "httpbin-extras", "llm", "mcp", "media", "oci", "otlp", "pypi", "s3", "tus",
            ])
        let page = try await Self.run(program, ["docs", "format/replies"], in: folder)
        #expect(page.status == 0 && page.out.hasPrefix("Replies\n"), "\(page.err)")
        #expect((said?["libraries"] as? [String: String])?["OpenSSL"]?.hasPrefix("3.") == true)
    }

    @Test func `many starts at once unpack the files once, and old ones are removed`() async throws {
        let folder = try TestFolder(["cache/proctor/files-old/a/b": "", "cache/proctor/files-new/a": ""])
        let program = try await Self.oneFile(in: folder)
        let cache = "\(folder.path)/cache/proctor"
        let past = Date(timeIntervalSinceNow: -40 * 86_400)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: "\(cache)/files-old")
        try await withThrowingTaskGroup(of: Child.Outcome.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await Self.run(
                        program, ["fixtures", "path"], in: folder, ["XDG_CACHE_HOME": "\(folder.path)/cache"])
                }
            }
            for try await outcome in group {
                #expect(outcome.status == 0 && outcome.out.hasPrefix("\(cache)/files-"), "\(outcome.err)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: cache).sorted()
        #expect(names.count == 2 && names.contains("files-new"), "\(names)")
    }

    @Test func `no place to unpack to, and a folder of others, are told`() async throws {
        let folder = try TestFolder(["file": "", "open/proctor/x": ""])
        let program = try await Self.oneFile(in: folder)
        let open = "\(folder.path)/open"
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(open)/proctor")
        let outcome = try await Self.run(
            program, ["list", "--ids"], in: folder,
            ["HOME": "\(folder.path)/file", "XDG_CACHE_HOME": open, "TMPDIR": "\(folder.path)/file"])
        #expect(outcome.status == 2 && outcome.out.isEmpty)
        #expect(outcome.err.contains("\(open)/proctor: expected a folder of user"), "\(outcome.err)")
        #expect(outcome.err.contains("\(folder.path)/file/.cache/proctor: Not a directory"), "\(outcome.err)")
        #expect(outcome.err.contains("XDG_CACHE_HOME"))
    }

    @Test func `a folder below one in which others may move what it has is told`() async throws {
        let folder = try TestFolder(["file": "", "open/proctor/x": ""])
        let program = try await Self.oneFile(in: folder)
        let open = "\(folder.path)/open"
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
        let environment = ["HOME": "\(folder.path)/file", "XDG_CACHE_HOME": open, "TMPDIR": "\(folder.path)/file"]
        let refused = try await Self.run(program, ["list", "--ids"], in: folder, environment)
        #expect(refused.status == 2)
        #expect(refused.err.contains("open belongs to another user, or others may move what it has"), "\(refused.err)")
        // Where it is sticky, others move only what is theirs.
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: open)
        let outcome = try await Self.run(program, ["list", "--ids"], in: folder, environment)
        #expect(outcome.status == 0, "\(outcome.err)")
    }

    @Test func `a broken archive is no trap`() async throws {
        let folder = try TestFolder(["empty/x": ""])
        let program = try await Self.oneFile(in: folder)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: program))
        try handle.seek(toOffset: try handle.seekToEnd() - 4_096)
        try handle.write(contentsOf: Data(repeating: 0x55, count: 64))
        try handle.close()
        let outcome = try await Self.run(program, ["list", "--ids"], in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.err.contains("the archive inside the program is broken"), "\(outcome.err)")
    }
}
