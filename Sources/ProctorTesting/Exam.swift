public import Foundation
internal import ProctorBase
import ProctorEvents
internal import ProctorGrading
public import ProctorJournal
public import ProctorRecorder
public import ProctorScenario
internal import ProctorServer
internal import Testing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One sitting of a client under test: a run of a scenario, its addresses, and the record of callbacks.
///
/// Safe from any thread. `withScenario` makes it and ends it.
public final class Exam: Sendable {
    /// The served scenario.
    public let scenario: Scenario
    /// The case that judges the client.
    public let item: Case
    /// Records callbacks; pass it to recorders of your own.
    public let recorder = TraceRecorder()
    /// The longest duration of the body, and of the wait for tasks after it.
    public let patience: Duration
    let run: Run
    private let sessions = Locked<[Owned]>([])
    private let state = Locked((cut: Cut?.none, hasRecorders: false))

    private struct Owned: Sendable {
        let session: URLSession
        let recorder: SessionRecorder
    }

    init(scenario: Scenario, item: Case, run: Run, patience: Duration) {
        self.scenario = scenario
        self.item = item
        self.run = run
        self.patience = patience
        guard let awaited = AwaitedEvents(scenario.awaitedEvents) else { return }
        recorder.observe { [run] event in
            if !run.expectsReports { run.expectsReports = true }
            if awaited.contains(event) { run.reached(event: event.name, task: event.task) }
        }
    }

    /// The URL of the scenario's first origin, without a trailing slash.
    public var base: String { run.base }

    /// Path of the certificate (PEM) that clients must trust; nil where the scenario has no https.
    ///
    /// Its authority lives as long as the test process.
    public var trust: String? { run.trust }

    /// An address below ``base``, or below another origin of the scenario.
    ///
    /// Characters that a URL can't have are percent-encoded; an unknown origin means the first one.
    public func url(_ path: String, origin: String = "main") -> URL {
        let text = (run.origin(origin) ?? base) + path
        if let url = URL(string: text) { return url }
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? base
        return URL(string: escaped) ?? URL(fileURLWithPath: "/")
    }

    /// The verdicts of the scenario's guards so far, in order; empty without guards.
    public var guardVerdicts: [GuardVerdict] {
        run.journal.snapshot().entries.compactMap { entry in
            if case .guarded(let verdict) = entry.event { verdict } else { nil }
        }
    }

    /// Makes a session that records each callback before your delegate gets it.
    ///
    /// Without a delegate, challenges get URLSession's default answers. The exam invalidates the session at its end.
    public func session(
        delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral
    ) -> URLSession {
        configuration.connectionProxyDictionary = [:]
        let recorder = recorder(forwardingTo: delegate)
        let session = recorder.session(configuration: configuration)
        sessions.withLock { $0.append(Owned(session: session, recorder: recorder)) }
        return session
    }

    /// A recording delegate for a session or task that your own code makes; see ``SessionRecorder/delegate``.
    public func recorder(
        forwardingTo delegate: (any URLSessionDelegate)? = nil, as position: SessionRecorder.Position = .session
    ) -> SessionRecorder {
        expectReports()
        return SessionRecorder(recordingTo: recorder, forwardingTo: delegate, as: position)
    }

    /// A recorded session reports its events, so replies wait for them from the first one.
    private func expectReports() {
        run.expectsReports = true
        state.withLock { $0.hasRecorders = true }
    }

    /// Runs the case's client program with URLSession in this process.
    ///
    /// A client that traps ends the test process; `proctor exam` runs such a client in another process.
    @discardableResult
    public func performProgram() async throws -> AssignmentRunner.Ending {
        guard !scenario.cases.isEmpty else {
            throw ExamFailure("\(scenario.id) has no case, and so no program: drive a client of your own")
        }
        expectReports()
        return await AssignmentRunner(try run.assignment(for: item), recordingTo: recorder).run()
    }

    /// Waits until every recorded task has ended and every session of the exam is invalid, at most ``patience``.
    ///
    /// Returns false when the time was over first.
    @discardableResult
    public func finished() async -> Bool {
        let end = ContinuousClock.now.advanced(by: patience)
        for item in sessions.withLock({ $0 }) {
            let number = recorder.number(ofSession: item.session)
            // Resumed tasks run to their end.
            item.recorder.invalidate(item.session)
            let goodbye = await recorder.event(within: ContinuousClock.now.duration(to: end)) { event in
                event.name == .sessionInvalid && event.task == number
            }
            guard goodbye != nil else { return false }
        }
        while let open = Self.openTask(in: recorder.events) {
            let last = await recorder.event(within: ContinuousClock.now.duration(to: end)) { event in
                event.task == open && Self.isEnd(event)
            }
            guard last != nil else { return false }
        }
        return true
    }

    /// The events when the body's time was over; nil before.
    var cut: Cut? { state.withLock { $0.cut } }

    var hasRecorders: Bool { state.withLock { $0.hasRecorders } }

    func abandonSessions() {
        let owned = sessions.withLock { sessions in
            defer { sessions = [] }
            return sessions
        }
        for item in owned { item.session.invalidateAndCancel() }
    }

    private static func openTask(in events: [TraceEvent]) -> Int? {
        let ended = Set(events.filter(isEnd).map(\.task))
        return events.first { $0.lane == .task && !ended.contains($0.task) }?.task
    }

    private static func isEnd(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter else { return false }
        return event.lane == .handler || event.lane == .task && (event.family ?? .sessionData).isEnded(by: event.name)
    }
}

extension Exam {
    struct Cut: Sendable {
        let events: [TraceEvent]
        let journal: Journal.Snapshot
    }

    /// Ends everything that the body may wait for: its task, the exam's sessions, and the connections to the server.
    func cutShort(_ cancel: @Sendable () -> Void) async {
        let cut = Cut(events: recorder.events, journal: run.journal.snapshot())
        state.withLock { $0.cut = cut }
        cancel()
        abandonSessions()
        await run.stop()
    }

    func tellEndlessBody(at place: Testing.SourceLocation) {
        guard let cut else { return }
        let evidence = CaseEvidence(
            events: cut.events, journal: cut.journal.entries, droppedCount: cut.journal.droppedCount)
        tell(
            """
            the body of withScenario("\(scenario.id)") has not ended, though it was cancelled after \
            \(patience.wholeMilliseconds) ms (within:): it waits for something that knows no cancellation

            \(Timeline(evidence))
            """, at: place)
    }

    /// Advice for recording callbacks, where requests came without callbacks; else nil.
    func hint(on evidence: CaseEvidence) -> String? {
        let count = (evidence.journal ?? []).count { entry in
            if case .requestHead = entry.event { true } else { false }
        }
        guard count > 0, !evidence.events.contains(where: Self.tellsOfReply) else { return nil }
        let came = count == 1 ? "1 request came" : "\(count) requests came"
        guard hasRecorders else {
            return """
                \(came), and no session reports to the exam: make the session with exam.session(delegate:), or give yours a \
                delegate of exam.recorder(forwardingTo:).
                """
        }
        return """
            \(came), and no session of the exam told what became of them. URLSession tells a delegate nothing of a task that \
            is awaited or has a completion handler. With
                let recorder = exam.recorder()
                let session = recorder.session()
            call recorder.data(for: request, in: session) instead of session.data(for: request), and
            recorder.dataTask(in: session, with: request) { … } instead of session.dataTask(with: request) { … }.
            """
    }

    /// The delegate gets challenges even with a completion handler.
    private static let questions: EventNameSet = [
        .created, .delayed, .waiting, .redirect, .challenge, .challengeCancelled, .needBodyStream, .bodySent, .metrics,
    ]

    private static func tellsOfReply(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter, !questions.contains(event.name) else { return false }
        return [Lane.task, .handler, .proto, .protocolClient].contains(event.lane)
    }
}
