import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam`: an adapter that does not start, and reports that are written as they come.
struct ExamStartTests {
    private static let curl = "\(Project.path)/clients/adapters/curl"
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          a: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          b: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          c: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          d: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          e: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
        """
    ]

    private func folder(adapter: String) throws -> Folder {
        let folder = try Folder(Self.files.merging(["adapter": "#!/bin/sh\n\(adapter)\n"]) { $1 })
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/adapter")
        return folder
    }

    private func exam(_ arguments: [String] = [], in folder: Folder) async throws -> Child.Outcome {
        try await Child.run(["exam", "--adapter", "\(folder.path)/adapter"] + arguments, in: folder)
    }

    @Test(arguments: ["1", "4", "64"])
    func `an adapter that does not start is asked three cases, and its words are printed once`(jobs: String)
        async throws
    {
        let folder = try folder(adapter: "echo x >> count; echo 'ImportError: No module named wanted' >&2; exit 1")
        let outcome = try await exam(["--jobs", jobs, "--retries", "2", "--junit", "out.xml"], in: folder)
        #expect(outcome.status == 1)
        #expect(try folder.text("count").split(separator: "\n").count == 3)
        let told = "\(folder.path)/adapter does not start: 3 cases ended without a trace; the first, plain/one#"
        #expect(outcome.out.hasPrefix(told), "\(outcome.out)")
        let words = outcome.out.components(separatedBy: "ImportError: No module named wanted")
        #expect(words.count == 2, "\(outcome.out)")
        #expect(outcome.out.hasSuffix("3 cases: 3 setup-failed; 2 others not asked\n"), "\(outcome.out)")
        #expect(try folder.text("out.xml").components(separatedBy: "<error ").count == 4)
    }

    @Test func `one that starts in the end is asked everything`() async throws {
        let folder = try folder(
            adapter:
                "if mkdir one 2>/dev/null || mkdir two 2>/dev/null; then echo not yet >&2; exit 3; fi\nexec \(Self.curl)"
        )
        let outcome = try await exam(["--jobs", "1"], in: folder)
        #expect(outcome.status == 1 && outcome.out.contains("5 cases: "), "\(outcome.out)")
        #expect(outcome.out.contains("2 setup-failed") && !outcome.out.contains("does not start"), "\(outcome.out)")
        #expect(outcome.out.contains("setup-failed: plain/one#a") && outcome.out.contains("\n  not yet\n"))
    }

    @Test(arguments: ["--junit", "--json"])
    func `a report that can't be written is told before anybody is asked`(flag: String) async throws {
        let folder = try folder(adapter: "touch asked; exec \(Self.curl)")
        let outcome = try await exam([flag, "no/such/file"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty && !folder.has("asked"))
        #expect(outcome.err.hasPrefix("proctor: \(flag) no/such/file can't be written: No such file or directory"))
    }

    @Test func `results are in the files before the next case is over, and in order in the end`() async throws {
        // The second case and those behind it wait, bounded, for the line and the test case of the first.
        let folder = try folder(
            adapter: """
                input=$(cat)
                case $input in *'"case":"a"'*) ;; *)
                    for i in $(seq 600); do grep -q '#a' out.jsonl 2>/dev/null && break; sleep 0.05; done
                    grep -q '#a' out.jsonl && grep -q 'name="a"' out.xml && grep -q '</testsuites>' out.xml || exit 3
                esac
                printf %s "$input" | exec \(Self.curl)
                """)
        try folder.write("left by an earlier exam\n", to: "out.jsonl")
        let outcome = try await exam(["--jobs", "1", "--json", "out.jsonl", "--junit", "out.xml"], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        let lines = try folder.text("out.jsonl").split(separator: "\n")
        #expect(lines.count == 5)
        for (line, name) in zip(lines, "abcde") { #expect(line.contains("plain/one#\(name)"), "\(line)") }
        #expect(try folder.text("out.xml").components(separatedBy: "<testcase ").count == 6)
    }

    @Test func `lines go to a pipe or standard output too`() async throws {
        let folder = try folder(adapter: "exec \(Self.curl)")
        let outcome = try await exam(["plain/one#a", "--json", "/dev/stdout"], in: folder)
        #expect(outcome.status == 0 && outcome.out.contains("\"outcome\":\"pass\""), "\(outcome.out)\(outcome.err)")
    }
}
