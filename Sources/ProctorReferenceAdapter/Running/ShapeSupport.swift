internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

extension ReferenceShape {
    /// Why the shape cannot run an assignment, with the name of the key; nil when it can.
    func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        if let unknown = assignment.unknownWord() { return unknown }
        if let reason = setup.missingRoute { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            if let fault = step.body?.fault { return "steps[\(index)].body: \(fault)" }
        }
        if let reason = missing(for: setup) { return "session.\(reason)" }
        for (index, step) in assignment.steps.enumerated() {
            let reason =
                switch self {
                case .session: Self.sessionMissing(for: step, in: setup)
                case .connection, .connectionDownload, .download: legacyMissing(for: step)
                case .urlProtocol: Self.protocolMissing(for: step)
                }
            if let reason { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private var noun: String {
        switch self {
        case .session: "a session"
        case .connection, .connectionDownload: "a connection"
        case .download: "a download"
        case .urlProtocol: "a URLProtocol"
        }
    }

    private func missing(for setup: SessionSetup) -> String? {
        let isSerial = setup.queue == .serial || setup.queue == .default
        switch self {
        case .session:
            if setup.queue == .main { return "queue: main; this client calls back on threads of its own" }
            return isSerial ? nil : "queue: concurrent; this client has serial queues only"
        case .connection, .connectionDownload, .download:
            if setup.delegates != .session { return "delegates: \(noun) has one delegate of its own" }
            if !isSerial { return "queue: \(noun) calls back on one thread of its own" }
            if setup.end != nil || setup.endAt != nil { return "end: \(noun) has no session that could end" }
        case .urlProtocol:
            if setup.delegates != .session { return "delegates: a URLProtocol has one client and no delegates" }
            if !isSerial { return "queue: a URLProtocol calls its client on the thread that started it" }
            if setup.endAt != nil { return "endAt: there is no session without URLSession" }
            if setup.cache != nil { return "cache: a URLProtocol is given its cached response, it keeps none" }
        }
        return nil
    }

    /// The sentence about a script: only `url-protocol` plays one.
    private var scriptless: String {
        "protocolScript: \(noun) of this client loads by itself; --as url-protocol plays scripts"
    }

    private static func sessionMissing(for step: Assignment.Step, in setup: SessionSetup) -> String? {
        if step.protocolScript != nil { return session.scriptless }
        if setup.delegates == .none, step.task.family != .sessionHandler {
            return "task: a \(step.task) task shows nothing to a session without a delegate; only handler and async do"
        }
        if step.task != .data, step.task != .upload, step.bodyForm.isAskedFor {
            return "bodyForm: a \(step.task) task takes no streamed request"
        }
        if step.task == .async, step.suspendAt != nil { return "suspendAt: an async method can't be suspended" }
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
        if self != .download, step.producesResumeData { return "producesResumeData: \(noun) leaves none" }
        if self != .download, step.resume != nil { return "resume: \(noun) goes on with nothing but itself" }
        if step.task == .download, step.bodyForm.isAskedFor, step.body != nil {
            return "bodyForm: a download has no method that asks for a stream"
        }
        return nil
    }

    /// Whether the first of these questions gets no answer, because the program cancels in it.
    private static func isCancelled(_ step: Assignment.Step, in question: String) -> Bool {
        step.cancelAt == .event(question, count: 1)
    }

    /// Moments of calls to a client, and those that a driver has itself.
    private static let protocolMoments: Set = [
        "before-resume", "after-resume", "redirect", "challenge", "challengeCancelled", "response", "data",
        "cacheValidated", "complete",
    ]

    private static func protocolMissing(for step: Assignment.Step) -> String? {
        if step.task != .data, step.task != .upload {
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
