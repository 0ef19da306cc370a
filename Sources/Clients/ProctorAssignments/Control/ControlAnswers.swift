/// A run as the control API describes it.
public struct ControlRun: Sendable, Equatable, Codable {
    /// The id of the run in other calls.
    public let run: String
    /// The id of the scenario.
    public let scenario: String
    /// The URL of the scenario's first origin, without a trailing slash.
    public let base: String
    /// The URLs of all origins, by name.
    public let origins: [String: String]
    /// The names of the scenario's cases, with those run as downloads; nil: the server does not send them.
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

/// The parts of a verdict for a test: the response of the call `judge`.
package struct ControlReport: Sendable, Decodable {
    /// Whether the test must report the verdict as a failure.
    package let isFailure: Bool
    /// Whether nothing failed and a part could not be judged.
    package let isPartial: Bool
    /// The outcome and its findings.
    package let summary: String
    /// The timeline for a terminal.
    package let timeline: String
    /// The timeline for a file.
    package let wideTimeline: String
    /// The number of requests that arrived in the run.
    package let requestCount: Int
}

/// The response of the call `health`, as far as it is needed.
struct ControlHealth: Decodable {
    let clock: Clock?

    struct Clock: Decodable {
        /// An identity of the moment from which `ns` counts; nil when the system has none.
        let id: String?
        let ns: UInt64
    }
}
