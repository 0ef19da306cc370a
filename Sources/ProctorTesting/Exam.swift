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

/// One sitting of a client under test: a run of a scenario, its addresses, and where callbacks are written down.
///
/// Safe from any thread. It belongs to `withScenario`, which ends it.
public final class Exam: Sendable {
    /// What is served.
    public let scenario: Scenario
    /// What is asked.
    public let item: Case
    /// Where callbacks are written down; give it to recorders of your own.
    public let recorder = TraceRecorder()
    /// How long the body may take, and how long the exam waits behind it for tasks to end.
    public let patience: Duration
    let run: Run
    private let sessions = Locked<[Owned]>([])
    private let state = Locked((cut: Cut?.none, hasRecorders: false))

    /// A session that the exam made and ends.
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

    /// The URL of the scenario's first origin, without a slash at its end.
    public var base: String { run.base }

    /// Path of the certificate (PEM) that clients are to trust; nil where the scenario has no https.
    ///
    /// The certificate of an authority that lives as long as the test process, and that nothing else trusts.
    public var trust: String? { run.trust }

    /// An address below ``base``, or below another origin of the scenario.
    ///
    /// What a URL can't hold is percent-encoded; an origin that the scenario does not have is the first one.
    public func url(_ path: String, origin: String = "main") -> URL {
        let text = (run.origin(origin) ?? base) + path
        if let url = URL(string: text) { return url }
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? base
        return URL(string: escaped) ?? URL(fileURLWithPath: "/")
    }

    /// What the scenario's guards have said of requests so far, in order; without guards nothing.
    public var guardVerdicts: [GuardVerdict] {
        run.journal.snapshot().entries.compactMap { entry in
            if case .guarded(let verdict) = entry.event { verdict } else { nil }
        }
    }

    /// A session whose callbacks are written down before your delegate gets them, which then answers as ever.
    ///
    /// Without a delegate, questions are answered as URLSession does by itself. The exam invalidates the session in the end.
    public func session(
        delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral
    ) -> URLSession {
        configuration.connectionProxyDictionary = [:]
        let recorder = recorder(forwardingTo: delegate)
        let session = recorder.session(configuration: configuration)
        sessions.withLock { $0.append(Owned(session: session, recorder: recorder)) }
        return session
    }

    /// A delegate for a session or a task that your own code makes; see ``SessionRecorder/delegate``.
    public func recorder(
        forwardingTo delegate: (any URLSessionDelegate)? = nil, as position: SessionRecorder.Position = .session
    ) -> SessionRecorder {
        // What such a session does is reported, and so it is waited for from the first reply on.
        run.expectsReports = true
        state.withLock { $0.hasRecorders = true }
        return SessionRecorder(recordingTo: recorder, forwardingTo: delegate, as: position)
    }

    /// Does what the case's client program says, with URLSession in this process.
    ///
    /// A client that traps takes the test process with it; `proctor exam` asks such a client in a process of its own.
    @discardableResult
    public func performProgram() async throws -> AssignmentRunner.Ending {
        run.expectsReports = true
        state.withLock { $0.hasRecorders = true }
        return await AssignmentRunner(try run.assignment(for: item), recordingTo: recorder).run()
    }

    /// Waits until every task that was seen has ended and every session of the exam has said so, at most ``patience``.
    ///
    /// False when something had not ended by then.
    @discardableResult
    public func finished() async -> Bool {
        let end = ContinuousClock.now.advanced(by: patience)
        for item in sessions.withLock({ $0 }) {
            let number = recorder.number(ofSession: item.session)
            // Tasks that were resumed go on to their end.
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

    /// What was seen when the body's time was over; nil while it is not.
    var cut: Cut? { state.withLock { $0.cut } }

    func note(_ cut: Cut) { state.withLock { $0.cut = cut } }

    /// Whether the exam was asked for a session or a recorder.
    var hasRecorders: Bool { state.withLock { $0.hasRecorders } }

    /// Ends what is left of the exam's sessions.
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
    /// What was seen when the body's time was over.
    struct Cut: Sendable {
        let events: [TraceEvent]
        let journal: Journal.Snapshot
    }

    /// Ends what the body may wait for: its task, the exam's sessions, and the connections to the server.
    func cutShort(_ cancel: @Sendable () -> Void) async {
        note(Cut(events: recorder.events, journal: run.journal.snapshot()))
        cancel()
        abandonSessions()
        await run.stop()
    }

    /// Says what is known of a body that goes on although it was cancelled.
    func tellEndlessBody(at place: Testing.SourceLocation) {
        guard let cut else { return }
        let evidence = CaseEvidence(
            events: cut.events, journal: cut.journal.entries, droppedCount: cut.journal.droppedCount)
        let text = """
            the body of withScenario("\(scenario.id)") has not ended, though it was cancelled after \
            \(patience.wholeMilliseconds) ms (within:): it waits for something that knows no cancellation

            \(Timeline(evidence))
            """
        if Test.current != nil {
            Issue.record(Comment(rawValue: text), sourceLocation: place)
        } else {
            FileHandle.standardError.write(Data("\(text)\n".utf8))
        }
    }

    /// What to call so that callbacks are seen, where requests came and no callback told what became of them; nil: nothing.
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

    /// Questions are asked of the delegate even where the end is told to a completion handler.
    private static let questions: EventNameSet = [
        .created, .delayed, .waiting, .redirect, .challenge, .challengeCancelled, .needBodyStream, .bodySent, .metrics,
    ]

    private static func tellsOfReply(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter, !questions.contains(event.name) else { return false }
        return [Lane.task, .handler, .proto, .protocolClient].contains(event.lane)
    }
}
