public import Foundation
internal import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Records the beginning and the return of every callback of a session or a task.
///
/// A user's delegate answers the questions (``init(recordingTo:forwardingTo:as:)``), or a step's program; else the
/// answers are those without a delegate. Pass ``delegate`` to a session or a task.
public final class SessionRecorder: Sendable {
    private let callbacks: SessionCallbacks

    /// The recorder of the trace.
    public var recorder: TraceRecorder { records.recorder }
    var records: TaskRecords { callbacks.records }

    /// The kind of delegate that a recorder stands in for; the fact `who` in a trace.
    public enum Position: String, Sendable {
        /// The delegate of a session.
        case session
        /// The delegate of a task or an `async` method; it never receives calls about the session.
        case task
    }

    /// Records the calls of `delegate`, which gives all answers; without a delegate, each call has its default.
    ///
    /// Methods that `delegate` lacks have the effect of missing methods; on Darwin a challenge or a body stream is then
    /// not recorded. Recorders of one session need the same `recorder`.
    public init(
        recordingTo recorder: TraceRecorder = TraceRecorder(),
        forwardingTo delegate: (any URLSessionDelegate)? = nil, as position: Position = .session
    ) {
        callbacks = SessionCallbacks(
            records: TaskRecords(recorder: recorder), user: delegate.map { UserDelegate(object: $0) },
            position: position, answersChallenges: true)
    }

    /// Records the calls of a session of a program, whose records answer them; `without` are the methods that it lacks.
    package init(
        _ records: TaskRecords, as position: Position, answersChallenges: Bool, without: [DelegateMethod],
        token: DelegateToken?
    ) {
        callbacks = SessionCallbacks(
            records: records, position: position, answersChallenges: answersChallenges, without: without, token: token)
    }

    /// The delegate to pass to a session; on Linux it conforms to the same protocols as the user's delegate.
    public var delegate: any URLSessionDelegate { callbacks.delegate }

    /// The delegate to pass to a task or an `async` method; see ``delegate``.
    public var taskDelegate: any URLSessionTaskDelegate { callbacks.taskDelegate }

    /// Makes a serial queue for one session, whose label is in the events.
    public func makeDelegateQueue() -> OperationQueue { QueueLabel.queue("D") }

    /// Makes a session with this recorder as its delegate, on a queue of its own.
    ///
    /// The session keeps the recorder alive until it is invalidated.
    public func session(configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
        URLSession(configuration: configuration, delegate: delegate, delegateQueue: makeDelegateQueue())
    }
}

// Acts of a test, recorded before they are performed; rules about causes need them.
extension SessionRecorder {
    /// Records `resume` and resumes the task.
    public func resume(_ task: URLSessionTask) {
        let record = records.record(of: task)
        record.resume(URLSessionStepTask(task: task, record: record))
    }

    /// Records `cancel` and cancels the task, with resume data when its program asks for it.
    public func cancel(_ task: URLSessionTask) {
        let record = records.record(of: task)
        record.cancel(URLSessionStepTask(task: task, record: record))
    }

    /// Records `suspend` and suspends the task until ``resume(_:)``.
    public func suspend(_ task: URLSessionTask) {
        records.record(of: task).notes.record(.suspend)
        task.suspend()
    }

    /// Records `invalidate(finish)` or `invalidate(cancel)` and invalidates the session.
    public func invalidate(_ session: URLSession, cancelling: Bool = false) {
        recorder.record(
            TraceEvent(
                lane: .harness, task: recorder.sessionNumber(of: session), name: .invalidate,
                argument: cancelling ? "cancel" : "finish"))
        if cancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
    }

    /// Lets a step answer a task's questions and act at its moments; call it before the task begins.
    ///
    /// When there is a user's delegate, that delegate gives the answers.
    public func follow(_ step: Assignment.Step, for task: URLSessionTask) {
        let earlier = records.record(of: task)
        records.add(
            StepRecord(
                step, number: earlier.number, family: earlier.family, recordingTo: recorder,
                challengeAnswers: step.challengeAnswers))
    }
}
