package import ProctorEvents
package import ProctorProgram

/// A run of a scenario for one exam, whoever serves it: a server in this process, or one elsewhere.
///
/// Called from any thread.
package protocol ServedRun: Sendable {
    /// The id of the scenario.
    var scenarioID: String { get }
    /// The name of the case that judges the client.
    var caseName: String { get }
    /// The URL of the first origin, without a trailing slash.
    var base: String { get }
    /// Path of a PEM file with the authority that clients must trust; nil where the scenario has no https.
    var trust: String? { get }
    /// The names of the events that replies wait for; nil: none.
    var awaitedEvents: [String]? { get }

    /// Scheme, host and port of a named origin; nil when the scenario has no origin of that name.
    func origin(_ name: String) -> String?

    /// Promises reports, so that replies wait for the first one in full; returns at once.
    func expectReports()

    /// Reports an awaited event, before its callback continues; returns at once.
    func reached(_ event: TraceEvent)

    /// What the case's client program is to do.
    func assignment() async throws -> Assignment

    /// Judges these events, together with the journal of the run.
    func judge(_ events: [TraceEvent], at end: ExamEnd) async throws(ExamFailure) -> any ExamVerdict

    /// Closes the ports of the run; a later call does nothing. Returns why that failed, a sentence; nil: it did not.
    func stop() async -> String?
}

/// How the client of an exam ended.
package struct ExamEnd: Sendable {
    /// Milliseconds after which the client had not ended; nil: it has ended.
    package let hungAfter: Int?
    /// Whether the body still runs, so that the verdict is about this moment, and the run goes on.
    package let isCut: Bool
}

/// What came of an exam.
package protocol ExamVerdict: Sendable {
    /// Whether a person has to look at it.
    var isFailure: Bool { get }
    /// Whether a part of the case could not be judged, and nothing failed.
    var isPartial: Bool { get }
    /// The outcome with its findings.
    var summary: String { get }
    /// The timeline, for a terminal.
    var timeline: String { get }
    /// The whole timeline, for a file.
    var wideTimeline: String { get }
    /// The journal of the run, JSON lines.
    var journal: [UInt8] { get }
    /// How many requests came.
    var requestCount: Int { get }
    /// Whether the events have the server's clock.
    var isMonotonic: Bool { get }
}
