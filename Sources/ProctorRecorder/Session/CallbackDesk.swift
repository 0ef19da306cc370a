internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What every delegate method does: writes down that it begins and returns, and does what the program wants there.
struct CallbackDesk: Sendable {
    let recorder: TraceRecorder
    let roles: TaskRoles
    /// `session` or `task`: whose delegate it is.
    let who: String

    /// One call of a delegate method; ends with ``returns()``.
    struct Call {
        let role: TaskRole?
        let recorded: RecordedCallback
        /// Whether the program cancelled the task in this callback, so that there is nothing to answer.
        var isCancelled = false

        func returns() { recorded.returns() }
    }

    /// Writes the beginning of a callback of a task.
    func enter(
        _ name: EventName, _ argument: String? = nil, of task: URLSessionTask, in session: URLSession,
        method: String, facts: EventFacts = []
    ) -> Call {
        let role = roles.role(of: task)
        let recorded = RecordedCallback(
            TraceEvent(
                lane: .task, task: role.number, name: name, argument: argument, queue: QueueLabel.current(for: session),
                family: role.family, facts: facts.appending(origin(method))),
            recordedBy: recorder)
        var call = Call(role: role, recorded: recorded)
        call.isCancelled = act(on: name, role: role, task: task)
        return call
    }

    /// Writes the beginning of a callback of a session.
    func enter(
        _ name: EventName, _ argument: String? = nil, in session: URLSession, method: String, facts: EventFacts = []
    ) -> Call {
        let recorded = RecordedCallback(
            TraceEvent(
                lane: .session, task: recorder.number(ofSession: session), name: name, argument: argument,
                queue: QueueLabel.current(for: session), facts: facts.appending(origin(method))),
            recordedBy: recorder)
        return Call(role: nil, recorded: recorded)
    }

    private func origin(_ method: String) -> EventFacts {
        [EventFact(.who, .text(who)), EventFact(.sel, .text(method))]
    }

    /// Does what the program wants in the callback of an event; true when it cancelled.
    private func act(on event: EventName, role: TaskRole, task: URLSessionTask) -> Bool {
        let isNow = role.count(event)
        if let end = role.sessionEnd, isNow(end.moment) { end.end() }
        if let step = role.step, isNow(step.suspendAt) { TaskActs(recorder: recorder).suspend(task, role: role) }
        guard let step = role.step, isNow(step.cancelAt) else { return false }
        TaskActs(recorder: recorder).cancel(task, role: role)
        return true
    }
}
