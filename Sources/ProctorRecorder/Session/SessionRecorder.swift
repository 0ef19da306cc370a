public import Foundation
import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A delegate that writes every callback down, when it begins and when it returns.
///
/// Questions are answered by a user's delegate (``init(recordingTo:forwardingTo:as:)``), by the program of a step, or as
/// if there were no delegate. Give ``delegate`` to a session or a task, not the recorder itself: see there.
public final class SessionRecorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    URLSessionWebSocketDelegate, URLSessionStreamDelegate
{
    /// Where the events go.
    public let recorder: TraceRecorder
    let records: TaskRecords
    let calls: DelegateCalls
    let user: UserDelegate?
    let answersChallenges: Bool

    /// Which delegate of URLSession a recorder stands for; in a trace it is the fact `who`.
    public enum Position: String, Sendable {
        /// The one a session was made with.
        case session
        /// One that was set on a task or given to an `async` method; never asked about the session.
        case task
    }

    /// Observes `delegate`, which gives all answers; without one there is no delegate to forward to.
    ///
    /// What `delegate` does not implement is answered as URLSession would; a challenge or a body stream it does not
    /// implement is not even asked on Darwin. Give recorders of one session the same `recorder`.
    public convenience init(
        recordingTo recorder: TraceRecorder = TraceRecorder(),
        forwardingTo delegate: (any URLSessionDelegate)? = nil, as position: Position = .session
    ) {
        self.init(
            records: TaskRecords(recorder: recorder), user: delegate.map(UserDelegate.init), position: position,
            answersChallenges: true)
    }

    /// For programs, whose answers are found by the records of the tasks.
    init(records: TaskRecords, user: UserDelegate? = nil, position: Position, answersChallenges: Bool) {
        recorder = records.recorder
        self.records = records
        self.user = user
        self.answersChallenges = answersChallenges
        calls = DelegateCalls(recorder: recorder, records: records, who: position.rawValue)
    }

    /// What a session is to be given.
    ///
    /// On Linux URLSession looks at the protocols a delegate conforms to, and behaves otherwise for one that has all of
    /// them; so there a user's delegate is hidden behind an object that conforms to no more than it does itself.
    public var delegate: any URLSessionDelegate {
        #if canImport(Darwin)
            self
        #else
            user?.narrowed(self) ?? self
        #endif
    }

    /// What a task or an `async` method is to be given; like ``delegate``.
    public var taskDelegate: any URLSessionTaskDelegate {
        #if canImport(Darwin)
            self
        #else
            user?.narrowedForTasks(self) ?? self
        #endif
    }

    /// A serial queue whose label stands in the events, for one session.
    public func makeDelegateQueue() -> OperationQueue { QueueLabel.serialQueue("D") }

    /// A session that reports to this recorder, on a queue of its own.
    ///
    /// Until it is invalidated it keeps the recorder alive.
    public func session(configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
        URLSession(configuration: configuration, delegate: delegate, delegateQueue: makeDelegateQueue())
    }
}

// What a test does, written down before it is done; rules that speak of causes need it.
extension SessionRecorder {
    /// Writes `resume` and resumes.
    public func resume(_ task: URLSessionTask) {
        let record = records.record(of: task)
        record.resume(URLSessionStepTask(task: task, record: record))
    }

    /// Writes `cancel` and cancels, by producing resume data where the task's program says so.
    public func cancel(_ task: URLSessionTask) {
        let record = records.record(of: task)
        record.cancel(URLSessionStepTask(task: task, record: record))
    }

    /// Writes `suspend` and suspends, until ``resume(_:)``.
    public func suspend(_ task: URLSessionTask) {
        records.record(of: task).notes.note(.suspend)
        task.suspend()
    }

    /// Writes `invalidate(finish)` or `invalidate(cancel)` and does it.
    public func invalidate(_ session: URLSession, cancelling: Bool = false) {
        recorder.record(
            TraceEvent(
                lane: .harness, task: recorder.number(ofSession: session), name: .invalidate,
                argument: cancelling ? "cancel" : "finish"))
        if cancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
    }

    /// Lets a step answer the questions of a task, and cancel and suspend it at its moments; to be called before it begins.
    ///
    /// A user's delegate is asked first and in vain: where there is one, it gives the answers.
    public func follow(_ step: Assignment.Step, for task: URLSessionTask) {
        let earlier = records.record(of: task)
        records.add(
            StepRecord(
                step, number: earlier.number, family: earlier.family, recordingTo: recorder,
                challengeAnswers: step.challengeAnswers))
    }
}
