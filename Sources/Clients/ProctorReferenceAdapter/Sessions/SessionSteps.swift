internal import ProctorAssignments
internal import ProctorBase
import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference
internal import ProctorReferenceStorage

/// Runs steps with a ``ReferenceSession``: families sessionData, sessionDownload and sessionHandler.
final class SessionSteps: ReferenceClient {
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let roles: SessionRoles
    let session: ReferenceSession
    /// The delegate of each task or `async` method; nil when only the session has a delegate.
    let taskDelegate: RecordingDelegate?
    private let hasDelegate: Bool
    private let ending: SessionEnding
    private let cache: ReferenceCache?
    private let deletesNothing: Bool
    private let breaking: Breakage?
    /// Whether a step has ways or trust of its own.
    private let hasChanges: Bool
    private let webSocketFault: WebSocketFault?
    /// The resume data, by the number of the step that produced it.
    private let resumeData = Locked<[Int: ResumeData]>([:])
    /// What outlives this process; nil: nothing does.
    private let storage: ReferenceStorage?
    /// The number of steps that earlier processes have performed.
    private let earlierSteps: Int
    private let temporaryFolder: String

    init(
        _ assignment: Assignment, breaking: Breakage?, routing: PACRouting? = nil, storage: ReferenceStorage? = nil,
        recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        setup = assignment.session
        self.storage = storage
        earlierSteps = assignment.earlierSteps ?? 0
        ending = SessionEnding(setup, recordingTo: recorder)
        self.recorder = recorder
        roles = SessionRoles()
        let ofSession = Self.delegate(.session, setup, roles: roles, recorder: recorder)
        taskDelegate = Self.delegate(.task, setup, roles: roles, recorder: recorder)
        hasDelegate = ofSession != nil
        var configuration = try ReferenceConfiguration(assignment, breaking: breaking)
        configuration.useStores(of: storage)
        temporaryFolder = configuration.temporaryFolder
        configuration.makeCallFilter = breaking?.makeCallFilter(of: .session)
        if let routing { configuration.findRoutes = { routing.findRoutes($0) } }
        if breaking.has(.followsThirtyRedirects) { configuration.redirectLimit = 30 }
        if configuration.transportFault == .wire(.hasNoBounds) { configuration.redirectLimit = 150 }
        cache = configuration.cache
        deletesNothing = breaking.has(.deletesNothing)
        self.breaking = breaking
        hasChanges = !breaking.has(.keepsFirstWays) && assignment.steps.contains { $0.session != nil }
        webSocketFault = breaking?.asFault()
        let queue = setup.queue == .serial ? try CallbackQueue(label: "D") : nil
        session = try ReferenceSession(configuration: configuration, delegate: ofSession, queue: queue)
    }

    private static func delegate(
        _ position: SessionSetup.Delegates, _ setup: SessionSetup, roles: SessionRoles, recorder: TraceRecorder
    ) -> RecordingDelegate? {
        guard setup.delegates == position || setup.delegates == .both else { return nil }
        let lacksNone = setup.delegates == .both && position == .session
        return RecordingDelegate(
            roles: roles, who: position.rawValue, without: lacksNone ? [] : setup.missingMethods, recorder: recorder)
    }

    // MARK: Steps

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = StepRecord(
            step, number: index, family: step.task.family, recordingTo: recorder,
            sessionEnd: PlannedSessionEnd(setup, atStep: index) { [weak self] in self?.invalidateSession() },
            without: setup.without)
        roles.startStep(record)
        if hasChanges {
            do throws(CallFailure) {
                try useSession(of: step)
            } catch {
                return record.lacks("session: \(error)")
            }
        }
        record.keepTrailers([])
        guard let body = record.makeBody(breaking: breaking?.asFault()) else { return .unimplemented }
        defer { body.cleanUp() }
        var left: ResumeData?
        if step.task != .async, let earlier = step.resume {
            left = resumeData(ofStep: earlier)
            if left == nil { return record.lacks("resume: step \(earlier) left no resume data") }
        }
        let request = step.request(with: body.body, in: hasChanges ? setup.changed(by: step.session) : setup)
        let stores = ReferenceStores(
            cookies: session.cookieStore, cache: cache, request: request, deletesNothing: deletesNothing)
        stores.perform(step.byHand)
        if step.task == .websocket {
            return await performConversation(of: step, record, request, stores, before: end)
        }
        let work = task(of: record, step, request, resuming: left)
        record.start(work)
        let hasEnded = await record.waitForEnd(before: end)
        let kept = (work as? SessionTask)?.resumeData
        resumeData.withLock { $0[index] = kept }
        do throws(CallFailure) {
            if let kept { try storage?.storeDownload(kept, ofStep: earlierSteps + index) }
        } catch {
            return record.lacks("resume: the data can't be stored: \(error)")
        }
        if step.task == .download { record.addFacts(file: [EventFact(.resumeData, .flag(kept != nil))]) }
        return record.finish(hasEnded: hasEnded, stored: stores.facts(of: step.reads))
    }

    private func useSession(of step: Assignment.Step) throws(CallFailure) {
        var configuration = session.configuration
        try configuration.useWays(of: setup.changed(by: step.session), breaking: breaking)
        session.changeWays(configuration)
    }

    /// What is left of the download of a step of this process or of an earlier one; `number` counts all steps.
    private func resumeData(ofStep number: Int) -> ResumeData? {
        if number < earlierSteps { return storage?.download(ofStep: number, in: temporaryFolder) }
        return resumeData.withLock { $0.removeValue(forKey: number - earlierSteps) }
    }

    private func performConversation(
        of step: Assignment.Step, _ record: StepRecord, _ request: ClientRequest, _ stores: ReferenceStores,
        before end: UInt64
    ) async -> AssignmentRunner.Ending {
        let socket = session.webSocket(
            with: request, protocols: step.protocols, timeout: step.timeout.map { .milliseconds($0) },
            fault: webSocketFault)
        if let taskDelegate { socket.task.delegate = taskDelegate }
        roles.assign(record, to: socket.task.number)
        record.start(SessionTask(socket.task, hasDelegate: taskDelegate != nil))
        async let messages = StepSocket(socket: socket, queue: session.queue).run(step.conversation, record)
        let hasEnded = await record.waitForEnd(before: end)
        // The completions of a task that did not end come with its cancel.
        if !hasEnded { socket.task.cancel() }
        record.addFacts(file: await messages.facts)
        return record.finish(hasEnded: hasEnded, stored: stores.facts(of: step.reads))
    }

    private func task(
        of record: StepRecord, _ step: Assignment.Step, _ request: ClientRequest, resuming left: ResumeData?
    ) -> any StepTask {
        let timeout = step.timeout.map { Duration.milliseconds($0) }
        if step.task == .async { return asyncCall(record, request, timeout: timeout) }
        let (task, method) = makeTask(of: step, record, request, timeout: timeout, resuming: left)
        if let taskDelegate { task.delegate = taskDelegate }
        roles.assign(record, to: task.number)
        return SessionTask(task, hasDelegate: taskDelegate != nil, method: method, breaking: breaking)
    }

    /// The task of a step, and the method of URLSession that makes such a task.
    private func makeTask(
        of step: Assignment.Step, _ record: StepRecord, _ request: ClientRequest, timeout: Duration?,
        resuming left: ResumeData?
    ) -> (ReferenceTask, method: String) {
        switch (step.task, request.body) {
        case (.download, _):
            if let left {
                return (session.downloadTask(withResumeData: left, timeout: timeout), "downloadTask(withResumeData:)")
            }
            return (session.downloadTask(with: request, timeout: timeout), "downloadTask(with:)")
        case (.handler, let body):
            let handler = OutcomeRecording(record, body, queue: session.queue)
            if case .file(let path) = body {
                let task = session.uploadTask(with: request, fromFile: path, timeout: timeout) {
                    handler.called($0, $1, error: $2)
                }
                return (task, "uploadTask(with:fromFile:completionHandler:)")
            }
            let task = session.dataTask(with: request, timeout: timeout) { handler.called($0, $1, error: $2) }
            return (task, "dataTask(with:completionHandler:)")
        case (_, .file(let path)):
            return (session.uploadTask(with: request, fromFile: path, timeout: timeout), "uploadTask(with:fromFile:)")
        case (_, .streamOnDemand):
            let task = session.uploadTask(withStreamedRequest: request, timeout: timeout)
            return (task, "uploadTask(withStreamedRequest:)")
        case (.upload, .bytes(let content)):
            return (session.uploadTask(with: request, from: content, timeout: timeout), "uploadTask(with:from:)")
        case (_, .none), (_, .bytes), (_, .stream):
            return (session.dataTask(with: request, timeout: timeout), "dataTask(with:)")
        }
    }

    private func asyncCall(_ record: StepRecord, _ request: ClientRequest, timeout: Duration?) -> AwaitedCall {
        let handler = OutcomeRecording(record, request.body, queue: session.queue)
        return AwaitedCall(hasDelegate: taskDelegate != nil) { [session, taskDelegate] in
            do {
                let (content, response) =
                    if case .file(let path) = request.body {
                        try await session.upload(for: request, fromFile: path, timeout: timeout, delegate: taskDelegate)
                    } else {
                        try await session.data(for: request, timeout: timeout, delegate: taskDelegate)
                    }
                handler.returned(content, response)
            } catch {
                handler.returned(nil, nil, error: error as? LoadError ?? LoadError(.cancelled, "\(error)"))
            }
        }
    }

    // MARK: The end

    private func invalidateSession() {
        ending.start { isCancelling in
            if isCancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        }
    }

    func finish(before end: UInt64) async -> Bool {
        self.invalidateSession()
        guard hasDelegate else { return true }
        guard await ending.isTold(before: end) else { return false }
        await DelegateToken.waitForRelease(by: .session(0), before: end, recordingTo: recorder)
        return true
    }

    func abandon() { session.invalidateAndCancel() }
}

final class SessionTask: StepTask {
    let hasDelegate: Bool
    let method: String?
    private let task: ReferenceTask
    private let given = Locked<ResumeData?>(nil)
    private let breaking: Breakage?

    init(_ task: ReferenceTask, hasDelegate: Bool, method: String? = nil, breaking: Breakage? = nil) {
        (self.task, self.method, self.hasDelegate) = (task, method, hasDelegate)
        self.breaking = breaking
    }

    var resumeData: ResumeData? { given.withLock { $0 } ?? task.resumeData }

    func resume() { task.resume() }

    func suspend() { if !breaking.has(.suspendsNothing) { task.suspend() } }

    func cancel() {
        if breaking.has(task.response == nil ? .cancelsBehindHead : .cancelsBeforeHead) { return }
        task.cancel()
    }

    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        task.cancel { [self] data in
            given.withLock { $0 = data }
            handler(data?.byteCount)
        }
    }
}
