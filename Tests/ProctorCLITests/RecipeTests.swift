import Foundation
import ProctorTestSupport
import Testing

/// The README's recipe for CI, run as it stands there.
struct RecipeTests {
    /// The shell script below "In CI".
    private static func recipe() throws -> String {
        let readme = try Project.text("README.md")
        let section = try #require(readme.components(separatedBy: "\n## In CI\n").last)
        let block = section.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }
        return block.map { "\($0.dropFirst(4))\n" }.joined()
    }

    /// Runs the recipe with a client of our own, where proctor is built already.
    private func run(client: String) async throws -> (outcome: Child.Outcome, folder: Folder) {
        let recipe = try Self.recipe()
        let build = "make -C proctor release\n"
        let binary = "proctor/.build/release/proctor "
        #expect(recipe.contains(build) && recipe.contains(binary) && recipe.contains("./run-my-client-tests"))
        let script = recipe.replacing(build, with: "").replacing(binary, with: "\(Child.binary) ")
        let folder = try Folder(
            Fixtures.files.merging(["run-my-client-tests": "#!/bin/sh\n\(client)\n", "recipe.sh": script]) { $1 })
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/run-my-client-tests")
        let bash = try #require(Project.tool("bash"))
        return (try await Child.run(["recipe.sh"], program: bash, in: folder), folder)
    }

    @Test func `a client that asks for one undeclared URL is red, though its own tests are green`() async throws {
        let (outcome, folder) = try await run(
            client: "curl -sSf $BASE/plain/hello/ && curl -sS -o /dev/null $BASE/plain/hello/undeclared")
        #expect(outcome.status == 1, "\(outcome.err)")
        #expect(outcome.out.contains("hello\n"))
        #expect(outcome.err.contains("strict: fail: 1 request missed (2 requests to scenarios)"), "\(outcome.err)")
        #expect(
            outcome.err.contains("plain/hello: GET /undeclared: target: wanted /, got /undeclared"), "\(outcome.err)")
        #expect(try folder.text("journal.jsonl").contains("\"ev\":\"missed\""))
    }

    @Test func `a client that asks for what is declared is green`() async throws {
        let (outcome, _) = try await run(client: "curl -sSf $BASE/plain/hello/")
        #expect(outcome.status == 0, "\(outcome.err)")
    }

    @Test func `a client whose own tests fail, or that never comes, is red`() async throws {
        let failed = try await run(client: "curl -sSf $BASE/plain/hello/; exit 3").outcome
        #expect(failed.status == 3, "\(failed.err)")
        let absent = try await run(client: "true").outcome
        #expect(absent.status == 1 && absent.err.contains("no scenario was asked for anything"), "\(absent.err)")
    }
}
