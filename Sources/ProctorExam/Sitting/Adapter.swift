internal import ProctorBase
internal import ProctorEvents
internal import ProctorServer

/// A program that reads an assignment from standard input, drives a client, and writes the client's trace
/// (Docs/adapters.md).
package struct Adapter: Sendable {
    /// The program and its arguments; never empty.
    package var command: [String]
    package var environment: [String: String]
    /// Whether one process is given several assignments in turn, which the adapter must support (Docs/adapters.md).
    package var takesManyAssignments = false

    /// Variables that are passed to an adapter; proxies and similar settings are not.
    private static let inherited = [
        "PATH", "HOME", "TMPDIR", "USER", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME",
    ]

    /// Takes the needed variables from `environment`, usually this process's.
    package init(command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment.filter { Self.inherited.contains($0.key) }
        self.environment["NO_PROXY"] = "*"
        self.environment["no_proxy"] = "*"
        // A backtrace takes longer than the watchdog waits, and hides the line with the reason.
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
    }
}

/// Reads an adapter's trace while it is written, and reports the events that replies wait for; where an adapter delays
/// its lines, each wait lasts to its bound, and the verdict is the same.
final class AdapterReports: Sendable {
    private let names: [String]
    private let run: Run
    private let state: Locked<State>

    fileprivate struct State {
        var reader = TraceReader()
        /// nil until the header has named the events that the client reports.
        var awaited: AwaitedEvents?
    }

    /// nil where no reply waits for events.
    init?(of names: [String]?, to run: Run) {
        guard let names, !names.isEmpty else { return nil }
        self.names = names
        self.run = run
        state = Locked(State())
    }

    /// Takes the next bytes of standard output, cut anywhere.
    func take(_ bytes: ArraySlice<UInt8>) {
        let (events, lanes) = state.withLock { state in state.take(Array(bytes), names) }
        // A client that reports only results is not waited for longer.
        if let lanes, AwaitedEvents.canBeReported(in: lanes) { run.expectsReports = true }
        for event in events { run.reached(event: event.name, task: event.task) }
    }
}

extension AdapterReports.State {
    /// The awaited events in these bytes, and the client's lanes when its header is among them.
    fileprivate mutating func take(_ bytes: [UInt8], _ names: [String]) -> ([TraceEvent], lanes: [Lane]?) {
        var events: [TraceEvent] = []
        let wasHeaded = reader.header != nil
        var offset = 0
        while offset < bytes.count {
            // The error is reported when the sitting is judged; later lines may be valid.
            guard let event = try? reader.next(bytes.span, at: &offset) else { continue }
            if awaited == nil { awaited = AwaitedEvents(names, lanes: reader.header?.lanes ?? Lane.allCases) }
            if awaited?.contains(event) == true { events.append(event) }
        }
        return (events, wasHeaded ? nil : reader.header?.lanes)
    }
}
