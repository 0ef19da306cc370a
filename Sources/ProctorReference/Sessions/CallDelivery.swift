internal import ProctorHTTP

/// One call on its way to a delegate, with what its answer is for.
struct CallDelivery: Sendable {
    private let call: SessionCall
    private let task: ReferenceTask
    /// nil after the end.
    private let load: Load?
    /// Bytes that are read on for when the call was made.
    private let byteCount: Int
    /// The task's own delegate is passed over, by a session that is broken on purpose.
    private let isForSession: Bool
    private let asking: OpenQuestion?
    private let during: OpenQuestion?
    /// Only of the call that is for it; the course lets go of it at the end.
    private let handler: (@Sendable (TaskOutcome) -> Void)?

    /// Of a call where it belongs.
    init(_ call: SessionCall, of task: ReferenceTask, load: Load?) {
        self.init(PlacedCall(call), of: task, load: load)
    }

    init(_ placed: PlacedCall<SessionCall>, of task: ReferenceTask, load: Load?, consuming byteCount: Int = 0) {
        call = placed.call
        isForSession = placed.isForSession
        asking = placed.asking
        during = placed.during
        self.task = task
        self.load = load
        self.byteCount = byteCount
        if case .handler = placed.call, case .handler(let handler)? = task.course.sink {
            self.handler = handler
        } else {
            handler = nil
        }
    }

    private var session: ReferenceSession { task.session }

    /// The task's own delegate stands before the session's (R55).
    private var delegate: (any ReferenceTaskDelegate)? {
        isForSession ? session.delegate : task.delegate ?? session.delegate
    }

    /// False where nobody is told.
    var needsQueue: Bool {
        switch call {
        case .handler, .sessionInvalid: true
        default: delegate != nil
        }
    }

    /// Nobody is there to be told, or it is too late to be told.
    private func isPastDue() -> Bool {
        if isForSession, task.delegate == nil { return true }
        guard let during else { return false }
        // A cancel in place of an answer ends the wait, too.
        return task.state != .running || !during.use()
    }

    /// Makes it on this thread and returns when the delegate has returned.
    func make() {
        guard !isPastDue() else { return cleanUp() }
        if let delegate { tell(delegate) } else { answerByDefault() }
        switch call {
        case .handler(let outcome): handler?(outcome)
        case .sessionInvalid: session.delegate?.sessionDidBecomeInvalid(session)
        default: break
        }
        cleanUp()
    }

    /// Its queue takes no calls any more: the load goes on as if nobody was there to be told.
    func skip() {
        answerByDefault()
        cleanUp()
    }

    private func cleanUp() {
        switch call {
        case .handler(let outcome): outcome.file?.remove()
        case .fileReady(let file): file.remove()
        default: break
        }
        if byteCount > 0 { load?.didConsume(byteCount) }
    }

    private func tell(_ delegate: any ReferenceTaskDelegate) {
        switch call {
        case .created: delegate.session(session, didCreate: task)
        case .bodySent(let progress): delegate.session(session, task: task, didSendBody: progress)
        case .informational(let head): delegate.session(session, task: task, didReceiveInterim: head)
        case .data(let bytes): delegate.session(session, task: task, didReceive: bytes)
        case .becameDownload: delegate.session(session, didTurnIntoDownload: task)
        case .downloadResumed(let offset, let expected):
            delegate.session(session, task: task, didResumeAt: offset, expected: expected)
        case .progress(let progress): delegate.session(session, task: task, didWrite: progress)
        case .fileReady(let file): delegate.session(session, task: task, didFinishDownloadingTo: file.path)
        case .metrics(let metrics): delegate.session(session, task: task, didCollect: metrics)
        case .complete(let error): delegate.session(session, task: task, didCompleteWith: error)
        case .redirect, .challenge, .sessionChallenge, .needBodyStream, .response, .willCache: ask(delegate)
        case .handler, .sessionInvalid: break
        }
    }

    private func ask(_ delegate: any ReferenceTaskDelegate) {
        switch call {
        case .redirect(let next, let response):
            let answer = FirstAnswer<ClientRequest?> { [load, asking] answer in
                asking?.close()
                load?.answer(.redirectAnswered(answer))
            }
            delegate.session(session, task: task, willRedirectTo: next, from: response) { answer($0) }
        case .challenge(let challenge):
            let answer = FirstAnswer<LoadEvent.ChallengeAnswer> { [load, asking] answer in
                asking?.close()
                load?.answer(.challengeAnswered(answer))
            }
            delegate.session(session, task: task, didReceive: challenge) { answer($0) }
        case .sessionChallenge(var challenge):
            guard let delegate = session.delegate else { return answerByDefault() }
            challenge.taskNumber = task.number
            let answer = FirstAnswer<LoadEvent.ChallengeAnswer> { [load] in load?.answer(.challengeAnswered($0)) }
            delegate.session(session, didReceive: challenge) { answer($0) }
        case .needBodyStream:
            let answer = FirstAnswer<BodyStream?> { [load] in load?.answer(.bodyStreamAnswered($0)) }
            delegate.session(session, task: task, needsBodyStream: { answer($0) })
        case .response(let response):
            let answer = FirstAnswer<ResponseDisposition> { [task, asking] disposition in
                asking?.close()
                task.session.onLoop { task.course.dispose(disposition) }
            }
            delegate.session(session, task: task, didReceive: response) { answer($0) }
        case .willCache(let response, let byteCount):
            let answer = FirstAnswer<Bool> { [load] in load?.answer(.cacheAnswered(isStored: $0)) }
            delegate.session(session, task: task, willStore: response, byteCount: byteCount) { answer($0) }
        default: break
        }
    }

    /// Gives the answer of a client that nobody watches; nothing for what is no question.
    func answerByDefault() {
        if let answer = call.question?.defaultAnswer { load?.answer(answer) }
    }
}
