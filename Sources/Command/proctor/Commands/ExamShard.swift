internal import ProctorBase

/// One of several parts of an exam's cases, by the value of `--shard`, or of a storm's schedules, by that of `--part`.
struct ExamShard: Sendable {
    /// 1 to `count`.
    let number: Int
    let count: Int

    private static let most = 1_000

    /// Where a system that runs a job on several nodes says which of them a process is.
    private struct System {
        let name: String
        let index: String
        let total: String
        /// The index of the first node.
        let first: Int
    }

    private static let systems = [
        // Ours comes first, for systems that say it in words of the user's.
        System(name: "PROCTOR_NODE", index: "PROCTOR_NODE_INDEX", total: "PROCTOR_NODE_TOTAL", first: 0),
        System(name: "GitLab", index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", first: 1),
        System(name: "CircleCI", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL", first: 0),
        System(name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0),
        System(name: "Bazel", index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", first: 0),
        // An indexed job knows its index alone.
        System(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", total: "PROCTOR_NODE_TOTAL", first: 0),
    ]

    /// Reads `I/N`, or `auto` from the variables of the first system that has set its index.
    init(_ text: String, environment: [String: String]) throws(UsageError) {
        if text == "auto" {
            try self.init(from: environment)
            return
        }
        guard let shard = Self(text) else {
            throw UsageError(
                "--shard takes I/N with I from 1 to N, and N from 1 to \(Self.most), or auto, not '\(text)'")
        }
        self = shard
    }

    /// Reads `I/N` alone; nil for other texts, and for numbers out of range.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], 1...Self.most ~= count,
            1...count ~= number
        else { return nil }
        self.init(number: number, count: count)
    }

    private init(number: Int, count: Int) {
        (self.number, self.count) = (number, count)
    }

    private init(from environment: [String: String]) throws(UsageError) {
        guard let system = Self.systems.first(where: { environment[$0.index]?.isEmpty == false }) else {
            let names = Self.systems.map(\.index).joined(separator: ", ")
            throw UsageError("--shard auto finds no number of a node in the environment: none of \(names) is set")
        }
        let (index, total) = (environment[system.index] ?? "", environment[system.total] ?? "")
        guard let number = Int(index), let count = Int(total), 1...Self.most ~= count,
            0..<count ~= number - system.first
        else {
            throw UsageError(
                "--shard auto: \(system.name) says \(system.index)=\(PrintableText.sanitize(index, limit: 60)) and "
                    + "\(system.total)=\(PrintableText.sanitize(total, limit: 60)); \(system.first) to N"
                    + "\(system.first == 0 ? " - 1" : "") and N, 1 to \(Self.most), are wanted")
        }
        self.init(number: number - system.first + 1, count: count)
        // Bazel takes a test that does not touch this file for one that runs all cases on each node.
        if let file = environment["TEST_SHARD_STATUS_FILE"] { try? AtomicFile.replace(file, with: "") }
    }
}
