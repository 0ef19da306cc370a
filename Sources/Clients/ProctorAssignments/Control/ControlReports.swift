internal import ProctorBase
package import ProctorEvents
public import ProctorProgram
public import ProctorRecorder

/// Reports the events that a scenario waits for to a remote server, as a recorder records them.
///
/// A task sends the reports one after the other, so that no callback waits for the network. After the first failure no
/// more are sent, and the server's replies wait until their time limits.
public final class ControlReports: Sendable {
    private let client: ControlClient
    private let run: String
    private let state = Locked(State())

    private struct State {
        var waiting: [Report] = []
        var sending: Task<Void, Never>?
        var failure: ControlFailure?
    }

    private struct Report: Sendable {
        let event: EventName
        let task: Int
        var count: Int
    }

    /// The most events of one call of the control API.
    private static let mostEvents = 1_000
    /// The most unsent reports; further ones are dropped.
    private static let mostWaiting = 1_000

    /// Observes the recorder from now on; nil when the scenario waits for no event, or the assignment has no run.
    public init?(of recorder: TraceRecorder, for assignment: Assignment, to client: ControlClient) {
        guard let run = assignment.run, let awaited = AwaitedEvents(assignment.awaited) else { return nil }
        (self.client, self.run) = (client, run)
        recorder.observe { [weak self] event in
            if awaited.contains(event) { self?.report(event) }
        }
    }

    /// Makes an object that observes no recorder.
    package init(of run: String, to client: ControlClient) {
        (self.client, self.run) = (client, run)
    }

    /// Announces the reports, so that the server waits for the first one for the full time; await it before the first
    /// request.
    public func start() async {
        await send(Self.announcement)
    }

    /// Announces the reports as ``start()`` does, and returns at once.
    package func announce() { enqueue(Self.announcement) }

    private static let announcement = Report(event: .response, task: 0, count: 0)

    /// Returns when every report has been sent or dropped.
    ///
    /// Returns why reports were dropped, or nil when none was.
    @discardableResult
    public func finish() async -> ControlFailure? {
        while let task = state.withLock({ $0.sending }) { await task.value }
        return state.withLock { $0.failure }
    }

    /// Appends the report of an awaited event, and returns at once.
    package func report(_ event: TraceEvent) { enqueue(Report(event: event.name, task: event.task, count: 1)) }

    private func enqueue(_ report: Report) {
        state.withLock { state in
            guard state.failure == nil else { return }
            let last = state.waiting.count - 1
            if last >= 0, state.waiting[last].event == report.event, state.waiting[last].task == report.task,
                state.waiting[last].count < Self.mostEvents
            {
                state.waiting[last].count += report.count
            } else if state.waiting.count < Self.mostWaiting {
                state.waiting.append(report)
            }
            if state.sending == nil { state.sending = Task { await self.sendWaiting() } }
        }
    }

    private func sendWaiting() async {
        while let report = next() { await send(report) }
    }

    /// The next report; nil ends the sending task, and the next event starts another one.
    private func next() -> Report? {
        state.withLock { state in
            guard state.failure == nil, !state.waiting.isEmpty else {
                state.waiting = []
                state.sending = nil
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func send(_ report: Report) async {
        do throws(ControlFailure) {
            try await client.reached(report.event, task: report.task, count: report.count, in: run)
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
