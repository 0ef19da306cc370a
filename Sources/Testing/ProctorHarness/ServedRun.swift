package import ProctorEvents
package import ProctorProgram

/// A run of a scenario for one exam, on a server in this process or elsewhere.
///
/// Called from any thread.
package protocol ServedRun: Sendable {
    var scenarioID: String { get }
    /// The name of the case that judges the client.
    var caseName: String { get }
    /// The URL of the first origin, without a trailing slash.
    var base: String { get }
    /// Path of a PEM file with the authority that clients must trust; nil where the scenario has no https.
    var trust: String? { get }
    /// The names of the events that replies wait for; nil: none.
    var awaitedEvents: [String]? { get }
    /// A command that runs the case again, for the report of a failure; nil: the test's own name is enough.
    var again: String? { get }

    /// Scheme, host and port of a named origin; nil when the scenario has no origin of that name.
    func origin(_ name: String) -> String?

    /// Announces that the client reports its events, so that replies wait the full time for the first one.
    ///
    /// Returns at once.
    func expectReports()

    /// Reports an awaited event, before its callback continues; returns at once.
    func reached(_ event: TraceEvent)

    /// The assignment of the case: its client program with the addresses of the run.
    func assignment() async throws -> Assignment

    /// Grades these events together with the journal of the run.
    func judge(_ events: [TraceEvent], at end: ExamEnd) async throws(ExamFailure) -> any ExamVerdict

    /// Closes the ports of the run; a later call does nothing.
    ///
    /// Returns a sentence when that failed, else nil.
    func stop() async -> String?
}

extension ServedRun {
    package var again: String? { nil }
}

/// How the client was when the exam ended.
package struct ExamEnd: Sendable {
    /// Milliseconds after which the client was still running; nil: it has ended.
    package let hungAfter: Int?
    /// Whether the body is still running: the verdict is about the events so far, and the run continues.
    package let isCut: Bool
}

/// The result of an exam.
package protocol ExamVerdict: Sendable {
    /// Whether the test must report the verdict as a failure.
    var isFailure: Bool { get }
    /// Whether a part of the case could not be graded, and nothing failed.
    var isPartial: Bool { get }
    /// The outcome with its findings.
    var summary: String { get }
    /// The timeline, for a terminal.
    var timeline: String { get }
    /// The timeline without a limit on its width, for a file.
    var wideTimeline: String { get }
    /// The journal of the run, JSON lines.
    var journal: [UInt8] { get }
    /// The number of requests that arrived.
    var requestCount: Int { get }
    /// Whether the events have times of the server's clock.
    var isMonotonic: Bool { get }
}
