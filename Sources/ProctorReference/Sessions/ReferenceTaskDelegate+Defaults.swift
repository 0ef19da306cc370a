internal import ProctorBase
public import ProctorHTTP

// Passes each call on to the session's delegate; a session's delegate has nobody to pass it on to.
extension ReferenceTaskDelegate {
    /// Passes it on.
    public func session(_ session: ReferenceSession, didCreate task: ReferenceTask) {
        session.delegate(after: self)?.session(session, didCreate: task)
    }

    /// Passes it on, or follows.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(request) }
        next.session(session, task: task, willRedirectTo: request, from: response, answer: answer)
    }

    /// Passes it on, or leaves it to default handling.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(.byDefault) }
        next.session(session, task: task, didReceive: challenge, answer: answer)
    }

    /// Passes it on, or gives none.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask,
        needsBodyStream answer: @escaping @Sendable (BodyStream?) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(nil) }
        next.session(session, task: task, needsBodyStream: answer)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress) {
        session.delegate(after: self)?.session(session, task: task, didSendBody: progress)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead) {
        session.delegate(after: self)?.session(session, task: task, didReceiveInterim: head)
    }

    /// Passes it on, or allows it.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(.allow) }
        next.session(session, task: task, didReceive: response, answer: answer)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8]) {
        session.delegate(after: self)?.session(session, task: task, didReceive: content)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask) {
        session.delegate(after: self)?.session(session, didTurnIntoDownload: task)
    }

    /// Passes it on, or says yes.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, willStore response: LoadResponse, byteCount: Int,
        answer: @escaping @Sendable (_ isStored: Bool) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(true) }
        next.session(session, task: task, willStore: response, byteCount: byteCount, answer: answer)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int) {
        session.delegate(after: self)?.session(session, task: task, didResumeAt: offset, expected: expected)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress) {
        session.delegate(after: self)?.session(session, task: task, didWrite: progress)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String) {
        session.delegate(after: self)?.session(session, task: task, didFinishDownloadingTo: path)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
        session.delegate(after: self)?.session(session, task: task, didCollect: metrics)
    }

    /// Passes it on.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?) {
        session.delegate(after: self)?.session(session, task: task, didCompleteWith: error)
    }
}

extension ReferenceSessionDelegate {
    /// Asks the method of the task.
    public func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void
    ) {
        session.askTask(challenge, answer: answer)
    }

    /// Nobody else is told.
    public func sessionDidBecomeInvalid(_ session: ReferenceSession) {}
}

extension ReferenceSession {
    /// Asks the method of the task whose connection it is.
    package func askTask(
        _ challenge: LoadChallenge, answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void
    ) {
        guard let number = challenge.taskNumber, let task = state.withLock({ $0.tasks[number] }),
            let delegate: any ReferenceTaskDelegate = task.delegate ?? delegate
        else { return answer(.byDefault) }
        delegate.session(self, task: task, didReceive: challenge, answer: answer)
    }

    /// Who is told what a delegate has no method for; nil after the session's own.
    fileprivate func delegate(after other: any ReferenceTaskDelegate) -> (any ReferenceTaskDelegate)? {
        guard let delegate, delegate !== other else { return nil }
        return delegate
    }
}
