public import ProctorDocument

/// What loading found: scenarios without errors, and the errors of all files.
public struct LoadResult: Sendable {
    /// By id; a file with an error is left out.
    public let scenarios: [Scenario]
    /// By file and place.
    public let diagnostics: [Diagnostic]

    /// Whether everything that was named could be loaded.
    public var isClean: Bool { diagnostics.isEmpty }

    /// Both sorted already.
    public init(scenarios: [Scenario], diagnostics: [Diagnostic]) {
        self.scenarios = scenarios
        self.diagnostics = diagnostics
    }
}
