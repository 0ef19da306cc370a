public import ProctorGrading
public import ProctorRules
public import Testing

/// Runs a test inside an exam: `@Test(.scenario("plain/get"))`; the test finds it as ``Exam/current``.
public struct ScenarioTrait: TestTrait, TestScoping {
    /// ``withScenario`` with the arguments of the trait.
    let scope: @Sendable (_ body: @Sendable (Exam) async throws -> Void) async throws -> Void

    /// Called by swift-testing around the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await scope { exam in
            try await Exam.$current.withValue(exam) { try await function() }
        }
    }
}

extension Trait where Self == ScenarioTrait {
    /// ``withScenario`` around a whole test.
    public static func scenario(
        _ id: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
        within patience: Duration = .seconds(30), fixtures: [String]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait { body in
            try await withScenario(
                id, case: name, platform: platform, ledger: ledger, within: patience, fixtures: fixtures,
                fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
                column: sourceLocation.column, body)
        }
    }
}

extension Trait where Self == ScenarioTrait {
    /// ``withScenario`` with YAML around a whole test.
    public static func scenario(
        yaml: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
        within patience: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait { body in
            try await withScenario(
                yaml: yaml, case: name, platform: platform, ledger: ledger, within: patience,
                fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
                column: sourceLocation.column, body)
        }
    }
}

extension Exam {
    /// The exam of the running test; nil outside of a test with a ``ScenarioTrait``.
    @TaskLocal public static var current: Exam?
}
