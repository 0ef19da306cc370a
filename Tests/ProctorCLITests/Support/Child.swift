import Foundation
import ProctorTestSupport

/// The built `proctor`, run as its users run it.
enum Child {
    static let binary = BuiltProduct.proctor

    typealias Outcome = ChildProcess.Outcome

    /// Runs a program to its end without blocking the pool.
    static func run(
        _ arguments: [String], program: String = binary, environment: [String: String] = [:], in folder: Folder? = nil
    ) async throws -> Outcome {
        try await ChildProcess.run([program] + arguments, environment: environment, in: folder?.path)
    }
}

/// What a test did not get in time.
struct Timeout: Error, CustomStringConvertible {
    let description: String
}

/// Asks again and again until the answer is yes, for a bounded time.
func wait(for what: String, until isThere: () throws -> Bool) throws {
    let end = ContinuousClock.now + Patience.whole
    while try !isThere() {
        guard ContinuousClock.now < end else { throw Timeout(description: "\(what) did not come") }
        usleep(2_000)
    }
}
