/// A run as the control API describes it.
public struct ControlRun: Sendable, Equatable, Codable {
    /// The id of the run in other calls.
    public let run: String
    /// The id of the scenario.
    public let scenario: String
    /// The URL of the scenario's first origin, without a slash at its end.
    public let base: String
    /// The URLs of all origins, by name.
    public let origins: [String: String]
    /// The names of the scenario's cases, with those of their sittings as a download; nil: the server does not say.
    public let cases: [String]?
    /// The names of the events that replies wait for; nil: none.
    public let awaited: [String]?
}

/// The server's verdict about a trace.
public struct ControlVerdict: Sendable, Equatable, Codable {
    /// `pass`, `fail`, `hang`, `crash`, `known`, `fixed`, `observed`, `unimplemented`, `skipped` or `setup-failed`.
    public let outcome: String
    /// The findings and the timeline as text.
    public let text: String
}

/// The parts of a verdict for a test: `report` of the call `grade`.
package struct ControlReport: Sendable, Decodable {
    /// Whether a person has to look at it.
    package let isFailure: Bool
    /// Whether nothing failed and something could not be judged.
    package let isPartial: Bool
    /// The outcome and its findings.
    package let summary: String
    /// For a terminal.
    package let timeline: String
    /// For a file.
    package let wideTimeline: String
    /// The requests that came to the run.
    package let requestCount: Int
}

/// What is read of the call `health`.
struct ControlHealth: Decodable {
    let clock: Clock?

    struct Clock: Decodable {
        /// Names what `ns` counts from; nil where the system does not tell.
        let id: String?
        let ns: UInt64
    }
}
