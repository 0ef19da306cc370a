internal import Foundation
internal import ProctorBase
import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Runs steps with one URLSession, with its delegates and its end.
final class URLSessionSteps: StepClient {
    private let recorder: TraceRecorder
    private let records: TaskRecords
    private let session: URLSession
    private let setup: SessionSetup
    /// The delegate of each task or `async` method; nil when only the session has a delegate.
    private let taskDelegate: SessionRecorder?
    private let hasDelegate: Bool
    private let ending: SessionEnding
    /// Classes that are registered with the process until this object is released.
    private let registered: [URLProtocol.Type]
    private let state = Locked(State())

    private struct State {
        /// Kept, since a URLProtocol object may outlive its step.
        var scripts: [ScriptedLoad] = []
        /// The resume data, by the number of the step that produced it.
        var resumeData: [Int: Data] = [:]
    }

    private struct Failure: Error {
        let reason: String
    }

    /// `protocolClasses` come before the built-in protocols, and after the scripted one when a step has a script.
    init(_ assignment: Assignment, recordingTo recorder: TraceRecorder, protocolClasses: [URLProtocol.Type] = []) {
        self.recorder = recorder
        setup = assignment.session
        ending = SessionEnding(setup, recordingTo: recorder)
        let certificates = SessionCertificates(trust: setup.trust, identity: setup.identity)
        let records = TaskRecords(recorder: recorder, certificates: certificates)
        self.records = records
        let asksChallenges =
            certificates.wantQuestions || assignment.steps.contains { !$0.onChallenge.isEmpty }
        let configuration = setup.configuration()
        let hasScript = setup.protocols.isEmpty && assignment.steps.contains { $0.protocolScript != nil }
        let named = NamedProtocols.classes(of: setup.protocols, in: .session)
        let classes = (hasScript ? [ScriptedProtocol.self] : []) + named + protocolClasses
        // Only the shared session asks registered classes.
        registered = NamedProtocols.classes(of: setup.protocols, in: .global)
        for type in registered { _ = URLProtocol.registerClass(type) }
        if !classes.isEmpty { configuration.protocolClasses = classes + (configuration.protocolClasses ?? []) }
        let setup = setup
        func delegate(_ position: SessionRecorder.Position, _ delegates: SessionSetup.Delegates) -> SessionRecorder? {
            guard setup.delegates == delegates || setup.delegates == .both else { return nil }
            let without = setup.delegates == .both && position == .session ? [] : setup.without
            // A delegate of tasks is owned by the program itself.
            let token = position == .session ? DelegateToken(of: .session(0), recordingTo: recorder) : nil
            return SessionRecorder(
                records, as: position, answersChallenges: asksChallenges, without: without, token: token)
        }
        let ofSession = delegate(.session, .session)
        taskDelegate = delegate(.task, .task)
        hasDelegate = ofSession != nil
        session =
            setup.isShared
            ? URLSession.shared
            : URLSession(
                configuration: configuration, delegate: ofSession?.delegate, delegateQueue: setup.delegateQueue())
    }

    // MARK: Steps

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = StepRecord(
            step, number: index, family: step.task.family, recordingTo: recorder,
            challengeAnswers: step.challengeAnswers,
            sessionEnd: PlannedSessionEnd(setup, atStep: index) { [weak self] in self?.invalidateSession() },
            without: setup.without)
        guard let plain = StepRequest.make(step) else {
            return record.refuse("URL(string:) refuses '\(step.url)'")
        }
        let request = scripted(plain, for: step, at: index)
        records.startStep(record)
        let stores = URLSessionStores(session.configuration, for: request)
        stores.perform(step.byHand)
        do {
            let body = BodySource(step.body)
            let isOfFile = step.bodyForm == .file || step.bodyForm == .requestFileStream
            let file = isOfFile && step.body != nil ? try body.temporaryFile() : nil
            defer { if let file { try? FileManager.default.removeItem(at: file) } }
            let parts = StepParts(step: step, request: request, body: body, file: file, notes: record.notes)
            if step.task == .websocket {
                return await performConversation(of: step, record, request, stores, before: end)
            }
            record.start(try task(of: parts, record))
            let hasEnded = await record.waitForEnd(before: end, resumeDataWithin: .seconds(1))
            if step.task == .download {
                record.addFacts(file: [EventFact(.resumeData, .flag(record.resumeData != nil))])
            }
            if hasEnded { state.withLock { $0.resumeData[index] = record.resumeData } }
            return record.finish(hasEnded: hasEnded, stored: stores.facts(of: step.reads))
        } catch let error as Failure {
            return record.refuse(error.reason)
        } catch {
            return record.refuse("the body can't be put into a file: \(error)")
        }
    }

    private func performConversation(
        of step: Assignment.Step, _ record: StepRecord, _ request: URLRequest, _ stores: URLSessionStores,
        before end: UInt64
    ) async -> AssignmentRunner.Ending {
        let task = URLSessionSocket.task(of: step, request, in: session)
        recorder.assign(record.number, toTask: task)
        if let taskDelegate { task.delegate = taskDelegate.taskDelegate }
        record.start(URLSessionStepTask(task: task, record: record))
        async let facts = URLSessionSocket(task: task, session: session).run(step.conversation, record)
        let hasEnded = await record.waitForEnd(before: end)
        // The completions of a task that did not end come with its cancel.
        if !hasEnded { task.cancel() }
        record.addFacts(file: await facts)
        return record.finish(hasEnded: hasEnded, stored: stores.facts(of: step.reads))
    }

    /// The request with a reference to its step's script; unchanged when the step has no script.
    private func scripted(_ request: URLRequest, for step: Assignment.Step, at index: Int) -> URLRequest {
        guard step.protocolScript != nil || !setup.protocols.isEmpty else { return request }
        let load = ScriptedLoad(
            step.protocolScript ?? [], for: request, classes: setup.protocols, recorder: recorder, task: index)
        state.withLock { $0.scripts.append(load) }
        return load.request
    }

    private func task(of parts: StepParts, _ record: StepRecord) throws -> any StepTask {
        let step = parts.step
        if step.task == .async { return asyncCall(parts, HandlerRecord(record: record, session: session)) }
        #if canImport(Darwin)
            if step.task == .synchronous || step.task == .queued {
                let queue: (named: String, OperationQueue) = (
                    setup.queueLabel, setup.delegateQueue() ?? QueueLabel.queue(setup.queueLabel)
                )
                return ConnectionRequest(
                    parts.completeRequest, HandlerRecord(record: record, session: session),
                    queue: step.task == .queued ? queue : nil)
            }
        #endif
        let task =
            switch step.task {
            case .download: try downloadTask(parts)
            case .handler: handlerTask(parts, HandlerRecord(record: record, session: session))
            case .data, .upload, .async, .synchronous, .queued, .eventSource, .eventStream, .websocket:
                parts.dataTask(in: session)
            }
        recorder.assign(record.number, toTask: task)
        if let taskDelegate { task.delegate = taskDelegate.taskDelegate }
        return URLSessionStepTask(task: task, record: record)
    }

    private func downloadTask(_ parts: StepParts) throws -> URLSessionTask {
        guard let earlier = parts.step.resume else { return session.downloadTask(with: parts.completeRequest) }
        guard let data = state.withLock({ $0.resumeData[earlier] }) else {
            throw Failure(reason: "the step to resume left no resume data")
        }
        return session.downloadTask(withResumeData: data)
    }

    private func handlerTask(_ parts: StepParts, _ handler: HandlerRecord) -> URLSessionTask {
        if let file = parts.uploadedFile {
            return session.uploadTask(with: parts.request, fromFile: file) { handler.called($0, $1, error: $2) }
        }
        return session.dataTask(with: parts.completeRequest) { handler.called($0, $1, error: $2) }
    }

    private func asyncCall(_ parts: StepParts, _ handler: HandlerRecord) -> AwaitedCall {
        AwaitedCall(hasDelegate: taskDelegate != nil) { [session, taskDelegate = taskDelegate?.taskDelegate] in
            do {
                let (data, response) =
                    if let file = parts.uploadedFile {
                        try await session.upload(for: parts.request, fromFile: file, delegate: taskDelegate)
                    } else {
                        try await session.data(for: parts.completeRequest, delegate: taskDelegate)
                    }
                handler.returned(data, response)
            } catch {
                handler.threw(error)
            }
        }
    }

    // MARK: The end

    private func invalidateSession() {
        ending.start(session: recorder.sessionNumber(of: session)) { isCancelling in
            if isCancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        }
    }

    /// Ends the session if needed, and waits for its confirmation; false when that does not come in time.
    func finish(before end: UInt64) async -> Bool {
        for type in registered { URLProtocol.unregisterClass(type) }
        // The shared session has no end, so the last protocol object is waited for.
        guard !setup.isShared else {
            if recorder.events.contains(where: { $0.name == .pInit }) {
                _ = await recorder.event(within: min(.left(until: end), .milliseconds(500))) { $0.name == .pDeinit }
            }
            return true
        }
        self.invalidateSession()
        guard hasDelegate else { return true }
        guard await ending.isTold(before: end) else { return false }
        await DelegateToken.waitForRelease(by: .session(0), before: end, recordingTo: recorder)
        return true
    }
}

extension SessionSetup {
    /// A configuration without stores, and without settings from elsewhere.
    func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = proxyDictionary
        configuration.httpCookieAcceptPolicy =
            switch cookies {
            case .never: .never
            case .mainDocument: .onlyFromMainDocumentDomain
            case .always: .always
            }
        configuration.urlCache = cache.map { Self.memoryCache($0) }
        if let connectionsPerHost { configuration.httpMaximumConnectionsPerHost = connectionsPerHost }
        if let requestTimeout { configuration.timeoutIntervalForRequest = StepRequest.seconds(requestTimeout) }
        if let resourceTimeout { configuration.timeoutIntervalForResource = StepRequest.seconds(resourceTimeout) }
        return configuration
    }

    /// The program's proxy for http and https; without one, the proxy for its host names.
    private var proxyDictionary: [AnyHashable: Any] {
        let isOfNames = proxy == nil && names != nil
        guard let proxy = proxy ?? (isOfNames ? namesProxy : nil), let (host, port) = Self.authority(proxy) else {
            return [:]
        }
        var dictionary: [AnyHashable: Any] = [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
        if isOfNames { dictionary["ExceptionsList"] = ["127.0.0.1", "127.*", "::1"] }
        return dictionary
    }

    private static func memoryCache(_ byteCount: Int) -> URLCache {
        #if canImport(Darwin)
            URLCache(memoryCapacity: max(0, byteCount), diskCapacity: 0, directory: nil)
        #else
            URLCache(memoryCapacity: max(0, byteCount), diskCapacity: 0, diskPath: nil)
        #endif
    }

    /// The delegate queue; nil: the session makes its own.
    func delegateQueue() -> OperationQueue? {
        switch queue {
        case .main: .main
        case .concurrent: QueueLabel.queue("concurrent", isConcurrent: true)
        case .default: nil
        case .serial: QueueLabel.queue("D")
        }
    }

    /// The name of the queue in a trace.
    var queueLabel: String {
        switch queue {
        case .main: "main"
        case .concurrent: "concurrent"
        case .default, .serial: "D"
        }
    }

    /// Host and port of an origin or an authority; nil without a port.
    private static func authority(_ text: String) -> (host: String, port: Int)? {
        let url = URL(string: text.contains("://") ? text : "http://\(text)")
        guard let host = url?.host, let port = url?.port else { return nil }
        return (host, port)
    }
}
