internal import ProctorBase
internal import ProctorHTTP

struct CallDelivery: Sendable {
    private let placed: PlacedCall
    private let task: ReferenceTask
    private let load: Load?
    /// The bytes that the load counts as processed after the call.
    private let byteCount: Int
    /// The handler, for its call only; the task's load releases it at the end.
    private let handler: (@Sendable (TaskOutcome) -> Void)?

    init(_ placed: PlacedCall, of task: ReferenceTask, load: Load?, consuming byteCount: Int = 0, to sink: TaskSink?) {
        (self.placed, self.task, self.load, self.byteCount) = (placed, task, load, byteCount)
        if case .handler = placed.call, case .handler(let handler)? = sink {
            self.handler = handler
        } else {
            handler = nil
        }
    }

    private var session: ReferenceSession { task.session }

    /// The task's own delegate is used before the session's, method by method (R55).
    private var delegate: (any ReferenceTaskDelegate)? {
        if !placed.isForSession, let own = task.delegate, !placed.isMissing(in: own) { return own }
        guard let common = session.delegate, !placed.isMissing(in: common) else { return nil }
        return common
    }

    var needsQueue: Bool {
        switch placed.call {
        case .handler, .sessionInvalid: true
        default: delegate != nil
        }
    }

    /// Whether there is no delegate, or the call is too late.
    private func isPastDue() -> Bool {
        if placed.isForSession, task.delegate == nil { return true }
        guard let during = placed.during else { return false }
        // A cancel instead of an answer ends the question too.
        return task.state != .running || !during.use()
    }

    /// Makes the call on this thread and returns after the delegate has.
    func make() {
        guard !isPastDue() else { return cleanUp() }
        if let delegate { notify(delegate) } else { answerByDefault() }
        switch placed.call {
        case .handler(let outcome): handler?(outcome)
        case .sessionInvalid: session.delegate?.sessionDidBecomeInvalid(session)
        default: break
        }
        cleanUp()
    }

    /// Continues the load as without a delegate, since the queue has ended.
    func skip() {
        answerByDefault()
        cleanUp()
    }

    private func answerByDefault() {
        if let answer = placed.defaultAnswer { load?.submit(answer) }
    }

    private func cleanUp() {
        switch placed.call {
        case .handler(let outcome): outcome.file?.remove()
        case .fileReady(let file): file.expire()
        default: break
        }
        if byteCount > 0 { load?.didConsume(byteCount) }
    }

    private func notify(_ delegate: any ReferenceTaskDelegate) {
        let answer = FirstAnswer<LoadEvent> { submitAnswer($0) }
        if case .sessionChallenge(var challenge) = placed.call {
            guard let delegate = session.delegate else { return answerByDefault() }
            challenge.taskNumber = task.number
            return delegate.session(session, didReceive: challenge) { answer(.challengeAnswered($0)) }
        }
        if let receiver = delegate as? any CallReceiver {
            return receiver.receive(placed.call, of: task, in: session) { answer($0) }
        }
        switch placed.call {
        case .created: delegate.session(session, didCreate: task)
        case .bodySent(let progress): delegate.session(session, task: task, didSendBody: progress)
        case .informational(let head): delegate.session(session, task: task, didReceiveInterim: head)
        case .data(let bytes): delegate.session(session, task: task, didReceive: bytes)
        case .becameDownload: delegate.session(session, didTurnIntoDownload: task)
        case .downloadResumed(_, let offset, let expected):
            delegate.session(session, task: task, didResumeAt: offset, expected: expected)
        case .progress(let progress): delegate.session(session, task: task, didWrite: progress)
        case .fileReady(let file): delegate.session(session, task: task, didFinishDownloadingTo: file.path)
        case .webSocketOpened(let name):
            (delegate as? any ReferenceWebSocketDelegate)?.session(session, task: task, didOpenWebSocketWith: name)
        case .webSocketClosed(let close):
            (delegate as? any ReferenceWebSocketDelegate)?.session(session, task: task, didCloseWebSocketWith: close)
        case .metrics(let metrics): delegate.session(session, task: task, didCollect: metrics)
        case .complete(let error): delegate.session(session, task: task, didCompleteWith: error)
        case .redirect(let next, let response):
            delegate.session(session, task: task, willRedirectTo: next, from: response) {
                answer(.redirectAnswered($0))
            }
        case .challenge(let challenge):
            delegate.session(session, task: task, didReceive: challenge) { answer(.challengeAnswered($0)) }
        case .needBodyStream:
            delegate.session(session, task: task, needsBodyStream: { answer(.bodyStreamAnswered($0)) })
        case .response(let response):
            delegate.session(session, task: task, didReceive: response) { answer(.responseAnswered($0)) }
        case .willCache(let response, let byteCount):
            delegate.session(session, task: task, willStore: response, byteCount: byteCount) {
                answer(.cacheAnswered($0))
            }
        default: break
        }
    }

    private func submitAnswer(_ answer: LoadEvent) {
        placed.asking?.close()
        if case .responseAnswered(let disposition) = answer {
            session.onLoop { [task] in task.load.dispose(disposition) }
        } else {
            load?.submit(answer)
        }
    }
}
