public import Foundation
internal import ProctorBase
internal import ProctorEvents
public import ProctorProgram
public import ProctorRecorder

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One exam of a client under test: a run of a scenario, its addresses, and the record of callbacks.
///
/// Safe from any thread. `withScenario` makes the exam and ends it.
public final class Exam: Sendable {
    /// Records callbacks; pass it to recorders of your own.
    public let recorder: TraceRecorder
    /// The longest duration of the body, and then of the wait for its tasks, on an idle machine; on a busy one up to twenty times
    /// as long, by how much longer work takes there.
    public let patience: Duration
    /// Who serves the scenario.
    package let run: any ServedRun
    private let sessions = Locked<[Owned]>([])
    private let state = Locked((cut: Cut?.none, hasRecorders: false, loadCount: 0))

    private struct Owned: Sendable {
        let session: URLSession
        let recorder: SessionRecorder
    }

    package init(_ run: any ServedRun, patience: Duration, clock: RecordingClock = .system) {
        recorder = TraceRecorder(clock: clock)
        (self.run, self.patience) = (run, patience)
        guard let awaited = AwaitedEvents(run.awaitedEvents) else { return }
        recorder.observe { [run] event in
            if awaited.contains(event) { run.reached(event) }
        }
    }

    /// The id of the served scenario.
    public var scenarioID: String { run.scenarioID }

    /// The name of the case that judges the client.
    public var caseName: String { run.caseName }

    /// The URL of the scenario's first origin, without a trailing slash.
    public var base: String { run.base }

    /// Path of the certificate (PEM) that clients must trust; nil where the scenario has no https.
    ///
    /// The file exists at least until the exam ends.
    public var trust: String? { run.trust }

    /// The certificate of ``trust`` as DER, for `SecCertificateCreateWithData` and similar functions; nil where
    /// ``trust`` is nil.
    public var trustAnchor: Data? {
        run.trust.flatMap { AssignedFile.text(at: $0) }.flatMap { AssignedFile.firstCertificate(in: $0) }
    }

    /// An address below ``base``, or below another origin of the scenario.
    ///
    /// Characters that a URL can't have are percent-encoded; an unknown origin means the first one.
    public func url(_ path: String, origin: String = "main") -> URL {
        let text = (run.origin(origin) ?? base) + path
        if let url = URL(string: text) { return url }
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? base
        return URL(string: escaped) ?? URL(fileURLWithPath: "/")
    }

    /// An address for a WebSocket, below ``base`` or another origin: `ws:`, or `wss:` where the origin speaks TLS.
    ///
    /// The path and the origin are those of ``url(_:origin:)``.
    public func webSocketURL(_ path: String, origin: String = "main") -> URL {
        let address = url(path, origin: origin)
        return URL(string: "ws" + address.absoluteString.dropFirst("http".count)) ?? address
    }

    /// Makes a session that records each callback before your delegate gets it.
    ///
    /// Without a delegate, challenges get URLSession's default answers. The exam invalidates the session when it ends.
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

    /// Announces that a recorded session reports its events, so that replies wait the full time for the first one.
    package func expectReports() {
        run.expectReports()
        state.withLock { $0.hasRecorders = true }
    }

    /// The number of the next load that a client makes without URLSession, from 0.
    package func takeLoadNumber() -> Int {
        state.withLock { state in
            defer { state.loadCount += 1 }
            return state.loadCount
        }
    }

    /// The assignment of the case: the client program with the addresses of the run.
    ///
    /// Where the server is elsewhere, files are `data:` URLs (``ProctorProgram/Assignment/Identity``).
    public func assignment() async throws -> Assignment { try await run.assignment() }

    /// Waits until every recorded task has ended and every session of the exam is invalid, at most ``patience``.
    ///
    /// Returns false when ``patience`` was over first.
    @discardableResult
    public func finished() async -> Bool {
        var time = LoadAdjustedTime(patience)
        for item in sessions.withLock({ $0 }) {
            let number = recorder.sessionNumber(of: item.session)
            // Resumed tasks run to their end.
            item.recorder.invalidate(item.session)
            let goodbye = await recorder.event(within: &time) { event in
                event.name == .sessionInvalid && event.task == number
            }
            guard goodbye != nil else { return false }
            // URLSession on Linux tells of the end once for each call.
            sessions.withLock { sessions in sessions.removeAll { $0.session === item.session } }
        }
        while let open = Self.openTask(in: recorder.events) {
            let last = await recorder.event(within: &time) { event in
                event.task == open && Self.isEnd(event)
            }
            guard last != nil else { return false }
        }
        // A session that the body has invalidated itself tells of its end a moment later, too.
        while let invalidated = Self.leavingSession(in: recorder.events) {
            let goodbye = await recorder.event(within: &time) { event in
                event.name == .sessionInvalid && event.task == invalidated.task
            }
            guard goodbye != nil else { return false }
        }
        return true
    }

    /// Waits for ``patience``; false when the task is cancelled before.
    func waitOutPatience() async -> Bool {
        var time = LoadAdjustedTime(patience)
        while let slice = time.nextSlice() {
            guard (try? await Task.sleep(for: slice)) != nil else { return false }
        }
        return true
    }

    /// The events that were recorded when the body's time was over; nil before.
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

    /// The invalidation of a session that has not told of its end yet.
    private static func leavingSession(in events: [TraceEvent]) -> TraceEvent? {
        let gone = Set(events.filter { $0.name == .sessionInvalid }.map(\.task))
        return events.first { $0.name == .invalidate && !gone.contains($0.task) }
    }

    private static func isEnd(_ event: TraceEvent) -> Bool {
        guard event.phase == .enter else { return false }
        return event.lane == .handler || event.lane == .task && (event.family ?? .sessionData).isEnded(by: event.name)
    }
}

extension Exam {
    /// The state of the exam when the body's time was over.
    struct Cut: Sendable {
        let events: [TraceEvent]
        let judged: Result<any ExamVerdict, ExamFailure>
    }

    /// Grades the events recorded so far, then ends everything that the body may wait for: its task, the exam's
    /// sessions, and the connections to the server.
    func cutShort(_ cancel: @Sendable () -> Void) async {
        let events = recorder.events
        let judged = await judge(events, at: ExamEnd(hungAfter: patience.wholeMilliseconds, isCut: true))
        state.withLock { $0.cut = Cut(events: events, judged: judged) }
        cancel()
        abandonSessions()
        _ = await run.stop()
    }

    func judge(_ events: [TraceEvent], at end: ExamEnd) async -> Result<any ExamVerdict, ExamFailure> {
        do throws(ExamFailure) {
            return .success(try await run.judge(events, at: end))
        } catch {
            return .failure(error)
        }
    }
}

extension TraceRecorder {
    /// The first matching event; nil when the time is over or the task is cancelled.
    fileprivate func event(
        within time: inout LoadAdjustedTime, where isMeant: @escaping @Sendable (TraceEvent) -> Bool
    ) async -> TraceEvent? {
        while !Task.isCancelled, let slice = time.nextSlice() {
            if let event = await event(within: slice, where: isMeant) { return event }
        }
        return nil
    }
}
