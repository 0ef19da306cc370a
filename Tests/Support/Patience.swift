import Foundation

/// How long a test waits for what must come.
///
/// A test that passes never waits for it, so it is far more than a busy machine needs, and less than the time limits
/// of the suites.
public enum Patience {
    /// For one event: a reply, a line, the end of a program.
    public static let whole = Duration.seconds(60)

    /// The same, for calls of the system that count in seconds.
    public static let seconds = 60
}

/// Runs blocking code on a thread of its own and waits for it without blocking the pool.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 1 << 20
        thread.start()
    }
}
