internal import Foundation
internal import ProctorBase
internal import ProctorEvents

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The records of all tasks of a recorder, shared by the session's delegate and the tasks' own ones.
final class TaskRecords: Sendable {
    let recorder: TraceRecorder
    /// By what servers are judged, and what is shown to them, where nothing else is said.
    let certificates: SessionCertificates
    private let state = Locked(State())

    private struct State {
        var records: [Int: StepRecord] = [:]
        /// That of the step that runs; challenges of a session are answered by it.
        var current: StepRecord?
    }

    init(recorder: TraceRecorder, certificates: SessionCertificates = SessionCertificates()) {
        self.recorder = recorder
        self.certificates = certificates
    }

    /// Registers the step that runs now; the next task that is seen for the first time takes its number.
    func begin(_ record: StepRecord) {
        recorder.reserveTaskNumbers(below: record.number)
        state.withLock { state in
            state.records[record.number] = record
            state.current = record
        }
    }

    /// Registers a task that is known before it is made.
    func add(_ record: StepRecord) { state.withLock { $0.records[record.number] = record } }

    /// The step that runs; nil where none does.
    var current: StepRecord? { state.withLock { $0.current } }

    /// Of a task without a step a record is made when it is first seen.
    func record(of task: URLSessionTask) -> StepRecord {
        let number = recorder.number(ofTask: task)
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

/// A task of URLSession, for its record.
struct URLSessionStepTask: StepTask {
    let task: URLSessionTask
    let record: StepRecord

    /// On Linux a task without a delegate of its own gives that of its session.
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
            if let data { record.keep(resumeData: data) }
            handler(data?.count)
        }
    }
}

extension StepRecord {
    /// A download that failed may leave resume data in its error.
    func keepResumeData(of error: any Error) {
        // The key has a name of its own on each platform.
        guard let data = (error as NSError).userInfo["NSURLSessionDownloadTaskResumeData"] as? Data else { return }
        keep(resumeData: data)
    }
}
