internal import ProctorBase
import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Does steps with a ``ReferenceSession``: families sessionData, sessionDownload and sessionHandler.
final class SessionSteps: ReferenceClient {
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let roles: SessionRoles
    let session: ReferenceSession
    /// Of each task, or of the `async` methods; nil where only the session has one.
    let taskDelegate: RecordingDelegate?
    private let hasDelegate: Bool
    private let ending: SessionEnding
    /// By the number of the step that left them.
    private let resumeData = Locked<[Int: ResumeData]>([:])

    init(
        _ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        setup = assignment.session
        ending = SessionEnding(setup, recordingTo: recorder)
        self.recorder = recorder
        roles = SessionRoles()
        let ofSession = Self.delegate(.session, setup, roles: roles, recorder: recorder)
        taskDelegate = Self.delegate(.task, setup, roles: roles, recorder: recorder)
        hasDelegate = ofSession != nil
        var configuration = try ReferenceConfiguration(setup, breaking: breaking)
        configuration.makeCallFilter = breaking?.makeCallFilter(of: .session)
        if let limit = breaking?.redirectLimit { configuration.redirectLimit = limit }
        let queue = setup.queue == .serial ? try CallbackQueue(label: "D") : nil
        session = try ReferenceSession(configuration: configuration, delegate: ofSession, queue: queue)
    }

    private static func delegate(
        _ position: SessionSetup.Delegates, _ setup: SessionSetup, roles: SessionRoles, recorder: TraceRecorder
    ) -> RecordingDelegate? {
        guard setup.delegates == position || setup.delegates == .both else { return nil }
        return RecordingDelegate(roles: roles, who: position.rawValue, recorder: recorder)
    }

    // MARK: Steps

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = StepRecord(
            step, number: index, family: step.task.family, recordingTo: recorder,
            sessionEnd: PlannedSessionEnd(setup, atStep: index) { [weak self] in self?.end() })
        roles.begin(record)
        do {
            let body = try StepBody(step)
            defer { body.cleanUp() }
            let request = StepRequest.make(step, body: body.body, in: setup)
            let work = try task(of: record, step, request)
            record.start(work)
            let hasEnded = await record.waitForEnd(before: end)
            resumeData.withLock { $0[index] = (work as? SessionTask)?.resumeData }
            record.writeResult(hasEnded: hasEnded)
            record.release()
            return hasEnded ? .finished : .outOfTime
        } catch let error as MissingResumeData {
            return unimplemented(record, "resume: \(error)")
        } catch {
            return unimplemented(record, "body: it can't be put into a file: \(error)")
        }
    }

    private func unimplemented(_ record: StepRecord, _ reason: String) -> AssignmentRunner.Ending {
        record.notes.unimplemented("steps[\(record.number)].\(reason)")
        return .unimplemented
    }

    private func task(
        of record: StepRecord, _ step: Assignment.Step, _ request: ClientRequest
    ) throws(MissingResumeData) -> any StepTask {
        let timeout = step.timeout.map { Duration.milliseconds($0) }
        if step.task == .async { return asyncCall(record, request, timeout: timeout) }
        var left: ResumeData?
        if let earlier = step.resume {
            left = resumeData.withLock { $0.removeValue(forKey: earlier) }
            if left == nil { throw MissingResumeData(step: earlier) }
        }
        let task = makeTask(of: step, record, request, timeout: timeout, resuming: left)
        if let taskDelegate { task.delegate = taskDelegate }
        roles.assign(record, to: task.number)
        return SessionTask(task, hasDelegate: taskDelegate != nil)
    }

    private func makeTask(
        of step: Assignment.Step, _ record: StepRecord, _ request: ClientRequest, timeout: Duration?,
        resuming left: ResumeData?
    ) -> ReferenceTask {
        switch step.task {
        case .download:
            if let left { return session.downloadTask(withResumeData: left, timeout: timeout) }
            return session.downloadTask(with: request, timeout: timeout)
        case .handler:
            let handler = HandlerRecording(record, request.body, queue: session.queue)
            if case .file(let path) = request.body {
                return session.uploadTask(with: request, fromFile: path, timeout: timeout) {
                    handler.called($0, $1, error: $2)
                }
            }
            return session.dataTask(with: request, timeout: timeout) { handler.called($0, $1, error: $2) }
        case .data, .upload, .async: break
        }
        switch request.body {
        case .file(let path): return session.uploadTask(with: request, fromFile: path, timeout: timeout)
        case .streamOnDemand: return session.uploadTask(withStreamedRequest: request, timeout: timeout)
        case .bytes(let content) where step.task == .upload:
            return session.uploadTask(with: request, from: content, timeout: timeout)
        case .none, .bytes, .stream: return session.dataTask(with: request, timeout: timeout)
        }
    }

    private func asyncCall(_ record: StepRecord, _ request: ClientRequest, timeout: Duration?) -> AwaitedCall {
        let handler = HandlerRecording(record, request.body, queue: session.queue)
        return AwaitedCall(hasDelegate: taskDelegate != nil) { [session, taskDelegate] in
            do {
                let (content, response) =
                    if case .file(let path) = request.body {
                        try await session.upload(
                            for: request, fromFile: path, timeout: timeout, delegate: taskDelegate)
                    } else {
                        try await session.data(for: request, timeout: timeout, delegate: taskDelegate)
                    }
                handler.returned(content, response)
            } catch let error as LoadError {
                handler.threw(error)
            } catch {
                handler.threw(LoadError(.cancelled, "\(error)"))
            }
        }
    }

    // MARK: The end

    /// Invalidates the session, once.
    private func end() {
        ending.begin { isCancelling in
            if isCancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        }
    }

    func finish(before end: UInt64) async -> Bool {
        self.end()
        return hasDelegate ? await ending.isTold(before: end) : true
    }

    func abandon() { session.invalidateAndCancel() }
}

/// The step to resume was no download that was cancelled or that failed half-way.
struct MissingResumeData: Error, CustomStringConvertible {
    let step: Int

    var description: String { "step \(step) left no resume data" }
}

extension SessionSteps {
    static func missing(for assignment: Assignment) -> String? {
        switch assignment.session.queue {
        case .main: return "session.queue: main; this client calls back on threads of its own"
        case .concurrent: return "session.queue: concurrent; this client has serial queues only"
        case .serial, .default: break
        }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step, delegates: assignment.session.delegates) {
                return "steps[\(index)].\(reason)"
            }
        }
        return nil
    }

    private static func missing(for step: Assignment.Step, delegates: SessionSetup.Delegates) -> String? {
        if step.protocolScript != nil { return StepSupport.scriptless("a session") }
        if delegates == .none, step.task.family != .sessionHandler {
            return "task: a \(step.task) task shows nothing to a session without a delegate; only handler and async do"
        }
        if step.task != .data, step.task != .upload, step.bodyForm.isAskedFor {
            return "bodyForm: a \(step.task) task takes no streamed request"
        }
        if step.task == .async, step.suspendAt != nil { return "suspendAt: an async method can't be suspended" }
        if step.onResponse == .becomeStream { return "onResponse: becomeStream; this client has no stream tasks" }
        return nil
    }
}

/// A ``ReferenceTask``, for its step.
final class SessionTask: StepTask {
    let hasDelegate: Bool
    private let task: ReferenceTask
    private let given = Locked<ResumeData?>(nil)

    init(_ task: ReferenceTask, hasDelegate: Bool) {
        self.task = task
        self.hasDelegate = hasDelegate
    }

    /// What it left behind.
    var resumeData: ResumeData? { given.withLock { $0 } ?? task.resumeData }

    func resume() { task.resume() }

    func suspend() { task.suspend() }

    func cancel() { task.cancel() }

    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        task.cancel { [self] data in
            given.withLock { $0 = data }
            handler(data?.byteCount)
        }
    }
}
