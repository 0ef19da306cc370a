internal import ProctorBase
internal import ProctorEvents
internal import ProctorServer

/// A program that takes an assignment on standard input, drives a client, and writes the client's trace.
///
/// Docs/adapters.md says what is expected of one.
public struct Adapter: Sendable {
    /// The program and its arguments; never empty.
    public var command: [String]
    /// What it finds in its environment.
    public var environment: [String: String]
    /// Whether one process is given one assignment after the other; the adapter has to know how (Docs/adapters.md).
    public var takesManyAssignments = false

    /// Names that an adapter needs of its surroundings; proxies and their like are kept from it.
    private static let inherited = [
        "PATH", "HOME", "TMPDIR", "USER", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME",
    ]

    /// Takes what it needs from `environment`, which is usually this process's.
    public init(command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment.filter { Self.inherited.contains($0.key) }
        self.environment["NO_PROXY"] = "*"
        self.environment["no_proxy"] = "*"
        // A backtrace takes longer than the watchdog likes, and hides the line that says what happened.
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
    }
}

/// Reads an adapter's trace while it is being written, and tells the run of the events that its replies wait for.
///
/// An adapter that keeps its lines back is waited for in vain, until the bound of each wait, and passes or fails as ever.
final class AdapterReports: Sendable {
    private let names: [String]
    private let run: Run
    private let state: Locked<State>

    fileprivate struct State {
        var reader = TraceReader()
        /// nil until the header has said what the client reports.
        var awaited: AwaitedEvents?
    }

    /// nil where nothing is awaited, so that nothing has to be read.
    init?(of names: [String]?, to run: Run) {
        guard let names, !names.isEmpty else { return nil }
        self.names = names
        self.run = run
        state = Locked(State())
    }

    /// Takes the next bytes of standard output, cut anywhere.
    func take(_ bytes: ArraySlice<UInt8>) {
        let (events, lanes) = state.withLock { state in state.take(Array(bytes), names) }
        // A client that shows its results alone is waited for no longer than one that says nothing.
        if let lanes, AwaitedEvents.canBeReported(in: lanes) { run.expectsReports = true }
        for event in events { run.reached(event: event.name, task: event.task) }
    }
}

extension AdapterReports.State {
    /// The awaited events in these bytes, and the lanes of the client when its header is among them.
    fileprivate mutating func take(_ bytes: [UInt8], _ names: [String]) -> ([TraceEvent], lanes: [Lane]?) {
        var events: [TraceEvent] = []
        let wasHeaded = reader.header != nil
        var offset = 0
        while offset < bytes.count {
            // What can't be read is told when the sitting is judged; the lines behind it may be good.
            guard let event = try? reader.next(bytes.span, at: &offset) else { continue }
            if awaited == nil { awaited = AwaitedEvents(names, lanes: reader.header?.lanes ?? Lane.allCases) }
            if awaited?.contains(event) == true { events.append(event) }
        }
        return (events, wasHeaded ? nil : reader.header?.lanes)
    }
}
