import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam --shard auto` in several processes at once, as the nodes of a system run it, and the merge behind them.
struct ExamNodeTests {
    /// A system that runs a job on several nodes.
    struct System: Sendable, CustomTestStringConvertible {
        let file: String
        let index: String
        let total: String
        var first = 0
        var testDescription: String { file }
    }

    static let systems = [
        System(file: "gitlab.yml", index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", first: 1),
        System(file: "circleci.yml", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL"),
        System(file: "buildkite.yml", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT"),
        System(file: "BUILD.bazel", index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS"),
        System(file: "kubernetes.yaml", index: "JOB_COMPLETION_INDEX", total: "PROCTOR_NODE_TOTAL"),
        System(file: "github.yml", index: "PROCTOR_NODE_INDEX", total: "PROCTOR_NODE_TOTAL"),
    ]

    private static let count = 3

    private func makeFolder() throws -> TestFolder {
        let cases = (1...7).map { "  c\($0): { client: { url: / }, wire: request(GET /) }" }.joined(separator: "\n")
        let folder = try TestFolder([
            "fixtures/plain/page.yaml": """
            summary: A page
            spec: RFC 9110 §9.3.1
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases:
            \(cases)
            """,
            // The adapter of a node that is lost ends the exam that asked it.
            "adapter": """
            #!/bin/sh
            if [ -e "$(dirname "$0")/lost" ] && ps -o args= -p $PPID | grep -q records-1; then kill -KILL $PPID; fi
            exec \(BuiltProduct.referenceClient)

            """,
        ])
        try makeExecutable("\(folder.path)/adapter")
        return folder
    }

    private func run(_ system: System, node: Int, in folder: TestFolder) async throws -> Int32 {
        try await Child.run(
            [
                "exam", "--adapter", "./adapter", "--fixtures", "fixtures", "--ephemeral-ca", "--shard", "auto",
                "--json", "records-\(node).jsonl",
            ],
            environment: [
                system.index: "\(node + system.first)", system.total: "\(Self.count)",
            ], in: folder
        ).status
    }

    private func merge(in folder: TestFolder) async throws -> ChildProcess.Outcome {
        let files = (0..<Self.count).map { "records-\($0).jsonl" }.filter {
            FileManager.default.fileExists(atPath: "\(folder.path)/\($0)")
        }
        return try await Child.run(["report", "merge"] + files + ["-o", "all.jsonl"], in: folder)
    }

    @Test(arguments: systems)
    func `the processes of all nodes make one exam, and one that is killed is a hole until it is run again`(
        system: System
    ) async throws {
        let folder = try makeFolder()
        defer { folder.remove() }
        try folder.write("", to: "lost")
        let statuses = try await withThrowingTaskGroup(of: (Int, Int32).self) { group in
            for node in 0..<Self.count {
                group.addTask { (node, try await run(system, node: node, in: folder)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(statuses[0] == 0 && statuses[1] == -9 && statuses[2] == 0, "\(statuses)")
        let hole = try await merge(in: folder)
        #expect(hole.status == 1 && hole.err.contains("part 2/3 of"), "\(hole.err)")

        try FileManager.default.removeItem(atPath: "\(folder.path)/lost")
        #expect(try await run(system, node: 1, in: folder) == 0)
        let whole = try await merge(in: folder)
        #expect(whole.status == 0 && whole.err.contains("1 client, 7 cases in all.jsonl"), "\(whole.err)")
    }

    @Test(arguments: systems)
    func `the example of a system shards by itself, and merges`(system: System) throws {
        let text = try Project.text("helpers/ci/\(system.file)")
        #expect(text.contains("--shard auto --json") && text.contains("proctor report merge "))
        // What the system does not set by itself stands in the file.
        if system.index.hasPrefix("PROCTOR_") { #expect(text.contains("\(system.index): ")) }
        if system.total.hasPrefix("PROCTOR_") { #expect(text.contains(system.total)) }
    }
}
