public import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

// What a test does, written down before it is done; rules that speak of causes need it.
extension SessionRecorder {
    /// Writes `resume` and resumes.
    public func resume(_ task: URLSessionTask) { acts.resume(task, role: roles.role(of: task)) }

    /// Writes `cancel` and cancels, by producing resume data where the task's program says so.
    public func cancel(_ task: URLSessionTask) { acts.cancel(task, role: roles.role(of: task)) }

    /// Writes `suspend` and suspends, until ``resume(_:)``.
    public func suspend(_ task: URLSessionTask) {
        acts.note(.suspend, roles.role(of: task))
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
        let earlier = roles.role(of: task)
        roles.add(TaskRole(number: earlier.number, family: earlier.family, step: step))
    }

    private var acts: TaskActs { TaskActs(recorder: recorder) }
}
