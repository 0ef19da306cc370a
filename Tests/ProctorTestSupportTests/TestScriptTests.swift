import Foundation
import ProctorTestSupport
import Testing

/// What the scripts around the tests make of the runner's output.
struct TestScriptTests {
    private static let scripts = URL(filePath: #filePath).appending(path: "../../../Scripts").standardized.path

    /// Runs a script in a folder whose program `swift` stands for the toolchain's.
    private func run(_ words: [String], swift: String) async throws -> ChildProcess.Outcome {
        let folder = try TestFolder(["bin/swift": "#!/bin/bash\n\(swift)\n"])
        defer { folder.remove() }
        try makeExecutable("\(folder.path)/bin/swift")
        let path = "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        return try await ChildProcess.run(
            ["\(Self.scripts)/\(words[0])"] + words.dropFirst(), environment: ["PATH": path, "VERBOSE": ""],
            in: folder.path)
    }

    @Test func `of failed tests the summary has the issues, and nothing of those that passed`() async throws {
        let outcome = try await run(
            ["show-failures.sh", "swift", "test"],
            swift: #"""
                cat <<'END'
                ◇ Test "is good" started.
                ◇ Test case passing 1 argument row → "one.yaml
                error: of the argument" to "is good" started.
                ✘ Test "is bad" recorded an issue at Some.swift:1:2: Expectation failed: false
                ↳ its comment
                ✔ Test case passing 1 argument row → "two.yaml
                error: of another argument" to "is good" passed after 0.1 seconds.
                ✔ Test "is good" with 2 test cases passed after 0.1 seconds.
                ✘ Test "is bad" failed after 0.2 seconds with 1 issue.
                ✘ Test run with 2 tests in 1 suite failed after 0.2 seconds with 1 issue.
                END
                exit 1
                """#)
        #expect(outcome.status == 1)
        #expect(outcome.out.contains("Some.swift:1:2"))
        #expect(outcome.out.contains("its comment"))
        #expect(!outcome.out.contains("argument"), "\(outcome.out)")
        #expect(!outcome.out.contains("is good"), "\(outcome.out)")
    }

    @Test func `a crash is told, though a test had not ended its line`() async throws {
        let outcome = try await run(
            ["show-failures.sh", "swift", "test"],
            swift: #"""
                printf '◇ Test case passing 1 argument row → "one\nhalf a line\nFatal error: out of range\n'
                echo 'error: Process "x" exited with unexpected signal code 5'
                exit 1
                """#)
        #expect(outcome.status == 1)
        #expect(outcome.out.contains("Fatal error: out of range"))
        #expect(outcome.out.contains("signal code 5"))
        #expect(!outcome.out.contains("half a line"))
    }

    @Test func `a test that fails once in four runs is named, with its run and its issue`() async throws {
        let outcome = try await run(
            ["test-repeat.py", "--count", "4", "--load", "quiet", "--part", "2 --filter X"],
            swift: #"""
                echo run >> runs
                echo '✔ Test "is good" passed after 0.1 seconds.'
                if [[ $(wc -l < runs) -ne 3 ]]; then echo '✔ Test "wavers" passed after 0.1 seconds.'; exit 0; fi
                echo '✘ Test "wavers" recorded an issue at Some.swift:1:2: Expectation failed: false'
                echo '✘ Test "wavers" failed after 0.1 seconds with 1 issue.'
                exit 1
                """#)
        #expect(outcome.status == 1, "\(outcome.err)")
        #expect(outcome.out.contains(#""wavers", part 1: failed 1 of 4, not the same every time"#), "\(outcome.out)")
        #expect(outcome.out.contains("run 3 (quiet) at Some.swift:1:2"), "\(outcome.out)")
        #expect(!outcome.out.contains("is good"))
    }

    @Test func `tests that pass in every run are green`() async throws {
        let outcome = try await run(
            ["test-repeat.py", "--count", "2", "--part", "2 --filter X"],
            swift: #"echo '✔ Test "is good" passed after 0.1 seconds.'"#)
        #expect(outcome.status == 0, "\(outcome.err)")
        #expect(outcome.out.contains("run 2 (busy), part 1: 1 tests, 0 failed"), "\(outcome.out)")
        #expect(outcome.out.contains("every run was green"))
    }
}
