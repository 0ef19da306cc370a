import Foundation
import ProctorBase

/// How long a test waits for what must come: a minute on an idle machine, and longer by how busy the machine is.
///
/// A test that passes never waits for it. What waits by itself in slices counts by ``LoadAdjustedTime`` instead, which sees
/// how busy the machine is all the while.
public enum Patience {
    /// For one event on an idle machine; what counts by ``LoadAdjustedTime`` takes this one.
    public static let idle = Duration.seconds(60)

    /// For one event: a reply, a line, the end of a program.
    public static var whole: Duration { .seconds(seconds) }

    /// The same, for calls of the system that count in seconds.
    public static var seconds: Int { Int((60 * MachineDelay.shared.factor).rounded(.up)) }
}

/// Runs blocking code on a thread of its own and waits for it without blocking the pool.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 1 << 20
        thread.start()
    }
}
