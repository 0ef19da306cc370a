import Foundation
import ProctorTestSupport
import Testing

/// The recipes of `Docs/cookbook`, by `Scripts/cookbook.py`; those in Swift are tests of `ProctorUserTests`.
@Suite(.limit(minutes: 12))
struct CookbookTests {
    private static let python = Project.tool("python3") ?? "python3"

    /// Go's first build of its own library takes minutes on a busy machine.
    private func cookbook(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        let cache = ["GOCACHE": "\(Project.path)/.build/go-cache", "PYTHONDONTWRITEBYTECODE": "1"]
        return try await ChildProcess.run(
            [Self.python, "\(Project.path)/Scripts/cookbook.py"] + arguments,
            environment: HelperTrial.environment.merging(cache) { $1 }, in: Project.path, within: .seconds(600))
    }

    @Test func `each recipe has its fixture, four languages and a client that is wrong, and stands in the list`()
        async throws
    {
        let outcome = try await cookbook(["check"])
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
    }

    /// In Python the clients that are wrong too: each has a red verdict, which says what the page shows.
    @Test(arguments: [
        ("python", "\(python) -s -c 'import pytest, requests, httpx, h2'"),
        ("js", "node -e 'process.exit(+(parseInt(process.versions.node) < 20))'"),
        ("go", "go version"),
    ])
    func `every recipe passes`(language: String, tool: String) async throws {
        let found = try await Child.run(["-c", tool], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("not installed: \(tool)") }
        let outcome = try await cookbook(["run", "--proctor", Child.binary, "--language", language])
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
    }
}
