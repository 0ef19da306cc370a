import Foundation
import ProctorTestSupport
import Testing

/// httpbin itself, which is a package of Python.
private enum Httpbin {
    /// The Python of the environment that the script makes below `.build`, once all was installed there.
    static let python: String? = {
        let home = "\(Project.path)/.build/python"
        return FileManager.default.fileExists(atPath: "\(home)/requirements.txt") ? "\(home)/bin/python" : nil
    }()
}

/// The shipped pack `httpbin` beside it.
@Suite(
    .enabled(
        if: Httpbin.python != nil,
        "no .build/python with httpbin; Scripts/install-packages.sh test-all makes it where PyPI can be reached"),
    .limit(minutes: 10))
struct HttpbinPackTests {
    @Test func `every question is answered as httpbin answers it, but for what is meant`() async throws {
        let folder = try TestFolder([:])
        let child = try await onThread {
            try ServingChild(
                nil, ["--pack", "httpbin", "--tls-port", "0", "--ca-dir", "\(folder.path)/authority"])
        }
        let secured = try #require(child.ready["tls"] as? String)
        // A sanitized script needs more than its second of processor time for so much content.
        let left = Sanitizer.isOn ? ["--all-but", "1,000,000 bytes"] : []
        let outcome = try await compare([child.base, "--https", secured] + left)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        // The summary, which says that questions were asked at all.
        #expect(outcome.err.contains(" questions, "), "\(outcome.err)")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `an end point that answers otherwise is found out`() async throws {
        let child = try await onThread { try ServingChild(nil, ["--inline", #"GET /user-agent -> 200 "none""#]) }
        let outcome = try await compare([child.base, "--only", "GET /user-agent"])
        #expect(outcome.status == 1, "\(outcome.out)\(outcome.err)")
        #expect(
            outcome.out.contains(
                "GET /user-agent\tbody\thttpbin: \"{\\n  \\\"user-agent\\\": null\\n}\\n\"\tpack: \"none\"\n"))
        #expect(outcome.out.contains("GET /user-agent\tfield Content-Type\thttpbin: \"application/json\"\tpack: "))
    }

    private func compare(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        let python = try #require(Httpbin.python)
        let program = [python, "-E", "-s", "-B", "\(Project.path)/Tests/Clients/httpbin/compare.py"]
        return try await ChildProcess.run(program + arguments, in: NSTemporaryDirectory(), within: .seconds(480))
    }
}
