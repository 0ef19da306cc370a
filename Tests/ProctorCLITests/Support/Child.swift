import Foundation

/// The built `proctor`, run as its users run it.
enum Child {
    /// It stands beside the test bundle.
    static let binary: String = {
        #if os(Linux)
            let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        #else
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? ""
        #endif
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("proctor").path
    }()

    struct Outcome: Sendable {
        let status: Int32
        let out: String
        let err: String
    }

    /// Runs a program to its end, at most twenty seconds, on a thread of its own.
    static func run(
        _ arguments: [String], program: String = binary, environment: [String: String] = [:], in folder: Folder? = nil
    ) async throws -> Outcome {
        try await onThread {
            let streams = try Folder()
            let out = try streams.create("out")
            let err = try streams.create("err")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.path) }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = out
            process.standardError = err
            try process.run()
            try process.waitUntilExit(within: 20)
            return Outcome(
                status: process.terminationStatus, out: try streams.text("out"), err: try streams.text("err"))
        }
    }
}

/// What a test did not get in time.
struct Timeout: Error, CustomStringConvertible {
    let description: String
}

extension Process {
    /// Kills the process and throws when it has not ended by itself.
    func waitUntilExit(within seconds: Double) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while isRunning, Date() < end { usleep(2_000) }
        guard isRunning else { return }
        kill(processIdentifier, SIGKILL)
        throw Timeout(description: "\(executableURL?.lastPathComponent ?? "") ran for more than \(seconds) s")
    }
}

/// Runs blocking code on a thread of its own and waits for it without blocking the pool.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
}

/// Asks again and again until the answer is yes, for at most ten seconds.
func wait(for what: String, until isThere: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 10)
    while try !isThere() {
        guard Date() < end else { throw Timeout(description: "\(what) did not come") }
        usleep(2_000)
    }
}
