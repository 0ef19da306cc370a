internal import ProctorBase
public import ProctorEvents
public import ProctorGrading
internal import ProctorHTTP
public import ProctorJournal
internal import ProctorLoop
package import ProctorProgram
internal import ProctorReplies
public import ProctorScenario
internal import ProctorServing

/// One isolated run of a scenario, with its own ports, turns and journal.
///
/// Safe from any thread. The caller that makes a run ends it with ``stop(grace:)``.
public final class Run: Sendable {
    /// Unique within the server.
    public let id: String
    /// The served scenario with its cases.
    public let scenario: Scenario
    let stage: Stage
    let judging: RunJudging
    let authorities: [String]
    /// The names of its origins and their addresses; empty where all origins have addresses only.
    package let names: [Assignment.NamedHost]
    /// Host and port of the proxy that leads to all names, also by Host; nil where there are no names.
    public let namesProxy: String?
    /// The files for TLS clients; nil where it has no https.
    let trustFiles: TrustFiles?
    let accepting: [AcceptLoop.Accepting]
    private let heldPorts: Locked<[any HeldPort]>
    /// Its server of DNS; nil where it has none.
    private let responder: RunningResponder?
    /// The folder of its Unix sockets; nil where it has none.
    private let socketFolder: SocketFolder?
    /// The base below the shared port; nil where it has ports of its own.
    private let mountBase: String?
    private let awaitDuration: Duration

    private let lastTouch = Locked(MonotonicClock.nanoseconds)
    /// Called once with the run's id, when the run has ended.
    private let onEnd: @Sendable (String) -> Void

    init(
        id: String, stage: Stage, authorities: [String], trust: TrustFiles? = nil,
        accepting: [AcceptLoop.Accepting] = [],
        heldPorts: [any HeldPort] = [], names: [Assignment.NamedHost] = [], namesProxy: String? = nil,
        responder: RunningResponder? = nil, socketFolder: SocketFolder? = nil, mountBase: String? = nil,
        awaitDuration: Duration, lifeSeconds: Int? = nil,
        onEnd: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.onEnd = onEnd
        trustFiles = trust
        (self.names, self.namesProxy, self.responder, self.socketFolder) = (names, namesProxy, responder, socketFolder)
        (self.mountBase, self.lifeSeconds, self.awaitDuration, self.id) = (mountBase, lifeSeconds, awaitDuration, id)
        self.scenario = stage.scenario
        self.stage = stage
        judging = stage.companion(RunJudging.self) ?? RunJudging()
        (self.authorities, self.accepting) = (authorities, accepting)
        self.heldPorts = Locked(heldPorts)
    }

    /// The URL of the first origin, without a trailing slash; below the shared port it includes the scenario's path.
    public var base: String { mountBase ?? url(ofOrigin: 0) }

    /// Whether it is a permanent run of the server, whose turns repeat after the last one.
    package var isStanding: Bool { stage.startsOver }

    /// Whether its requests come to the shared port, where `{{base}}` is made of their Host.
    package var isOnSharedPort: Bool { stage.addresses.mountPath != nil }

    /// Path of the certificate (PEM) that clients must trust; nil where the scenario has no https.
    public var trust: String? { trustFiles?.authority }

    /// The folder of that certificate, with those of clients below it; nil as ``trust`` is.
    package var trustFolder: String? {
        trust.map { path in path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
    }

    package func url(ofOrigin index: Int) -> String {
        "\(scenario.origins[index].scheme.rawValue)://\(authorities[index])"
    }

    /// The name of every origin with its URL (scheme, host and port), in the order of the scenario.
    public var origins: [(name: String, url: String)] {
        scenario.origins.indices.map { (scenario.origins[$0].name, url(ofOrigin: $0)) }
    }

    /// Seconds without activity after which the server ends the run; nil: only its caller ends it.
    public let lifeSeconds: Int?

    /// Scheme, host and port of a named origin; nil when the scenario has no origin of that name.
    public func origin(_ name: String) -> String? {
        scenario.origins.firstIndex { $0.name == name }.map { url(ofOrigin: $0) }
    }

    /// The journal, which grows while the run is used; a snapshot can be judged at any time.
    public var journal: Journal { stage.journal }

    package var context: TemplateContext {
        TemplateContext(
            base: Array(base.utf8), authorities: authorities.map { Array($0.utf8) },
            schemes: scenario.origins.map(\.scheme), trust: trustFiles, names: names, namesProxy: namesProxy,
            resolver: resolver)
    }

    /// Address of its server of DNS, over UDP and TCP; nil: none.
    package var resolver: String? { responder?.address }

    /// The assignment of a case for a client, with the addresses of this run.
    package func assignment(for item: Case) throws(AssignmentFailure) -> Assignment {
        var assignment = try item.asked(inRunOf: wantedProtocol).assignment(scenario: scenario.id, run: id, in: context)
        assignment.deadline += scenario.transferMilliseconds(of: item) + scenario.heldMilliseconds
        // A client without reports gets its reply late, which is no hang of the client.
        assignment.deadline += scenario.awaitMilliseconds(within: awaitDuration)
        assignment.awaited = scenario.awaitedEvents
        assignment.session.evaluatesTrust = scenario.origins.contains { $0.hasTLSOfRun && $0.role == .server }
        return assignment
    }

    /// What origins without `protocols` of their own speak.
    package var wantedProtocol: RunProtocol { stage.wantedProtocol }

    /// Why the case can't be asked over the protocol of the run; nil where it can.
    package func refusal(of item: Case) -> ProtocolRefusal? {
        ProtocolRefusal(of: item, in: scenario, speaking: wantedProtocol)
    }

    /// Whether the client has promised reports, so that replies wait in full even before its first report; otherwise
    /// replies wait only a moment.
    package var expectsReports: Bool {
        get { stage.reports.expectsReports }
        set { stage.reports.expectsReports = newValue }
    }

    /// Reports that the run's client saw an event; replies that wait for the event go on at once.
    ///
    /// The journal has an entry for each of the first 1,000 reports. `task` counts from 0 in the order in which tasks
    /// were made.
    public func reached(event: EventName, task: Int = 0) {
        stage.noteReached(event, task: task)
    }

    /// Judges the wire part of a case by the journal as it is now.
    ///
    /// `result` is the outcome of a command's load; nil: unknown.
    public func wireVerdict(of item: Case, result: CommandResult? = nil) -> WireVerdict {
        wireVerdict(of: item, journal.snapshot(), result: result, within: WorkBudget(stepLimit: CaseGrader.stepLimit))
    }

    func wireVerdict(
        of item: Case, _ snapshot: Journal.Snapshot, result: CommandResult? = nil, within budget: WorkBudget
    ) -> WireVerdict {
        WireGrader(item, context: context).grade(
            snapshot.entries, droppedCount: snapshot.droppedCount, result: result, within: budget
        ).naming(UnaskedExchanges(of: scenario, in: snapshot.entries))
    }

    /// Judges the journal by what holds for every run, and by what no request asked for.
    package func wireVerdictWithoutCase(_ snapshot: Journal.Snapshot) -> WireVerdict {
        wireVerdictWithoutCase(snapshot, within: WorkBudget(stepLimit: CaseGrader.stepLimit))
    }

    func wireVerdictWithoutCase(_ snapshot: Journal.Snapshot, within budget: WorkBudget) -> WireVerdict {
        WireGrader.gradeWithoutCase(
            snapshot.entries, droppedCount: snapshot.droppedCount, of: scenario, context: context, within: budget)
    }

    /// What the run takes at random depends on it alone, so that a run with the same seed does the same again.
    public var seed: UInt64 { stage.seed.value }

    /// Traces of its client that were judged, behind the one of that number, each as one object of JSON.
    package func judgedTraces(after number: Int) -> [(number: Int, json: [UInt8])] {
        judging.traces(after: number).map { ($0.number, $0.json) }
    }

    /// Shows a judged trace of its client to whoever watches the run.
    package func addJudgedTrace(_ json: [UInt8]) { judging.addTrace(json) }

    /// The known deviations of its client; nil: none.
    package func setLedger(_ ledger: Ledger?) { judging.changeSetup { $0.ledger = ledger } }

    package var number: Int { Int(id.dropFirst()) ?? 0 }

    /// Notes an access, which restarts ``lifeSeconds``.
    package func touch() {
        lastTouch.withLock { $0 = MonotonicClock.nanoseconds }
    }

    /// Whether ``lifeSeconds`` have passed without an access, a connection, or a call that waits for its journal.
    func isForgotten(at now: UInt64) -> Bool {
        guard let end, !journal.isAwaited else { return false }
        return now >= end
    }

    /// The earliest time at which ``isForgotten(at:)`` can become true, in MonotonicClock nanoseconds; nil: never.
    func earliestEnd(at now: UInt64) -> UInt64? {
        // The end of a call that waits for the journal restarts nothing.
        end.map { max($0, now &+ Self.shortestWatch) }
    }

    private static let shortestWatch: UInt64 = 1_000_000_000

    private var end: UInt64? {
        guard let lifeSeconds else { return nil }
        return max(lastTouch.withLock { $0 }, journal.lastActivity) &+ UInt64(lifeSeconds) &* 1_000_000_000
    }

    /// Restores the first turn and empties the journal.
    public func reset() {
        stage.reset()
    }

    /// Closes the ports and ends the connections, at the latest after `grace`.
    public func stop(grace: Duration = .zero) async {
        await accepting.stop(grace: grace)
        await responder?.stop()
        heldPorts.withLock { $0 = [] }
        socketFolder?.remove()
        onEnd(id)
        journal.close()
    }
}
