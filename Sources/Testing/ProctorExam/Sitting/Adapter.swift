package import ProctorEvents
package import ProctorJournal
package import ProctorProgram
package import ProctorScenario

/// A program that reads an assignment from standard input, drives a client, and writes the client's trace
/// (Docs/clients/adapters.md).
package struct Adapter: Sendable {
    /// The program and its arguments; never empty.
    package var command: [String]
    package var environment: [String: String]
    /// Whether one process is given several assignments in turn, which the adapter must support (Docs/clients/kits.md).
    package var takesManyAssignments = false
    /// The client that does assignments without an adapter; nil: the command is an adapter.
    package var client: (any AdapterlessClient)?
    /// The connection of the adapter; nil: it is started as a child.
    ///
    /// The command is then the connection's address, for reports.
    package var link: (any AdapterLink)?

    /// The variables that an adapter inherits; those of proxies and similar settings are left out.
    private static let inherited = [
        "PATH", "HOME", "TMPDIR", "USER", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME",
        // The folders in which adapters keep what they build or install at their first start.
        "XDG_CACHE_HOME", "XDG_DATA_HOME",
    ]

    /// Copies the needed variables from `environment`, usually that of this process.
    package init(command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment.filter { Self.inherited.contains($0.key) }
        self.environment["NO_PROXY"] = "*"
        self.environment["no_proxy"] = "*"
        // A backtrace takes longer than the watchdog waits, and hides the line with the reason.
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
    }
}

/// The connection of an adapter that is no child of the exam; a module above the exam has it.
package protocol AdapterLink: Sendable {
    /// Whether an adapter was waited for in vain; then it is waited for no more.
    var isAbandoned: Bool { get }

    /// Gives `listener` what happens from now on, a sentence each: refused and lost connections.
    func onNote(_ listener: @escaping @Sendable (String) -> Void)

    func noteEvent(_ sentence: String)

    /// Sends an assignment, and gives `onOutput` the trace; `settings` has the times of the watchdog.
    func ask(
        _ settings: WatchedChild, _ assignment: [UInt8], onOutput: @escaping WatchedChild.OutputReader
    ) async -> WatchedChild.Outcome

    /// Every call that waits ends.
    func close() async
}

/// A client that does an assignment without an adapter, such as a command line; a module above the exam has it.
package protocol AdapterlessClient: Sendable {
    /// Does the assignment of a case by `child`, whose command is the client's.
    ///
    /// `journal` is that of the run; the client may add what it sees at its own end.
    func perform(
        _ assignment: Assignment, of item: Case, child: WatchedChild, journal: Journal
    ) async -> AdapterlessPerformance

    /// The port of the first origin in each run, where the client knows the server by it; then one case is asked at a time.
    ///
    /// nil: the system chooses the ports.
    var runPort: UInt16? { get }

    /// Ends what lives longer than a case, behind the last one.
    func close() async
}

extension AdapterlessClient {
    package var runPort: UInt16? { nil }
    package func close() async {}
}

/// What a client without an adapter did.
package struct AdapterlessPerformance: Sendable {
    package var outcome: WatchedChild.Outcome
    /// What stands for its trace, by the journal of the run that has ended: a process may end before the server has noted
    /// the end of its reply.
    package let trace: @Sendable ([JournalEntry]) -> (header: TraceHeader, events: [TraceEvent])

    package init(
        _ outcome: WatchedChild.Outcome,
        trace: @escaping @Sendable ([JournalEntry]) -> (header: TraceHeader, events: [TraceEvent])
    ) {
        (self.outcome, self.trace) = (outcome, trace)
    }
}
