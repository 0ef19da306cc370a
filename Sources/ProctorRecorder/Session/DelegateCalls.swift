internal import Foundation
internal import ProctorBase
internal import ProctorEvents

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Records the calls of delegate methods, and runs the program's acts in each.
struct DelegateCalls: Sendable {
    let recorder: TraceRecorder
    let records: TaskRecords
    /// `session` or `task`: the owner of the delegate.
    let who: String

    /// Records a task's callback at beginning and return, with `inside` between.
    ///
    /// The caller is the delegate's `method`.
    func tell(
        _ name: EventName, _ argument: String? = nil, of task: URLSessionTask, in session: URLSession,
        facts: EventFacts = [], method: String = #function, inside: () -> Void
    ) {
        enter(name, argument, of: task, in: session, facts: facts, method: method) { _ in inside() }
    }

    /// Like ``tell(_:_:of:in:facts:method:inside:)`` for a question, which has no answer where the program cancels.
    func ask(
        _ name: EventName, _ argument: String? = nil, of task: URLSessionTask, in session: URLSession,
        facts: EventFacts = [], method: String = #function, answer: (Answering) -> Void
    ) {
        enter(name, argument, of: task, in: session, facts: facts, method: method) { answering in
            if let answering { answer(answering) }
        }
    }

    private func enter(
        _ name: EventName, _ argument: String?, of task: URLSessionTask, in session: URLSession, facts: EventFacts,
        method: String, inside: (Answering?) -> Void
    ) {
        let record = records.record(of: task)
        let task = URLSessionStepTask(task: task, record: record)
        let callback = record.enter(
            name, argument, queue: QueueLabel.current(for: session), method: method, who: who, facts: facts, of: task)
        inside(callback.isCancelled ? nil : Answering(record: record, task: task))
        callback.returns()
    }

    /// Records a session's callback at beginning and return.
    func tell(
        _ name: EventName, _ argument: String? = nil, in session: URLSession, facts: EventFacts = [],
        method: String = #function, inside: () -> Void
    ) {
        let callback = RecordedCallback(
            TraceEvent(
                lane: .session, task: recorder.number(ofSession: session), name: name, argument: argument,
                queue: QueueLabel.current(for: session),
                facts: facts.appending([EventFact(.who, .text(who)), EventFact(.sel, .text(method))])),
            recordedBy: recorder)
        inside()
        callback.returns()
    }
}

enum QueueLabel {
    private static let key = DispatchSpecificKey<String>()

    /// A delegate queue that its label identifies.
    ///
    /// A concurrent one runs several callbacks at a time, which breaks their order (R46).
    static func queue(_ label: String, isConcurrent: Bool = false) -> OperationQueue {
        let queue = OperationQueue()
        let base = DispatchQueue(label: "proctor.\(label)", attributes: isConcurrent ? .concurrent : [])
        base.setSpecific(key: key, value: label)
        unsafe queue.underlyingQueue = base
        queue.maxConcurrentOperationCount = isConcurrent ? 4 : 1
        return queue
    }

    /// nil off any queue of the session.
    static func current(for session: URLSession) -> String? {
        if let label = DispatchQueue.getSpecific(key: key) { return label }
        guard let queue = OperationQueue.current, queue === session.delegateQueue else { return nil }
        return queue === OperationQueue.main ? "main" : "D"
    }
}
