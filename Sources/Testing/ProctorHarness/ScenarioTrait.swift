public import Testing

/// Runs a test inside an exam: `@Test(.scenario("plain/get"))`; the test finds it as ``Exam/current``.
public struct ScenarioTrait: TestTrait, TestScoping {
    /// `withScenario` with the arguments of the trait.
    private let scope: @Sendable (_ body: @Sendable (Exam) async throws -> Void) async throws -> Void

    package init(_ scope: @escaping @Sendable (_ body: @Sendable (Exam) async throws -> Void) async throws -> Void) {
        self.scope = scope
    }

    /// Called by swift-testing around the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await scope { exam in
            try await Exam.$current.withValue(exam) { try await function() }
        }
    }
}

extension Exam {
    /// The exam of the running test; nil outside of a test with a ``ScenarioTrait``.
    @TaskLocal public static var current: Exam?
}
