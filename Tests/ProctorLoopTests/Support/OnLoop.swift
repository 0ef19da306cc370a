import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

/// Every wait of a test ends; in nanoseconds, as the loop's calls want it.
let patience = Patience.whole.wholeNanoseconds

let loopback = SocketAddress.ipv4(host: "127.0.0.1", port: 0)

/// Runs a test's body as a task of a new loop, then waits until the loop's thread has ended.
///
/// A handle that the body left open would keep the thread alive, so each of these tests is a leak test too.
func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    try await onLoops(1) { try await body($0[0]) }
}

/// The same over several loops; `body` runs on the first.
func onLoops<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable ([EventLoop]) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: count)
    let loops = group.loops
    do {
        let result = try await loops[0].run { try await body(loops) }
        group.stop()
        await group.ended()
        return result
    } catch {
        // What the body left open is not closed any more, so the threads are not waited for.
        group.stop()
        throw error
    }
}

/// For the body of an exit test, where an error that is only thrown ends the process without a word.
///
/// What reaches the test from there is an issue's comment only, so the error stands in that; expectations in such a
/// body want a comment with their values for the same reason.
func recordingErrors(_ body: () async throws -> Void) async {
    do {
        try await body()
    } catch {
        Issue.record("\(error)")
    }
}
