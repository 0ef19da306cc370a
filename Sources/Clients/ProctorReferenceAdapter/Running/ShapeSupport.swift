internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

extension ReferenceShape {
    /// Why the shape can't run an assignment, with the name of the key; nil when it can.
    func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        if let unknown = assignment.unknownWord() { return unknown }
        if let reason = setup.missingRoute { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let fault = step.body?.fault { return "steps[\(index)].body: \(fault)" }
        }
        if let reason = missing(for: setup) ?? missingMethods(of: setup) { return "session.\(reason)" }
        if assignment.storage != nil, self == .urlProtocol || assignment.opensEventSources {
            return "storage: \(assignment.opensEventSources ? "an event source" : noun) of this client keeps nothing"
        }
        for (index, step) in assignment.steps.enumerated() {
            if step.isLaunch { return "steps[\(index)].launch: one process performs the steps of one launch" }
            if step.resume.map({ $0 < assignment.earlierSteps ?? 0 }) == true, self != .session {
                return "steps[\(index)].resume: \(noun) of this client leaves its file to no other process"
            }
            if step.page != nil { return "steps[\(index)].page: the reference client has no pages" }
            if step.task.family == .eventSource {
                if self == .session, assignment.opensEventSources {
                    if step.cancelAt == .beforeResume || step.cancelAt == .afterResume {
                        return "steps[\(index)].cancelAt: an event source is closed in one of its callbacks"
                    }
                    continue
                }
                return "steps[\(index)].task: an event source stands in a session of its own, with others alone"
            }
            if step.schedule != nil, self != .connection, self != .connectionDownload {
                return "steps[\(index)].schedule: \(noun) is not scheduled; --as connection is"
            }
            let reason =
                switch self {
                case .session: Self.sessionMissing(for: step, in: setup)
                case .connection, .connectionDownload, .download: legacyMissing(for: step)
                case .connectionSync, .connectionQueued: requestMissing(for: step)
                case .urlProtocol: Self.protocolMissing(for: step, in: setup)
                }
            if let reason = reason ?? missingAnswers(of: step) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private var noun: String {
        switch self {
        case .session: "a session"
        case .connection, .connectionDownload: "a connection"
        case .connectionSync: "a synchronous request"
        case .connectionQueued: "a queued request"
        case .download: "a download"
        case .urlProtocol: "a URLProtocol"
        }
    }

    private func missing(for setup: SessionSetup) -> String? {
        if self != .session, setup.pac != nil {
            return "pac: \(noun) of this client reads no such file; --as session does"
        }
        if self != .urlProtocol, !setup.protocols.isEmpty || setup.isShared {
            return "protocols: \(noun) of this client loads by itself; --as url-protocol asks classes"
        }
        if self != .urlProtocol, setup.keepsObjects {
            return "keepsObjects: \(noun) of this client has no such objects"
        }
        if self != .urlProtocol, setup.callsAtOnce { return "callsAtOnce: \(noun) of this client has no such classes" }
        let isSerial = setup.queue == .serial || setup.queue == .default
        switch self {
        case .session:
            if setup.queue == .main { return "queue: main; this client calls back on threads of its own" }
            return isSerial ? nil : "queue: concurrent; this client has serial queues only"
        case .connection, .connectionDownload, .download:
            if setup.connectionsPerHost != nil { return "connectionsPerHost: \(noun) has no session that limits it" }
            if setup.delegates != .session { return "delegates: \(noun) has one delegate of its own" }
            if !isSerial { return "queue: \(noun) calls back on one thread of its own" }
            if setup.end != nil || setup.endAt != nil { return "end: \(noun) has no session that could end" }
        case .connectionSync, .connectionQueued:
            if setup.delegates == .task || setup.delegates == .both { return "delegates: \(noun) has no delegate" }
            if self == .connectionSync, !isSerial { return "queue: \(noun) has none" }
            if setup.queue == .concurrent { return "queue: concurrent; this client has serial queues only" }
            if setup.end != nil || setup.endAt != nil { return "end: \(noun) has no session that could end" }
        case .urlProtocol:
            if setup.connectionsPerHost != nil { return "connectionsPerHost: a URLProtocol has no session to limit it" }
            if setup.delegates != .session, !setup.isShared {
                return "delegates: a URLProtocol has one client and no delegates"
            }
            if !isSerial { return "queue: a URLProtocol calls its client on the thread that started it" }
            if setup.endAt != nil { return "endAt: there is no session without URLSession" }
            if setup.cache != nil { return "cache: a URLProtocol is given its cached response, it keeps none" }
        }
        return nil
    }

    /// The methods that a delegate of the shape may have, among those that a program can remove.
    private var optionalMethods: Set<DelegateMethod> {
        switch self {
        case .session: [.redirect, .needBodyStream, .bodySent, .willCache, .response]
        case .connection: [.redirect, .askCanAuth, .askCredStore, .needBodyStream, .bodySent, .willCache, .response]
        case .connectionDownload: [.redirect, .askCanAuth, .askCredStore]
        case .download: [.redirect, .askCanAuth, .askCredStore, .shouldDecode, .destination]
        case .connectionSync, .connectionQueued, .urlProtocol: []
        }
    }

    private var isOld: Bool { self == .connection || self == .connectionDownload || self == .download }

    private func missingMethods(of setup: SessionSetup) -> String? {
        if let foreign = setup.without.first(where: { !optionalMethods.contains($0) }) {
            return "without: \(noun) has no method of \(foreign.rawValue) that its delegate could lack"
        }
        guard let methods = setup.challengeMethods else { return nil }
        if !isOld { return "challengeMethods: \(noun) has none of the old families' methods" }
        if self == .download, methods == .new { return "challengeMethods: a download knows the old methods alone" }
        return nil
    }

    private func missingAnswers(of step: Assignment.Step) -> String? {
        if !isOld {
            let questions = [
                ("onCanAuthenticate", step.onCanAuthenticate != nil),
                ("onCredentialStorage", step.onCredentialStorage != nil),
                ("onCanonicalize", step.onCanonicalize != nil),
            ]
            if let asked = questions.first(where: \.1) { return "\(asked.0): \(noun) asks no such question" }
        }
        if self != .download, step.onShouldDecode != nil { return "onShouldDecode: \(noun) decodes no files" }
        return nil
    }

    /// The sentence about a script: only `url-protocol` plays one.
    private var scriptless: String {
        "protocolScript: \(noun) of this client loads by itself; --as url-protocol plays scripts"
    }

    /// The sentence about settings for the file: only NSURLDownload has them.
    private var fileRefusal: String { "download: \(noun) decides itself where the file is and how long it stays" }

    private static func sessionMissing(for step: Assignment.Step, in setup: SessionSetup) -> String? {
        if step.protocolScript != nil { return session.scriptless }
        if step.task == .synchronous || step.task == .queued {
            let shape: ReferenceShape = step.task == .queued ? .connectionQueued : .connectionSync
            return "task: \(step.task) is of NSURLConnection; --as \(shape.rawValue) does it"
        }
        if setup.delegates == .none, !step.task.family.endsInHandler {
            return "task: a \(step.task) task shows nothing to a session without a delegate; only handler and async do"
        }
        if step.task != .data, step.task != .upload, step.bodyForm.isAskedFor {
            return "bodyForm: a \(step.task) task takes no streamed request"
        }
        if step.task == .async, step.suspendAt != nil { return "suspendAt: an async method can't be suspended" }
        if step.download != nil { return session.fileRefusal }
        if step.onResponse == .becomeStream { return "onResponse: becomeStream; this client has no stream tasks" }
        return nil
    }

    private func legacyMissing(for step: Assignment.Step) -> String? {
        let tasks: Set<Assignment.TaskKind> = self == .connection ? [.data, .upload] : [.download]
        guard tasks.contains(step.task) else { return "task: \(noun) does no \(step.task)" }
        if step.protocolScript != nil { return scriptless }
        if step.suspendAt != nil { return "suspendAt: \(noun) can't be suspended" }
        if step.onResponse != .allow { return "onResponse: \(noun) asks for no disposition" }
        if step.onBodyStream == .never, !Self.isCancelled(step, in: "needBodyStream") {
            return "onBodyStream: a return value can't be left out"
        }
        if step.answerAfter != nil, step.onChallenge.isEmpty {
            return "answerAfter: only challenges are answered by a call here, the rest by return value"
        }
        if let answer = step.onRedirect.first(where: { !$0.isReturnable }), !Self.isCancelled(step, in: "redirect") {
            return "onRedirect: '\(answer.word)' is nothing that a return value can say"
        }
        if self != .download, step.download != nil { return fileRefusal }
        if self != .download, step.producesResumeData { return "producesResumeData: \(noun) leaves none" }
        if self != .download, step.resume != nil { return "resume: \(noun) goes on with nothing but itself" }
        if step.task == .download, step.bodyForm.isAskedFor, step.body != nil {
            return "bodyForm: a download has no method that asks for a stream"
        }
        return nil
    }

    /// Why the shape can't run a step: caller and load can't communicate while the load runs.
    private func requestMissing(for step: Assignment.Step) -> String? {
        let tasks: Set<Assignment.TaskKind> = self == .connectionSync ? [.synchronous, .async] : [.queued, .handler]
        guard tasks.contains(step.task) else { return "task: \(noun) is no \(step.task)" }
        if step.protocolScript != nil { return scriptless }
        if step.suspendAt != nil { return "suspendAt: \(noun) can't be suspended" }
        if step.cancelAt != nil { return "cancelAt: \(noun) can't be cancelled" }
        if step.onResponse != .allow { return "onResponse: \(noun) asks for no disposition" }
        if step.onWillCache != .store { return "onWillCache: \(noun) asks nothing about the cache" }
        if step.onRedirect.contains(where: { $0 != .follow }) { return "onRedirect: \(noun) follows every redirect" }
        if step.onChallenge.contains(where: { $0 != .performDefault }) {
            return "onChallenge: \(noun) leaves every challenge to default handling"
        }
        if step.body != nil, step.bodyForm.isAskedFor { return "bodyForm: \(noun) asks for no stream" }
        if step.producesResumeData || step.resume != nil { return "resume: \(noun) leaves no resume data" }
        return nil
    }

    /// Whether the first of these questions gets no answer, because the program cancels in it.
    private static func isCancelled(_ step: Assignment.Step, in question: String) -> Bool {
        step.cancelAt == .event(question, count: 1)
    }

    /// Moments of calls to a client, and those of the driver itself.
    private static let protocolMoments: Set = [
        "before-resume", "after-resume", "redirect", "challenge", "challengeCancelled", "response", "data",
        "cacheValidated", "complete",
    ]

    private static func protocolMissing(for step: Assignment.Step, in setup: SessionSetup) -> String? {
        if step.isTogether { return "together: the driver of this client runs one load at a time" }
        if !step.byHand.isEmpty { return "byHand: a URLProtocol has no stores that an application could use" }
        // The shared session has no delegate, so its steps have a handler, which a URLProtocol can't observe.
        if step.task != .data, step.task != .upload, !(setup.isShared && step.task == .handler) {
            return "task: a URLProtocol knows nothing of \(step.task) tasks"
        }
        if step.body != nil, step.bodyForm.isAskedFor {
            return "bodyForm: a URLProtocol gets its body with the request, not as \(step.bodyForm.rawValue)"
        }
        if step.onResponse != .allow { return "onResponse: a URLProtocol takes no answer to a response" }
        if step.suspendAt != nil { return "suspendAt: a URLProtocol cannot be suspended" }
        if step.resume != nil || step.producesResumeData { return "resume: a URLProtocol has no resume data" }
        if let moment = step.cancelAt, !protocolMoments.contains(moment.word) {
            return "cancelAt: a URLProtocol tells nothing of \(moment.word)"
        }
        if step.onChallenge.contains(where: { $0.credential?.token != nil }) {
            return "onChallenge: token: a URLProtocol forwards no challenge of Bearer (R20)"
        }
        if step.onChallenge.contains(where: { ($0.credential?.persistence ?? .none) != .none }) {
            return "onChallenge: persistence: the loading system keeps credentials, a URLProtocol keeps none"
        }
        if let answer = step.onRedirect.first(where: { !$0.isForProtocols }) {
            return "onRedirect: \(answer.word): a URLProtocol is answered once"
        }
        return nil
    }
}

extension Assignment.RedirectAnswer {
    /// Whether a method can give the answer by its return value.
    fileprivate var isReturnable: Bool {
        switch self {
        case .follow, .refuse, .change, .cancel: true
        case .cancelThenFollow, .cancelThenRefuse, .never, .twice: false
        }
    }
}
