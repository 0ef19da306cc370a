public import ProctorGrading
public import ProctorRules
public import Testing

/// Runs a test inside an exam: `@Test(.scenario("plain/get"))`; the test finds it as ``Exam/current``.
public struct ScenarioTrait: TestTrait, TestScoping {
    private let id: String
    private let caseName: String?
    private let platform: Platform
    private let ledger: Ledger?
    private let patience: Duration
    private let fixtures: [String]?
    private let sourceLocation: SourceLocation

    init(
        id: String, caseName: String?, platform: Platform, ledger: Ledger?, patience: Duration, fixtures: [String]?,
        sourceLocation: SourceLocation
    ) {
        self.id = id
        self.caseName = caseName
        self.platform = platform
        self.ledger = ledger
        self.patience = patience
        self.fixtures = fixtures
        self.sourceLocation = sourceLocation
    }

    /// Called by swift-testing around the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withScenario(
            id, case: caseName, platform: platform, ledger: ledger, within: patience, fixtures: fixtures,
            fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
            column: sourceLocation.column
        ) { exam in
            try await Exam.$current.withValue(exam) { try await function() }
        }
    }
}

extension Trait where Self == ScenarioTrait {
    /// Like ``withScenario``, around a whole test.
    public static func scenario(
        _ id: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
        within patience: Duration = .seconds(30), fixtures: [String]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait(
            id: id, caseName: name, platform: platform, ledger: ledger, patience: patience, fixtures: fixtures,
            sourceLocation: sourceLocation)
    }
}

extension Exam {
    /// The exam of the running test; nil outside of a test with a ``ScenarioTrait``.
    @TaskLocal public static var current: Exam?
}
