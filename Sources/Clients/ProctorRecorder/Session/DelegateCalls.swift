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

    /// Records the beginning and the return of a task's callback, with `inside` called between.
    ///
    /// `method` is the delegate method.
    func record(
        _ name: EventName, _ detail: EventDetail = EventDetail(), of task: URLSessionTask, in session: URLSession,
        method: String = #function, inside: () -> Void
    ) {
        enter(name, detail, of: task, in: session, method: method) { _ in inside() }
    }

    /// Records a question like ``record(_:_:of:in:method:inside:)``; it has no answer when the program cancels.
    func ask(
        _ name: EventName, _ detail: EventDetail = EventDetail(), of task: URLSessionTask, in session: URLSession,
        method: String = #function, answer: (Answering) -> Void
    ) {
        enter(name, detail, of: task, in: session, method: method) { answering in
            if let answering { answer(answering) }
        }
    }

    private func enter(
        _ name: EventName, _ detail: EventDetail, of task: URLSessionTask, in session: URLSession, method: String,
        inside: (Answering?) -> Void
    ) {
        let record = records.record(of: task)
        let task = URLSessionStepTask(task: task, record: record)
        let callback = record.enter(
            name, detail, queue: QueueLabel.current(for: session), method: method, who: who, of: task)
        inside(callback.isCancelled ? nil : Answering(record: record, task: task))
        callback.returns()
    }

    /// Records the beginning and the return of a session's callback.
    func record(
        _ name: EventName, _ detail: EventDetail = EventDetail(), in session: URLSession, method: String = #function,
        inside: () -> Void
    ) {
        let callback = RecordedCallback(
            TraceEvent(
                lane: .session, task: recorder.sessionNumber(of: session), name: name, argument: detail.argument,
                queue: QueueLabel.current(for: session),
                facts: detail.facts.appending([EventFact(.who, .text(who)), EventFact(.sel, .text(method))])),
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

    /// The label of the session's queue on which the caller runs; nil on any other queue or thread.
    static func current(for session: URLSession) -> String? {
        if let label = DispatchQueue.getSpecific(key: key) { return label }
        guard let queue = OperationQueue.current, queue === session.delegateQueue else { return nil }
        return queue === OperationQueue.main ? "main" : "D"
    }
}
