package import Foundation
internal import ProctorBase
internal import ProctorEvents

#if canImport(FoundationNetworking)
    package import FoundationNetworking
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

package enum QueueLabel {
    private static let key = DispatchSpecificKey<String>()

    /// A delegate queue that its label identifies.
    ///
    /// A concurrent one runs several callbacks at a time, which breaks their order (R46).
    package static func queue(_ label: String, isConcurrent: Bool = false) -> OperationQueue {
        let queue = OperationQueue()
        let base = DispatchQueue(label: "proctor.\(label)", attributes: isConcurrent ? .concurrent : [])
        base.setSpecific(key: key, value: label)
        unsafe queue.underlyingQueue = base
        queue.maxConcurrentOperationCount = isConcurrent ? 4 : 1
        return queue
    }

    /// The label of the session's queue on which the caller runs; nil on any other queue or thread.
    package static func current(for session: URLSession) -> String? {
        if let label = DispatchQueue.getSpecific(key: key) { return label }
        guard let queue = OperationQueue.current, queue === session.delegateQueue else { return nil }
        return queue === OperationQueue.main ? "main" : "D"
    }
}

/// The records of a recorder's tasks, shared by the session's delegate and the tasks' own delegates.
package final class TaskRecords: Sendable {
    let recorder: TraceRecorder
    let certificates: SessionCertificates
    private let state = Locked(State())

    private struct State {
        var records: [Int: StepRecord] = [:]
        /// The record of the running step, which answers the challenges of a session.
        var current: StepRecord?
    }

    package init(recorder: TraceRecorder, certificates: SessionCertificates = SessionCertificates()) {
        (self.recorder, self.certificates) = (recorder, certificates)
    }

    /// Registers a step's record; the next unseen task gets its number.
    package func startStep(_ record: StepRecord) {
        recorder.reserveTaskNumbers(below: record.number)
        state.withLock { state in
            state.records[record.number] = record
            state.current = record
        }
    }

    /// Registers a record for a task that does not exist yet.
    func add(_ record: StepRecord) { state.withLock { $0.records[record.number] = record } }

    var current: StepRecord? { state.withLock { $0.current } }

    /// The record of a task; a task without a step gets one when it is first seen.
    func record(of task: URLSessionTask) -> StepRecord {
        let number = recorder.taskNumber(of: task)
        let family = Self.family(of: task)
        return state.withLock { state in
            if let record = state.records[number] { return record }
            let record = StepRecord(nil, number: number, family: family, recordingTo: recorder)
            state.records[number] = record
            return record
        }
    }

    private static func family(of task: URLSessionTask) -> CallbackFamily {
        switch task {
        case is URLSessionDownloadTask: .sessionDownload
        case is URLSessionWebSocketTask: .webSocket
        case is URLSessionStreamTask: .stream
        default: .sessionData
        }
    }
}

package struct URLSessionStepTask: StepTask {
    let task: URLSessionTask
    let record: StepRecord

    package init(task: URLSessionTask, record: StepRecord) { (self.task, self.record) = (task, record) }

    /// On Linux, a task without its own delegate returns its session's delegate.
    package var hasDelegate: Bool {
        #if canImport(Darwin)
            return task.delegate != nil
        #else
            let delegate = task.delegate as AnyObject?
            let recorder = delegate as? SessionCallbacks ?? (delegate as? any RecorderFront)?.full
            return recorder?.calls.who == SessionRecorder.Position.task.rawValue
        #endif
    }

    package var canLeaveResumeData: Bool { task is URLSessionDownloadTask }

    package func resume() { task.resume() }
    package func suspend() { task.suspend() }
    package func cancel() { task.cancel() }

    package func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        (task as? URLSessionDownloadTask)?.cancel { [record] data in
            if let data { record.store(resumeData: data) }
            handler(data?.count)
        }
    }
}

extension StepRecord {
    /// A failed download may have resume data in its error.
    func keepResumeData(of error: any Error) {
        // Each platform has its own key for the resume data.
        guard let data = (error as NSError).userInfo["NSURLSessionDownloadTaskResumeData"] as? Data else { return }
        store(resumeData: data)
    }
}
