import Foundation
import ProctorBase

/// The built `proctor`, run as its users run it; for a thread of its own where a call blocks.
package enum Child {
    package static let binary = BuiltProduct.proctor

    package typealias Outcome = ChildProcess.Outcome

    /// Runs a program to its end without blocking the pool.
    package static func run(
        _ arguments: [String], program: String = binary, environment: [String: String] = [:],
        in folder: TestFolder? = nil
    ) async throws -> Outcome {
        try await ChildProcess.run([program] + arguments, environment: environment, in: folder?.path)
    }
}

/// What a test did not get in time.
package struct Timeout: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Asks again and again until the answer is yes, for a bounded time.
package func wait(for what: String, until isThere: () throws -> Bool) throws {
    let end = ContinuousClock.now + Patience.whole
    while try !isThere() {
        guard ContinuousClock.now < end else { throw Timeout(description: "\(what) did not come") }
        usleep(2_000)
    }
}

/// A `proctor serve` that runs until it is told to end; killed with its owner at the latest.
package final class ServingChild: Sendable {
    private let process: ChildProcess
    /// The ready line as it stands on standard output.
    package let ready: [String: any Sendable]

    /// Starts on a free port and waits for the ready line.
    ///
    /// Without a folder no path is named; `guardian` is a command that is given the program to run.
    package init(_ folder: TestFolder?, _ arguments: [String] = [], under guardian: [String] = []) throws {
        let paths = folder.map { ["\($0.path)/fixtures"] } ?? []
        let process = try ChildProcess(
            guardian + [Child.binary, "serve"] + paths + ["--port", "0"] + arguments)
        try wait(for: "the ready line") {
            if !process.isRunning { throw Timeout(description: "serve ended: \(process.err)") }
            return process.out.contains("\n")
        }
        self.process = process
        let line = Data(process.output)
        ready = try JSONSerialization.jsonObject(with: line) as? [String: any Sendable] ?? [:]
    }

    package var base: String { ready["base"] as? String ?? "" }
    package var id: Int32 { process.id }

    package var out: String { process.out }
    package var err: String { process.err }

    package func send(signal: Int32) { process.send(signal: signal) }

    /// Sends a signal and waits for the end; returns the exit status, or the signal that ended it, negated.
    package func end(_ signal: Int32 = SIGTERM) throws -> Int32 {
        process.send(signal: signal)
        return try process.waitUntilExit()
    }

    /// Sends a signal until the process has ended.
    package func endAtLast(_ signal: Int32) throws -> Int32 {
        try wait(for: "the end") {
            process.send(signal: signal)
            return !process.isRunning
        }
        return try process.waitUntilExit()
    }

    /// Descriptors that are open now.
    package var descriptorCount: Int { OpenDescriptors.count(of: id) }

    /// The most memory that was ever in use.
    package var peakByteCount: Int {
        let text = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}

/// Asks with curl; standard output is the body.
package func curl(_ arguments: String...) async throws -> Child.Outcome {
    try await Child.run(["-sS", "--max-time", "60"] + arguments, program: "/usr/bin/curl")
}

/// What a command wrote, in order.
package final class Log: Sendable {
    private let pieces = Locked<[String]>([])

    package init() {}

    package func append(_ piece: String) { pieces.withLock { $0.append(piece) } }

    package var text: String { pieces.withLock { $0.joined() } }
}
