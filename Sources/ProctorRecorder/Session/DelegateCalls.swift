internal import Foundation
internal import ProctorBase
internal import ProctorEvents

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Writes down the calls of a delegate's methods, and does what the program wants in each.
struct DelegateCalls: Sendable {
    let recorder: TraceRecorder
    let records: TaskRecords
    /// `session` or `task`: whose delegate it is.
    let who: String

    /// One call of a delegate method about a task; ends with ``returns()``.
    struct Call {
        let record: StepRecord
        let task: URLSessionStepTask
        let callback: StepRecord.Callback

        func returns() { callback.returns() }

        /// What answers the question of the call; nil when the task was cancelled instead.
        var answering: Answering? { callback.isCancelled ? nil : Answering(record: record, task: task) }
    }

    /// Writes the beginning of a callback of a task.
    func enter(
        _ name: EventName, _ argument: String? = nil, of task: URLSessionTask, in session: URLSession,
        method: String, facts: EventFacts = []
    ) -> Call {
        let record = records.record(of: task)
        let task = URLSessionStepTask(task: task, record: record)
        let callback = record.enter(
            name, argument, queue: QueueLabel.current(for: session), method: method, who: who, facts: facts, of: task)
        return Call(record: record, task: task, callback: callback)
    }

    /// Writes the beginning of a callback of a session.
    func enter(
        _ name: EventName, _ argument: String? = nil, in session: URLSession, method: String, facts: EventFacts = []
    ) -> RecordedCallback {
        RecordedCallback(
            TraceEvent(
                lane: .session, task: recorder.number(ofSession: session), name: name, argument: argument,
                queue: QueueLabel.current(for: session),
                facts: facts.appending([EventFact(.who, .text(who)), EventFact(.sel, .text(method))])),
            recordedBy: recorder)
    }
}

/// A name for the queue that runs now.
enum QueueLabel {
    private static let key = DispatchSpecificKey<String>()

    /// A serial queue for a delegate, which can be recognised by its name.
    static func serialQueue(_ label: String) -> OperationQueue {
        let queue = OperationQueue()
        let base = DispatchQueue(label: "proctor.\(label)")
        base.setSpecific(key: key, value: label)
        unsafe queue.underlyingQueue = base
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    /// A queue that runs several callbacks at a time, which forfeits their order (R46).
    static func concurrentQueue(_ label: String) -> OperationQueue {
        let queue = OperationQueue()
        let base = DispatchQueue(label: "proctor.\(label)", attributes: .concurrent)
        base.setSpecific(key: key, value: label)
        unsafe queue.underlyingQueue = base
        queue.maxConcurrentOperationCount = 4
        return queue
    }

    /// nil off any queue that belongs to the session.
    static func current(for session: URLSession) -> String? {
        if let label = DispatchQueue.getSpecific(key: key) { return label }
        guard let queue = OperationQueue.current, queue === session.delegateQueue else { return nil }
        return queue === OperationQueue.main ? "main" : "D"
    }
}
