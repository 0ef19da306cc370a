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
        #expect((said?["packs"] as? [String: any Sendable])?["names"] as? [String] == ["httpbin", "llm"])
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

    @Test func `scenarios are copied to be changed, and nothing is replaced`() async throws {
        let folder = try TestFolder(["empty/x": ""])
        let copied = try await Child.run(["fixtures", "copy", "mine", "redirect", "plain/"], in: folder)
        #expect(copied.status == 0 && copied.out.hasPrefix("copied "), "\(copied.err)")
        let checked = try await Child.run(["check", "mine"], in: folder)
        #expect(checked.status == 0, "\(checked.err)")
        #expect(folder.has("mine/scenario.schema.json"))
        let again = try await Child.run(["fixtures", "copy", "mine", "plain"], in: folder)
        #expect(again.status == 1 && again.err.contains("mine/plain/") && again.err.contains("nothing was copied"))
        let unknown = try await Child.run(["fixtures", "copy", "other", "redirekt"], in: folder)
        #expect(unknown.status == 2 && unknown.err.contains("did you mean 'redirect'?"), "\(unknown.err)")
        let pack = try await Child.run(["fixtures", "copy", "shop", "--pack", "httpbin"], in: folder)
        #expect(pack.status == 0 && folder.has("shop/scenario.schema.json"), "\(pack.err)")
        #expect(try folder.text("shop/auth.yaml").hasPrefix("# yaml-language-server: $schema=scenario.schema.json\n"))
        for (arguments, words) in [
            (["fixtures"], "path, or copy DIR"), (["fixtures", "copy"], "needs a folder"),
            (["fixtures", "cop", "a"], "did you mean 'copy'?"), (["fixtures", "path", "a"], "does not take 'a'"),
        ] {
            let outcome = try await Child.run(arguments, in: folder)
            #expect(outcome.status == 2 && outcome.err.contains(words), "\(outcome.err)")
        }
    }

    @Test func `scenarios of one's own are served beside the shipped ones, and in their place`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let own = try TestFolder([
            "plain/hello.yaml": "summary: Mine\nexchanges: [{ request: GET /, reply: { status: 200, body: mine } }]\n",
            "other/one.yaml": "summary: More\nexchanges: [{ request: GET /, reply: { status: 200, body: more } }]\n",
        ])
        let server = try ServingChild(folder, ["--fixtures", own.path])
        for (path, body) in [("plain/hello/", "mine"), ("other/one/", "more"), ("plain/slow/", "begin-end")] {
            let answer = try await ChildProcess.run(["curl", "-s", "\(server.base)/\(path)"])
            #expect(answer.out == body)
        }
        let said = "\(own.path)/plain/hello.yaml takes the place of \(folder.path)/fixtures/plain/hello.yaml"
        #expect(server.err.contains(said), "\(server.err)")
        #expect(try server.end() == 0)
    }

    @Test func `a project's own scenarios stand before the shipped ones everywhere`() async throws {
        let scenario =
            "exchanges: [{ request: GET /, reply: { status: 200, body: mine } }]\n"
            + "cases: { get: { client: { url: / }, wire: request(GET /), facts: { status: 200 } } }\n"
        let folder = try TestFolder([
            "fixtures/plain/get.yaml": "summary: Mine\n\(scenario)",
            "fixtures/tls.yaml": "summary: A family's name\n\(scenario)",
        ])
        let replaced = try await Child.run(["run", "plain/get", "--", "curl", "-s", "{{base}}/"], in: folder)
        #expect(
            replaced.out == "mine" && replaced.err.hasPrefix("proctor: fixtures/plain/get.yaml takes the place of /"))
        let shipped = try await Child.run(["run", "plain/404", "--", "curl", "-s", "{{base}}/"], in: folder)
        #expect(shipped.status == 0 || shipped.err.contains("plain/404"), "\(shipped.err)")
        #expect(!shipped.err.contains("takes the place"))
        let ids = try await Child.run(["list", "--ids"], in: folder).out.split(separator: "\n")
        #expect(
            ids.contains("tls") && !ids.contains { $0.hasPrefix("tls/") }
                && ids.contains("redirect/303-post-becomes-get"))
        let unknown = try await Child.run(["run", "plain/gett", "--", "true"], in: folder)
        #expect(unknown.status == 2 && unknown.err.contains("did you mean 'plain/get'? (looked in fixtures, and in /"))
        let checked = try await Child.run(["check"], in: folder)
        #expect(checked.status == 0 && checked.out.hasPrefix("2 scenarios with 2 cases, no errors\n"), "\(checked.err)")
        let families = try await Child.run(["list"], in: folder)
        #expect(families.out.hasPrefix("2 scenarios in fixtures:\n  plain/get"), "\(families.out)")
        #expect(
            families.out.contains("\n  redirect/  ")
                && families.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `an exam in a project asks its own cases, or by name the shipped ones, of a shipped client`()
        async throws
    {
        let folder = try TestFolder([
            "fixtures/own/one.yaml": """
            summary: Mine
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases: { get: { client: { url: / }, wire: request(GET /) } }
            """
        ])
        let own = try await Child.run(["exam", "--client", "curl"], in: folder)
        #expect(own.status == 0 && own.out.hasSuffix("1 case: 1 pass\n"), "\(own.out)\(own.err)")
        let shipped = try await Child.run(["exam", "plain/404#get", "--client", "curl"], in: folder)
        #expect(shipped.status == 0 && shipped.out.hasSuffix("1 case: 1 pass\n"), "\(shipped.out)\(shipped.err)")
    }

    @Test func `scenarios are found by words, and families by their names`() async throws {
        let proctor = try Installation(fixtures: [
            "auth/digest/quotes-of-old-clients.yaml", "redirect/302-post-becomes-get.yaml", "time/no-answer.yaml",
        ])
        let found = try await proctor.run(["search", "digest", "RFC 7616"])
        #expect(found.status == 0 && found.out.hasPrefix("auth/digest/quotes-of-old-clients"), "\(found.out)")
        let scenario = "summary: A quagga\nexchanges: [{ request: GET /, reply: 200 }]\n"
        let many = try TestFolder(
            Dictionary(uniqueKeysWithValues: (1...21).map { ("fixtures/herd/\($0).yaml", scenario) }))
        let shown = try await proctor.run(["search", "quagga"], in: many)
        #expect(shown.out.split(separator: "\n").count == 20 && shown.err.contains("and 1 more"), "\(shown.err)")
        let none = try await proctor.run(["search", "redirect", "zebra"])
        #expect(none.status == 1 && none.out.isEmpty && none.err.contains("'zebra' is in 0 of "), "\(none.err)")
        let family = try await proctor.run(["list", "time/"])
        #expect(family.out.contains("time/no-answer ") && !family.out.contains("redirect/"), "\(family.out)")
        let unknown = try await proctor.run(["list", "redirekt/"])
        #expect(unknown.status == 2 && unknown.err.contains("did you mean 'redirect/'?"), "\(unknown.err)")
    }
}
