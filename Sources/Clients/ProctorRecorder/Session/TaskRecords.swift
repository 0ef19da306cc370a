internal import Foundation
internal import ProctorBase
internal import ProctorEvents

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The records of a recorder's tasks, shared by the session's delegate and the tasks' own delegates.
final class TaskRecords: Sendable {
    let recorder: TraceRecorder
    let certificates: SessionCertificates
    private let state = Locked(State())

    private struct State {
        var records: [Int: StepRecord] = [:]
        /// The record of the running step, which answers the challenges of a session.
        var current: StepRecord?
    }

    init(recorder: TraceRecorder, certificates: SessionCertificates = SessionCertificates()) {
        (self.recorder, self.certificates) = (recorder, certificates)
    }

    /// Registers a step's record; the next unseen task gets its number.
    func startStep(_ record: StepRecord) {
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

struct URLSessionStepTask: StepTask {
    let task: URLSessionTask
    let record: StepRecord

    /// On Linux, a task without its own delegate returns its session's delegate.
    var hasDelegate: Bool {
        #if canImport(Darwin)
            return task.delegate != nil
        #else
            let delegate = task.delegate as AnyObject?
            let recorder = delegate as? SessionRecorder ?? (delegate as? any RecorderFront)?.full
            return recorder?.calls.who == SessionRecorder.Position.task.rawValue
        #endif
    }

    var canLeaveResumeData: Bool { task is URLSessionDownloadTask }

    func resume() { task.resume() }
    func suspend() { task.suspend() }
    func cancel() { task.cancel() }

    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
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
