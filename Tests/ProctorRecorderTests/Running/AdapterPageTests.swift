import Foundation
import ProctorBase
import ProctorProgram
import ProctorTestSupport
import Testing

/// What Docs/clients/adapters.md and assignment.md show is tried.
@Suite(.limit(minutes: 5))
struct AdapterPageTests {
    private let page: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardized
        page = try ["adapters", "assignment"].map { name in
            try String(contentsOf: root.appendingPathComponent("Docs/clients/\(name).md"), encoding: .utf8)
        }.joined()
    }

    private func block(_ language: String) throws -> String {
        let start = try #require(page.range(of: "```\(language)\n"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        return String(page[start.upperBound..<end.lowerBound])
    }

    @Test func `the smallest adapter works`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString).py")
        try Data(try block("python").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try PlainServer.usual()
        defer { server.stop() }
        let adapter = Adapter(command: ["/usr/bin/env", "python3", file.path])
        var session = SessionSetup()
        session.names = [Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:\(server.port)")]
        let urls = ["\(server.base)/moved", "http://HOME.example.org./hello", "\(server.base)/secret"]
        let done = try await adapter.run(
            (urls + ["http://other.example.org/"]).map { step($0) }, session: session, needs: ["redirects"])
        #expect(done.status == 0 && done.header?.abilities == ["redirects", "trust"], "\(done.errors)")
        #expect(done.lines.map(\.symbol) == Array(repeating: ["resume", "result"], count: 4).flatMap(\.self))
        #expect((0..<2).map { done.result(of: $0)?.text("bodyBase64") } == ["aGVsbG8=", "aGVsbG8="])
        #expect(done.result()?.text("url") == "\(server.base)/hello")
        // What the client does not find is an error; a status of an error is none.
        #expect(done.result(of: 2)?.number("status") == 401 && done.result(of: 2)?.text("error") == nil)
        #expect(done.result(of: 3)?.text("error") == "unknown" && done.result(of: 3)?.text("message") != nil)
        let asked = Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))
        for one in [
            step(server.base, "POST"), step(server.base) { $0.body = Assignment.Bytes(text: "a") },
            step(server.base) { $0.onRedirect = [.refuse] }, step(server.base) { $0.onChallenge = [asked] },
        ] {
            #expect(try await adapter.run([one]).lines.map(\.ev) == ["unimplemented"])
        }
        let lacking = try await adapter.run([step(server.base)], needs: ["cookie-jar"])
        #expect(lacking.lines.map(\.ev) == ["unimplemented"])
    }

    @Test func `the smallest adapter refuses what is no assignment, gives up at the deadline, and is short`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString).py")
        let text = try block("python")
        #expect(text.split(separator: "\n").count <= 38)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let adapter = Adapter(command: ["/usr/bin/env", "python3", file.path])
        for input in ["", "[]", #"{"version": 2}"#] {
            let outcome = try await adapter.run(input: Array(input.utf8))
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome.out)")
            #expect(outcome.err.hasPrefix("tiny: ") && outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
        }
        let silent = try PlainServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab" }
        defer { silent.stop() }
        let report = try await adapter.run([step(silent.base)], deadline: 2_000)
        #expect(report.status == 0 && report.lines.map(\.symbol) == ["resume", "result"])
        #expect(report.result()?.text("error") == "timedOut" && report.result()?.text("domain") == "adapter")
    }

    @Test func `the assignment to try is one`() async throws {
        let assignment = try JSONDecoder().decode(Assignment.self, from: Data(try block("json").utf8))
        #expect(assignment.steps.count == 1)
        #expect(assignment.version == Assignment.currentVersion)
    }

    @Test func `every key of an assignment is explained`() throws {
        var one = step("http://127.0.0.1/")
        one.body = Assignment.Bytes(text: "x", count: 1)
        one.answerAfter = 1
        one.cancelAt = Assignment.Moment("data")
        one.suspendAt = Assignment.Moment("data")
        one.timeout = 1
        one.resume = 0
        one.cachePolicy = .reload
        one.protocolScript = []
        var session = SessionSetup()
        (session.end, session.endAt, session.cache) = (.finish, Assignment.Moment("data"), 1)
        (session.requestTimeout, session.resourceTimeout, session.proxy) = (1, 1, "x")
        session.trust = "/ca.pem"
        session.identity = Assignment.Identity(name: "a", certificate: "b", key: "c", pkcs12: "d", passphrase: "e")
        let assignment = Assignment(
            scenario: "s", caseName: "c", base: "b", run: "r", session: session, steps: [one])
        let object = try JSONSerialization.jsonObject(with: Data(assignment.json))
        let whole = try #require(object as? [String: Any])
        let setup = try #require(whole["session"] as? [String: Any])
        let first = try #require((whole["steps"] as? [[String: Any]])?.first)
        let keys = Set(whole.keys).union(setup.keys).union(first.keys)
        #expect(keys.count >= 35)
        for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}

/// Adapters that stand where their client is looked for, under its very name.
@Suite(.limit(minutes: 5))
struct AdapterInPathTests {
    private static let scripts = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent().path

    /// A folder with the adapters, as links to them, or as copies beside one of their kit.
    private func folder(_ isCopied: Bool) throws -> String {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)").path
        let folder = "\(root)/adapters"
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: Self.scripts) where !name.hasPrefix("_") {
            if isCopied {
                try manager.copyItem(atPath: "\(Self.scripts)/\(name)", toPath: "\(folder)/\(name)")
            } else {
                try manager.createSymbolicLink(
                    atPath: "\(folder)/\(name)", withDestinationPath: "\(Self.scripts)/\(name)")
            }
        }
        if isCopied { try manager.copyItem(atPath: "\(Self.scripts)/../kits", toPath: "\(root)/kits") }
        return folder
    }

    private func remove(_ folder: String) {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: folder).deletingLastPathComponent())
    }

    @Test(arguments: [false, true])
    func `curl is looked for behind the adapter`(isCopied: Bool) async throws {
        let folder = try folder(isCopied)
        defer { remove(folder) }
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
        defer { remove(folder) }
        try FileManager.default.removeItem(atPath: "\(folder)/curl")
        try "#!/bin/sh\necho hello\n".write(toFile: "\(folder)/curl", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/curl")
        let outcome = try await Adapter.curl.run(
            input: [], arguments: ["--version"],
            environment: ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"])
        #expect(outcome.status == 69)
        #expect(outcome.err == "curl adapter: \(folder)/curl is no curl: --version says 'hello\\n'\n")
    }

    @Test(arguments: ["requests", "aiohttp", "httpx", "urllib3"])
    func `a library is looked for elsewhere than in the adapter's folder`(name: String) async throws {
        let folder = try folder(true)
        defer { remove(folder) }
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
