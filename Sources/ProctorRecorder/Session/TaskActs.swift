internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a test does to a task, each written down before it is done.
struct TaskActs: Sendable {
    let recorder: TraceRecorder

    /// Says of a task that begins that it has a delegate of its own (R55).
    static let ofTaskDelegate: EventFacts = [EventFact(.who, .text("task"))]

    func resume(_ task: URLSessionTask, role: TaskRole) {
        note(.resume, role, Self.hasDelegate(task) ? Self.ofTaskDelegate : [])
        task.resume()
    }

    /// Whether the task has a delegate of its own; on Linux a task without one gives that of its session.
    private static func hasDelegate(_ task: URLSessionTask) -> Bool {
        #if canImport(Darwin)
            return task.delegate != nil
        #else
            let delegate = task.delegate as AnyObject?
            let recorder = delegate as? SessionRecorder ?? (delegate as? NarrowSessionDelegate)?.full
            return recorder?.desk.who == SessionRecorder.Position.task.rawValue
        #endif
    }

    /// Cancels, by producing resume data where the program wants it so.
    func cancel(_ task: URLSessionTask, role: TaskRole) {
        guard role.step?.producesResumeData == true, let download = task as? URLSessionDownloadTask else {
            note(.cancel, role)
            return task.cancel()
        }
        let notes = StepNotes(role.number, recorder: recorder)
        notes.cancelProducingResumeData()
        role.awaitsResumeData()
        download.cancel { data in
            role.received(resumeData: data)
            notes.resumeData(byteCount: data?.count)
        }
    }

    /// Suspends, and resumes when the time of the program is over.
    func suspend(_ task: URLSessionTask, role: TaskRole) {
        note(.suspend, role)
        task.suspend()
        let wait = DispatchTimeInterval.milliseconds(role.step?.suspendFor ?? 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { resume(task, role: role) }
    }

    func note(_ name: EventName, _ role: TaskRole, _ facts: EventFacts = []) {
        StepNotes(role.number, recorder: recorder).note(name, facts)
    }
}
