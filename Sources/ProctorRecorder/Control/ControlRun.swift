/// A run as the control API describes it.
public struct ControlRun: Sendable, Equatable, Codable {
    /// What other calls name it by.
    public let run: String
    /// The id of the scenario.
    public let scenario: String
    /// The URL of the scenario's first origin, without a slash at its end.
    public let base: String
    /// The URLs of all origins, by name.
    public let origins: [String: String]
}

/// What the server thinks of a trace.
public struct ControlVerdict: Sendable, Equatable, Codable {
    /// `pass`, `fail`, `hang`, `crash`, `known`, `fixed`, `observed`, `unimplemented`, `skipped` or `setup-failed`.
    public let outcome: String
    /// The findings and the timeline, for a person.
    public let text: String
}
