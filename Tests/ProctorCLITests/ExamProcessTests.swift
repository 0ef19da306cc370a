import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam` as a process: what it calls a client, two exams of one file, and one that is stopped.
@Suite(.limit(minutes: 5))
struct ExamProcessTests {
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          a: { client: { url: / }, wire: request(GET /) }
          b: { client: { url: / }, wire: request(GET /) }
        """,
        "mine.sh": "echo started >> started; exec \(BuiltProduct.referenceClient)\n",
        // Answers its first case, and stays in the second; a descendant stays outside its group.
        "stays.sh": """
        if [ -e first ]; then
            setsid sleep 3601 &
            echo "$$ $!" > second.tmp; mv second.tmp second
            sleep 3601
        fi
        : > first
        exec \(BuiltProduct.referenceClient)
        """,
    ]

    private func client(in folder: TestFolder, _ file: String = "r.jsonl") throws -> String? {
        let line = try folder.text(file).split(separator: "\n").first ?? ""
        return try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["client"] as? String
    }

    @Test(arguments: [
        (["--adapter", "/bin/sh mine.sh"], "mine.sh"), (["--adapter", "/usr/bin/env sh ./mine.sh"], "mine.sh"),
        (["--adapter", BuiltProduct.referenceClient + " --as session"], "proctor-client-reference"),
        (["--adapter", "/bin/sh mine.sh", "--name", "My client 2"], "My client 2"),
    ])
    func `an adapter is called by its script, or as it is told`(arguments: [String], name: String) async throws {
        let folder = try TestFolder(Self.files)
        let outcome = try await Child.run(["exam", "plain/one#a"] + arguments + ["--json", "r.jsonl"], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(try client(in: folder) == name)
    }

    @Test(arguments: [
        (["--adapter", "/bin/sh mine.sh", "--name", ""], "--name takes 1 to 100 characters"),
        (["--adapter", "/bin/sh mine.sh", "--name", "a\nb"], "--name takes 1 to 100 characters"),
        (["--client", "reference", "--name", "mine"], "--name is for --adapter; a shipped client has its own"),
    ])
    func `a name that is none, or not wanted, is refused`(arguments: [String], words: String) async throws {
        let outcome = try await Child.run(["exam", "plain/one#a"] + arguments, in: try TestFolder(Self.files))
        #expect(outcome.status == 2 && outcome.err.contains(words), "\(outcome.err)")
    }

    @Test func `own fixtures are set to a shipped client, whose ledger need not fit them`() async throws {
        let outcome = try await Child.run(["exam", "--client", "curl"], in: try TestFolder(Self.files))
        #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.hasSuffix("2 cases: 2 pass\n"), "\(outcome.out)")
    }

    @Test func `an adapter that keeps what it builds finds it where its user's programs do`() async throws {
        let folder = try TestFolder(Self.files)
        try folder.write("echo \"$XDG_CACHE_HOME\" > cache; exec \(BuiltProduct.referenceClient)\n", to: "mine.sh")
        let outcome = try await Child.run(
            ["exam", "plain/one#a", "--adapter", "/bin/sh mine.sh"], environment: ["XDG_CACHE_HOME": "/nowhere/cache"],
            in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(try folder.text("cache") == "/nowhere/cache\n")
    }

    /// An exam whose second case stays; it has begun with that one.
    private func staying(in folder: TestFolder) async throws -> ChildProcess {
        let arguments = ["exam", "--adapter", "/bin/sh stays.sh", "--jobs", "1", "--json", "r.jsonl"]
        let exam = try ChildProcess([Child.binary] + arguments, in: folder.path)
        try await onThread {
            try wait(for: "the second case") {
                if !exam.isRunning { throw Timeout(description: "the exam ended: \(exam.out)\(exam.err)") }
                return FileManager.default.fileExists(atPath: "\(folder.path)/second")
            }
        }
        return exam
    }

    @Test func `two exams that write one file are refused, and the file is free when the first has ended`() async throws
    {
        let folder = try TestFolder(Self.files)
        let first = try await staying(in: folder)
        let arguments = ["exam", "--adapter", "/bin/sh mine.sh", "--json", "./r.jsonl"]
        let second = try await Child.run(arguments, in: folder)
        #expect(second.status == 1)
        #expect(
            second.err.contains("--json ./r.jsonl can't be written: another exam is writing it"), "\(second.err)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/started"))
        // The lock ends with its process, however that ends; the file of the lock may stay.
        first.send(signal: SIGKILL)
        _ = try await onThread { try first.waitUntilExit() }
        let third = try await Child.run(arguments, in: folder)
        #expect(third.status == 0, "\(third.out)\(third.err)")
        #expect(try client(in: folder) == "mine.sh")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/r.jsonl.lock"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an exam that is stopped says how to go on, and leaves no process`(signal: Int32) async throws {
        let folder = try TestFolder(Self.files)
        let exam = try await staying(in: folder)
        exam.send(signal: signal)
        #expect(try await onThread { try exam.waitUntilExit() } == 1)
        #expect(
            exam.err.contains("stopped; r.jsonl has 1 case: the same command with --resume goes on from there"),
            "\(exam.err)")
        let ids = try folder.text("second").split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
        try #require(ids.count == 2, "\(ids)")
        #expect(kill(ids[0], 0) != 0)
        #if os(Linux)
            #expect(kill(ids[1], 0) != 0)
        #endif
        try folder.write("exec \(BuiltProduct.referenceClient)\n", to: "stays.sh")
        let resumed = try await Child.run(
            ["exam", "--adapter", "/bin/sh stays.sh", "--json", "r.jsonl", "--resume"], in: folder)
        #expect(resumed.status == 0 && resumed.err.contains("1 case of stays.sh were done before"), "\(resumed.err)")
        #expect(resumed.out.hasSuffix("2 cases: 2 pass\n"), "\(resumed.out)")
    }
}
