internal import ProctorBase
public import ProctorEvents
public import ProctorGrading
internal import ProctorHTTP
internal import ProctorLoop
public import ProctorProgram
public import ProctorScenario

/// One isolated life of a scenario: ports of its own, turns of its own, a journal of its own.
///
/// Safe from any thread.
///
/// The caller that makes a run ends it with ``stop(grace:)``.
public final class Run: Sendable {
    /// Unique within the server.
    public let id: String
    /// What is served, and the cases it is judged by.
    public let scenario: Scenario
    let stage: Stage
    /// Host and port of every origin, in the order of the scenario.
    let authorities: [String]
    /// The names of its origins and where each listens; empty where all have addresses alone.
    public let names: [Assignment.NamedHost]
    /// Host and port that lead to all names, by Host and as a proxy; nil where there are none.
    public let namesProxy: String?
    /// What its clients need to speak TLS with it; nil where it has no https.
    let trustFiles: TrustFiles?
    private let accepting: [Accepting]
    /// Held as long as the run.
    private let heldPorts: Locked<[any HeldPort]>
    /// The folder of its Unix sockets; nil where it has none.
    private let socketFolder: SocketFolder?
    /// The base below the shared port; nil where it has ports of its own.
    private let mountBase: String?
    /// The server's bound of an await.
    private let awaitDuration: Duration

    struct Accepting: Sendable {
        let loop: AcceptLoop
        let task: Task<Void, Never>
    }

    /// MonotonicClock nanoseconds.
    private let lastTouch = Locked(MonotonicClock.nanoseconds)
    /// Called once with the run's id, when the run has ended.
    private let onEnd: @Sendable (String) -> Void

    init(
        id: String, stage: Stage, authorities: [String], trust: TrustFiles? = nil, accepting: [Accepting],
        heldPorts: [any HeldPort], names: [Assignment.NamedHost] = [], namesProxy: String? = nil,
        socketFolder: SocketFolder? = nil, mountBase: String? = nil,
        awaitDuration: Duration, lifeSeconds: Int?,
        onEnd: @escaping @Sendable (String) -> Void
    ) {
        self.onEnd = onEnd
        trustFiles = trust
        self.names = names
        self.namesProxy = namesProxy
        self.socketFolder = socketFolder
        self.mountBase = mountBase
        self.lifeSeconds = lifeSeconds
        self.awaitDuration = awaitDuration
        self.id = id
        self.scenario = stage.scenario
        self.stage = stage
        self.authorities = authorities
        self.accepting = accepting
        self.heldPorts = Locked(heldPorts)
    }

    /// The URL of the first origin, without a slash at its end; below the shared port with the scenario's path.
    public var base: String { mountBase ?? url(ofOrigin: 0) }

    /// Whether it stands for a scenario as long as the server: its turns start over behind the last one.
    var isStanding: Bool { stage.startsOver }

    /// Path of the certificate (PEM) that clients are to trust; nil where the scenario has no https.
    public var trust: String? { trustFiles?.authority }

    private func url(ofOrigin index: Int) -> String {
        "\(scenario.origins[index].scheme.rawValue)://\(authorities[index])"
    }

    /// Every origin's name with its scheme, host and port, in the order of the scenario.
    public var origins: [(name: String, url: String)] {
        scenario.origins.indices.map { (scenario.origins[$0].name, url(ofOrigin: $0)) }
    }

    /// Seconds without activity after which the server may end the run by itself; nil for one that its maker ends.
    public let lifeSeconds: Int?

    /// Scheme, host and port of a named origin; nil when the scenario has none of that name.
    public func origin(_ name: String) -> String? {
        scenario.origins.firstIndex { $0.name == name }.map { url(ofOrigin: $0) }
    }

    /// Fills as the run is used; a snapshot of it can be judged at any time.
    public var journal: Journal { stage.journal }

    /// What late-bound text stands for in this run.
    public var context: TemplateContext {
        TemplateContext(
            base: Array(base.utf8), authorities: authorities.map { Array($0.utf8) },
            schemes: scenario.origins.map(\.scheme), trust: trustFiles, names: names, namesProxy: namesProxy)
    }

    /// What a client is to do for a case of this run, with its addresses filled in.
    public func assignment(for item: Case) throws(AssignmentFailure) -> Assignment {
        var assignment = try item.assignment(scenario: scenario.id, run: id, in: context)
        assignment.deadline += scenario.transferMilliseconds(of: item) + scenario.heldMilliseconds
        // A client that does not report what it should gets its reply late, and is no client that hangs.
        assignment.deadline += scenario.awaitMilliseconds(within: awaitDuration)
        assignment.awaited = scenario.awaitedEvents
        return assignment
    }

    /// Whether the client is known to report what it sees, so that replies wait for it in full even before its first
    /// report.
    ///
    /// Replies wait a moment only for a client of which nothing was heard.
    public var expectsReports: Bool {
        get { stage.reports.expectsReports }
        set { stage.reports.expectsReports = newValue }
    }

    /// Tells the run that its client saw an event; what waits for it goes on at once, on its own thread.
    ///
    /// The journal has an entry for each of the first 1,000 reports. `task` counts from 0 in the order in which tasks were made.
    public func reached(event: EventName, task: Int = 0) {
        stage.noteReached(event, task: task)
    }

    /// What the wire side of a case says about the journal as it is now.
    ///
    /// `result` is what a command said of its load; nil: nothing.
    public func wireVerdict(of item: Case, result: CommandResult? = nil) -> WireVerdict {
        let snapshot = journal.snapshot()
        return WireGrader(item, context: context).grade(
            snapshot.entries, droppedCount: snapshot.droppedCount, result: result)
    }

    /// The digits of the id.
    var number: Int { Int(id.dropFirst()) ?? 0 }

    /// Notes that the run was asked for, so that it is not forgotten.
    func touch() {
        lastTouch.withLock { $0 = MonotonicClock.nanoseconds }
    }

    /// Whether the run was not asked for, nothing connected and no call waits for its journal, for as long as it may live.
    func isForgotten(at now: UInt64) -> Bool {
        guard let lifeSeconds, !journal.isAwaited else { return false }
        let last = max(lastTouch.withLock { $0 }, journal.lastActivity)
        return now > last && (now - last) / 1_000_000_000 >= UInt64(lifeSeconds)
    }

    /// Back to the first turn, with an empty journal.
    public func reset() {
        stage.reset()
    }

    /// Closes the ports and ends the connections, at the latest after `grace`.
    public func stop(grace: Duration = .zero) async {
        for item in accepting { item.loop.stop(grace: grace) }
        for item in accepting { await item.task.value }
        heldPorts.withLock { $0 = [] }
        socketFolder?.remove()
        onEnd(id)
        journal.end()
    }
}
