import Foundation
import ProctorTestSupport
import Testing

/// Packages of Python that speak the Model Context Protocol, and read metrics.
private enum Packages {
    /// The Python of the environment that the script makes below `.build`, once all was installed there.
    static let python: String? = {
        let home = "\(Project.path)/.build/mcp"
        return FileManager.default.fileExists(atPath: "\(home)/requirements.txt") ? "\(home)/bin/python" : nil
    }()
}

/// What surrounds a server, as programs of others see it: `proctor mcp` and the metrics.
@Suite(
    .enabled(
        if: Packages.python != nil,
        "no .build/mcp; Scripts/install-packages.sh test-all makes it where PyPI can be reached"),
    .limit(minutes: 4))
struct SurroundingTests {
    private func python(_ words: [String]) async throws -> ChildProcess.Outcome {
        let python = try #require(Packages.python)
        return try await ChildProcess.run(
            [python, "-E", "-s", "-B"] + words, in: NSTemporaryDirectory(), within: .seconds(180))
    }

    @Test(arguments: ["auto", "legacy"])
    func `an agent's client finds, writes, runs and judges scenarios in each form of the protocol`(
        mode: String
    ) async throws {
        let folder = try TestFolder([:])
        defer { folder.remove() }
        let outcome = try await python([
            "\(Project.path)/Tests/Clients/mcp/session.py", mode, "\(folder.path)/written", Child.binary, "mcp",
            "--fixtures", "\(Project.path)/fixtures", "--ephemeral-ca",
        ])
        #expect(outcome.status == 0 && outcome.out.hasPrefix("0 steps went otherwise"), "\(outcome.out)\(outcome.err)")
    }

    @Test func `a server without one of its tools is found out by the session`() async throws {
        let folder = try TestFolder([:])
        defer { folder.remove() }
        let outcome = try await python([
            "\(Project.path)/Tests/Clients/mcp/session.py", "auto", "\(folder.path)/written", Child.binary, "mcp",
            "--no-commands", "--fixtures", "\(Project.path)/fixtures", "--ephemeral-ca",
        ])
        #expect(outcome.status == 1, "\(outcome.out)\(outcome.err)")
    }

    @Test func `the reader of Prometheus reads every metric, and each counts what it says`() async throws {
        let child = try await onThread { try ServingChild(nil, ["--inline", #"GET /ok -> 200 "fine""#]) }
        let outcome = try await python(["\(Project.path)/Tests/Clients/mcp/metrics.py", child.base])
        #expect(outcome.status == 0 && outcome.out.hasPrefix("0 faults"), "\(outcome.out)\(outcome.err)")
        #expect(try await onThread { try child.end() } == 0)
    }
}
