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
            let process = try Spawned(program, arguments, environment: environment, in: folder)
            let status = try process.waitUntilExit()
            return Outcome(status: status, out: try process.out(), err: try process.err())
        }
    }
}

/// What a test did not get in time.
struct Timeout: Error, CustomStringConvertible {
    let description: String
}

/// Runs blocking code on a thread of its own and waits for it without blocking the pool.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
}

/// Asks again and again until the answer is yes, for a bounded time.
func wait(for what: String, until isThere: () throws -> Bool, seconds: Double = 10) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while try !isThere() {
        guard Date() < end else { throw Timeout(description: "\(what) did not come") }
        usleep(2_000)
    }
}
