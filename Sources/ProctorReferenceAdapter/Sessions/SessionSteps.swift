package import ProctorBase
package import ProctorRecorder
internal import ProctorReference
package import ProctorTrace

/// Does steps with a ``ReferenceSession``: families US, UD and HT.
package final class SessionSteps: StepClient {
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

    package init(
        _ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        setup = assignment.session
        ending = SessionEnding(setup, recordingTo: recorder)
        self.recorder = recorder
        roles = SessionRoles()
        let ofSession = Self.delegate("session", setup, roles, recorder)
        taskDelegate = Self.delegate("task", setup, roles, recorder)
        hasDelegate = ofSession != nil
        var configuration = ReferenceConfiguration()
        if let timeout = setup.requestTimeout { configuration.requestTimeout = .milliseconds(timeout) }
        if let timeout = setup.resourceTimeout { configuration.resourceTimeout = .milliseconds(timeout) }
        configuration.takeRoute(of: setup, breaking: breaking)
        configuration.security = try setup.security(breaking: breaking)
        configuration.cookiePolicy = setup.cookiePolicy ?? .always
        configuration.cookieFault = breaking?.cookieFault
        configuration.cache = setup.cache.map { ReferenceCache(byteLimit: $0) }
        configuration.makeActionFilter = breaking?.makeActionFilter
        configuration.makeCallFilter = breaking?.makeSessionFilter
        if let limit = breaking?.redirectLimit { configuration.redirectLimit = limit }
        let queue = setup.queue == "serial" ? try CallbackQueue(label: "D") : nil
        session = try ReferenceSession(configuration: configuration, delegate: ofSession, queue: queue)
    }

    private static func delegate(
        _ position: String, _ setup: SessionSetup, _ roles: SessionRoles, _ recorder: TraceRecorder
    ) -> RecordingDelegate? {
        guard setup.delegates == position || setup.delegates == "both" else { return nil }
        return RecordingDelegate(roles: roles, who: position, recorder: recorder)
    }

    // MARK: Steps

    package func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd {
        let record = StepRecord(
            step, number: index, family: Self.family(of: step), recordingTo: recorder,
            hasTaskDelegate: taskDelegate != nil,
            sessionEnd: PlannedSessionEnd(setup, atStep: index) { [weak self] in self?.end() })
        roles.begin(record)
        do {
            let body = try StepBody(step)
            defer { body.cleanUp() }
            let request = StepRequest.make(step, body: body.body, in: setup)
            let work = try task(of: record, request)
            record.start(work)
            let hasEnded = await record.waitForEnd(before: end) { event in
                record.family == .HT
                    ? event.lane == .handler && (event.name == .handler || event.name == .awaited)
                    : event.lane == .task && event.name == .complete
            }
            resumeData.withLock { $0[index] = work.resumeData }
            record.writeResult(hasEnded: hasEnded)
            record.release()
            return hasEnded ? .finished : .outOfTime
        } catch let error as MissingResumeData {
            return unimplemented(record, "resume: \(error)")
        } catch {
            return unimplemented(record, "body: it can't be put into a file: \(error)")
        }
    }

    private func unimplemented(_ record: StepRecord, _ reason: String) -> StepEnd {
        record.notes.unimplemented("steps[\(record.number)].\(reason)")
        return .unimplemented
    }

    private func task(of record: StepRecord, _ request: ClientRequest) throws(MissingResumeData) -> any ResumableWork {
        let step = record.step
        let timeout = step.timeout.map { Duration.milliseconds($0) }
        if step.task == "async" { return AwaitedTask(record, request, timeout: timeout, in: self) }
        var left: ResumeData?
        if let earlier = step.resume {
            left = resumeData.withLock { $0.removeValue(forKey: earlier) }
            if left == nil { throw MissingResumeData(step: earlier) }
        }
        let task = makeTask(record, request, timeout: timeout, resuming: left)
        if let taskDelegate { task.delegate = taskDelegate }
        roles.assign(record, to: task.number)
        return SessionTask(task)
    }

    private func makeTask(
        _ record: StepRecord, _ request: ClientRequest, timeout: Duration?, resuming left: ResumeData?
    ) -> ReferenceTask {
        let step = record.step
        switch step.task {
        case "download":
            if let left { return session.downloadTask(withResumeData: left, timeout: timeout) }
            return session.downloadTask(with: request, timeout: timeout)
        case "handler":
            let handler = HandlerRecording(record, request.body, queue: session.queue)
            if case .file(let path) = request.body {
                return session.uploadTask(with: request, fromFile: path, timeout: timeout) {
                    handler.called($0, $1, $2)
                }
            }
            return session.dataTask(with: request, timeout: timeout) { handler.called($0, $1, $2) }
        default: break
        }
        switch request.body {
        case .file(let path): return session.uploadTask(with: request, fromFile: path, timeout: timeout)
        case .streamOnDemand: return session.uploadTask(withStreamedRequest: request, timeout: timeout)
        case .bytes(let content) where step.task == "upload":
            return session.uploadTask(with: request, from: content, timeout: timeout)
        case .none, .bytes, .stream: return session.dataTask(with: request, timeout: timeout)
        }
    }

    // MARK: The end

    /// Invalidates the session, once.
    private func end() {
        ending.begin { isCancelling in
            if isCancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        }
    }

    package func finish(before end: UInt64) async -> Bool {
        self.end()
        return hasDelegate ? await ending.isTold(before: end) : true
    }

    package func abandon() { session.invalidateAndCancel() }
}

/// The step to resume was no download that was cancelled or that failed half-way.
struct MissingResumeData: Error, CustomStringConvertible {
    let step: Int

    var description: String { "step \(step) left no resume data" }
}
