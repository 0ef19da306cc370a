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

extension LoadResult {
    /// The scenarios, if nothing at all is wrong; else all that is wrong is thrown, for a test to show.
    public func get() throws(LoadFailure) -> [Scenario] {
        guard isClean else { throw LoadFailure(diagnostics: diagnostics) }
        return scenarios
    }
}

/// Fixtures that can't be used, and why; prints one message a line.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// By file and place; never empty.
    public let diagnostics: [Diagnostic]

    /// As `proctor check` prints them.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
