internal import ProctorBase
public import ProctorHTTP

/// Is told of a task, on the session's queue, one call at a time (R46).
///
/// What it has no method for goes to the session's delegate, and what that has no method for is answered as URLSession
/// does (R55). That is what the methods' default implementations do: they pass the call on. So no list of implemented
/// methods is needed, which could be wrong, and no call can reach both delegates.
///
/// Every `answer` may be given at once or later, from any thread; the first one counts, and none changes anything once
/// the task is cancelled.
public protocol ReferenceTaskDelegate: AnyObject, Sendable {
    /// Inside the call that makes the task, on its thread and not on the queue (R46, R56).
    ///
    /// A delegate that the task is given later is too late for it.
    func session(_ session: ReferenceSession, didCreate task: ReferenceTask)

    /// The answer is the request to be sent, or nil to be given the redirect's own response (R3–R5); else: followed.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void)

    /// A 401, or a proxy's 407, with a scheme that is known (R10–R17), or what a connection asks and the session's
    /// delegate has no method for (R18).
    ///
    /// Else: a stored credential that was not refused yet is tried, or the response is delivered; a server is trusted
    /// where the anchors vouch for it, and the client has the identity of the configuration.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void)

    /// Before a streamed body is sent, each time (R21, R22); nil fails the task, as a missing method does.
    func session(
        _ session: ReferenceSession, task: ReferenceTask,
        needsBodyStream answer: @escaping @Sendable (BodyStream?) -> Void)

    /// The totals start again with each sending (R23).
    func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress)

    /// Once for each 1xx but 101 (R27).
    func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead)

    /// Of data and upload tasks; nothing more comes before the answer (R28); else: allowed.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void)

    /// New content of the response before it, never empty (R25, R30); reading waits for slow delegates.
    func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8])

    /// After the answer `becomeDownload`; what follows are calls of a download (R29).
    func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask)

    /// After all content, if the configuration wants it and a cache might store (R32); else: stored.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, willStore response: LoadResponse, byteCount: Int,
        answer: @escaping @Sendable (_ isStored: Bool) -> Void)

    /// A download that goes on at `offset`, or at 0 when the earlier bytes are of no use (R36); expected: -1 if unknown.
    func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int)

    /// Content of a download was written (R34).
    func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress)

    /// The file is removed when this returns, unless it was moved away (R35).
    func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String)

    /// Once for each task, just before its end (R41).
    func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics)

    /// The last of a task (R39, R40); nil is success, whatever the status (R44).
    func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?)
}

/// Is told of all tasks of a session that their own delegates are not told of, and of its end.
public protocol ReferenceSessionDelegate: ReferenceTaskDelegate {
    /// What a connection asks (R18): whether its server is trusted (`serverTrust`), or who the client is (`clientCert`).
    ///
    /// Else: the task's method is asked. Never comes for what HTTP asks.
    func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void)

    /// The last call of a session that was invalidated, which lets go of its delegate then (R43).
    func sessionDidBecomeInvalid(_ session: ReferenceSession)
}

// Passes each call on to the session's delegate; a session's delegate passes none on.
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

    /// Does nothing.
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

    /// The delegate for what another one has no method for; nil after the session's own.
    fileprivate func delegate(after other: any ReferenceTaskDelegate) -> (any ReferenceTaskDelegate)? {
        guard let delegate, delegate !== other else { return nil }
        return delegate
    }
}

/// The numbers of one callback about an upload (R23) or a download (R34), in bytes.
public struct TransferProgress: Sendable, Hashable {
    /// New with this callback; never 0.
    public var byteCount: Int
    /// Of this transmission, this callback included; of a resumed download, the bytes before it too.
    public var total: Int
    /// In the end; -1 when it is unknown.
    public var expected: Int

    /// The numbers as they are.
    public init(byteCount: Int, total: Int, expected: Int) {
        self.byteCount = byteCount
        self.total = total
        self.expected = expected
    }
}

/// What was measured of a task (R41).
public struct ReferenceMetrics: Sendable, Hashable {
    /// Requests that went over the wire for it: redirects, second tries with a credential and repeats are counted.
    public var exchangeCount: Int

    /// The number as it is.
    public init(exchangeCount: Int) { self.exchangeCount = exchangeCount }
}

/// What becomes of a data task whose response has come (R29).
public enum ResponseDisposition: Sendable, Hashable {
    /// The content is delivered.
    case allow
    /// The task ends with `cancelled`, and no content is delivered.
    case cancel
    /// The task is a download from now on, under the same number.
    case becomeDownload
}
