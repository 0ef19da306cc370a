import ProctorBase
public import Testing

/// Ends a test that takes longer than it may, by cancelling its task; the load of the machine does not count against it.
///
/// Swift Testing's own limit counts the clock, so that a busy machine would fail a test that is right.
public struct LimitTrait: TestTrait, SuiteTrait, TestScoping {
    /// A suite's limit is that of each of its tests.
    public let isRecursive = true
    fileprivate let limit: Duration

    private struct IsLate: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs the test beside its limit, and ends with the one that ends first.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: Void.self) { [limit] group in
                group.addTask { try await function() }
                group.addTask {
                    var time = LoadAdjustedTime(limit)
                    while let slice = time.nextSlice() { try await Task.sleep(for: slice) }
                    throw IsLate(description: "\(test.name) had not ended after \(limit) of an idle machine's time")
                }
                defer { group.cancelAll() }
                // The test itself, or the limit where the test is late.
                try await group.next()
            }
        }
    }
}

extension Trait where Self == LimitTrait {
    /// A limit in minutes of an idle machine, for each test and each of its arguments.
    public static func limit(minutes: Int) -> Self { LimitTrait(limit: .seconds(60 * minutes)) }
}
