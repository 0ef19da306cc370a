internal import ProctorBase
public import ProctorHTTP

/// The delegate of a task, called on the session's queue, one call at a time (R46).
///
/// The default implementation of a method passes the call on to the session's delegate; there the default answers as
/// URLSession does (R55). No call reaches both delegates.
///
/// Every `answer` may be called at once or later, from any thread; only the first call counts, and none has an effect
/// after the task was cancelled.
public protocol ReferenceTaskDelegate: AnyObject, Sendable {
    /// The task was made; called inside the method that makes it, on its thread and not on the queue (R46, R56).
    ///
    /// A delegate that is set on the task later does not receive it.
    func session(_ session: ReferenceSession, didCreate task: ReferenceTask)

    /// A redirect: answer with the request to send, or nil to receive the redirect's own response (R3–R5). Default:
    /// follow.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void)

    /// A challenge of a known scheme in a 401, or in a proxy's 407 (R10–R17), or a question of a connection (R18).
    ///
    /// A question of a connection comes here when the session's delegate has no method for it. Default: use a stored
    /// credential that was not refused, else deliver the response; trust a server by the anchors; show the
    /// configuration's identity.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void)

    /// Asks for a stream before each transmission of a streamed body (R21, R22); nil, the default, fails the task.
    func session(
        _ session: ReferenceSession, task: ReferenceTask,
        needsBodyStream answer: @escaping @Sendable (BodyStream?) -> Void)

    /// The system accepted bytes of the body; each transmission counts from 0 (R23).
    func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress)

    /// An interim response, once for each 1xx except 101 (R27).
    func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead)

    /// The response of a data or upload task; no call follows before the answer (R28). Default: allow.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void)

    /// New content of the last response, never empty (R25, R30); reading waits for slow delegates.
    func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8])

    /// The data task became a download, after the answer `becomeDownload`; calls of a download follow (R29).
    func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask)

    /// Asks whether to store the complete response; only when the configuration has a cache (R32).
    ///
    /// Default: store.
    func session(
        _ session: ReferenceSession, task: ReferenceTask, willStore response: LoadResponse, byteCount: Int,
        answer: @escaping @Sendable (StoringAnswer) -> Void)

    /// A download resumes at `offset`, or at 0 when the earlier bytes can't be used (R36); `expected` is -1 if unknown.
    func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int)

    /// Content of a download was written to its file (R34).
    func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress)

    /// The download is complete; the file is removed when this returns, unless it was moved (R35).
    func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String)

    /// The metrics of the task, once, directly before its end (R41).
    func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics)

    /// The last call of a task (R39, R40); an error of nil is success, whatever the status (R44).
    func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?)
}

/// The delegate of a session: for tasks whose own delegate lacks a method, and for the session itself.
public protocol ReferenceSessionDelegate: ReferenceTaskDelegate {
    /// A question of a connection (R18): trust in its server (`serverTrust`), or the client's identity (`clientCert`).
    ///
    /// Challenges of HTTP are never passed here. Default: calls the method for tasks.
    func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void)

    /// The last call of an invalidated session, which then releases its delegate (R43).
    func sessionDidBecomeInvalid(_ session: ReferenceSession)
}

/// A delegate that gets the calls of tasks as values, in place of a method for each: a recorder.
package protocol CallReceiver: ReferenceSessionDelegate {
    /// `answer` takes the answer to a question, as for a method.
    func receive(
        _ call: DelegateCall, of task: ReferenceTask, in session: ReferenceSession,
        answer: @escaping @Sendable (LoadEvent) -> Void)
}

extension CallReceiver {
    /// Receives the challenge of a connection that the session's method leaves to the task.
    package func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        receive(.challenge(challenge), of: task, in: session) {
            if case .challengeAnswered(let given) = $0 { answer(given) }
        }
    }
}

// The defaults: a task's delegate passes each call on to the session's delegate, which passes none on.
extension ReferenceTaskDelegate {
    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, didCreate task: ReferenceTask) {
        session.delegate(after: self)?.session(session, didCreate: task)
    }

    /// Asks the session's delegate; without one the redirect is followed.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(request) }
        next.session(session, task: task, willRedirectTo: request, from: response, answer: answer)
    }

    /// Asks the session's delegate; without one default handling answers.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(.byDefault) }
        next.session(session, task: task, didReceive: challenge, answer: answer)
    }

    /// Asks the session's delegate; without one there is no stream, and the task fails.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask,
        needsBodyStream answer: @escaping @Sendable (BodyStream?) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(nil) }
        next.session(session, task: task, needsBodyStream: answer)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress) {
        session.delegate(after: self)?.session(session, task: task, didSendBody: progress)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead) {
        session.delegate(after: self)?.session(session, task: task, didReceiveInterim: head)
    }

    /// Asks the session's delegate; without one the content is allowed.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(.allow) }
        next.session(session, task: task, didReceive: response, answer: answer)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8]) {
        session.delegate(after: self)?.session(session, task: task, didReceive: content)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask) {
        session.delegate(after: self)?.session(session, didTurnIntoDownload: task)
    }

    /// Asks the session's delegate; without one the response may be stored.
    public func session(
        _ session: ReferenceSession, task: ReferenceTask, willStore response: LoadResponse, byteCount: Int,
        answer: @escaping @Sendable (StoringAnswer) -> Void
    ) {
        guard let next = session.delegate(after: self) else { return answer(.store) }
        next.session(session, task: task, willStore: response, byteCount: byteCount, answer: answer)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int) {
        session.delegate(after: self)?.session(session, task: task, didResumeAt: offset, expected: expected)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress) {
        session.delegate(after: self)?.session(session, task: task, didWrite: progress)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String) {
        session.delegate(after: self)?.session(session, task: task, didFinishDownloadingTo: path)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
        session.delegate(after: self)?.session(session, task: task, didCollect: metrics)
    }

    /// Calls the session's delegate.
    public func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?) {
        session.delegate(after: self)?.session(session, task: task, didCompleteWith: error)
    }
}

extension ReferenceSessionDelegate {
    /// Calls the method for tasks.
    public func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        session.askTask(challenge, answer: answer)
    }

    /// Does nothing.
    public func sessionDidBecomeInvalid(_ session: ReferenceSession) {}
}

extension ReferenceSession {
    /// Calls the method for tasks, for the task that opened the connection.
    package func askTask(_ challenge: LoadChallenge, answer: @escaping @Sendable (ChallengeAnswer) -> Void) {
        guard let number = challenge.taskNumber, let task = state.withLock({ $0.tasks[number] }),
            let delegate: any ReferenceTaskDelegate = task.delegate ?? delegate
        else { return answer(.byDefault) }
        delegate.session(self, task: task, didReceive: challenge, answer: answer)
    }

    /// The session's delegate after a task's own; nil after the session's.
    fileprivate func delegate(after other: any ReferenceTaskDelegate) -> (any ReferenceTaskDelegate)? {
        guard let delegate, delegate !== other else { return nil }
        return delegate
    }
}

/// The numbers of one callback for an upload (R23) or a download (R34), in bytes.
public struct TransferProgress: Sendable, Hashable {
    /// The new bytes of this callback, at least 1.
    public var byteCount: Int
    /// The bytes of this transmission so far, with those of this callback; for a resumed download also the earlier
    /// bytes.
    public var total: Int
    /// The total at the end; -1 when it is unknown.
    public var expected: Int

    /// Makes a value without checking the numbers.
    package init(byteCount: Int, total: Int, expected: Int) {
        (self.byteCount, self.total, self.expected) = (byteCount, total, expected)
    }
}

/// The metrics of a task (R41).
public struct ReferenceMetrics: Sendable, Hashable {
    /// The number of requests that were sent; redirects, repetitions with a credential and retries are counted too.
    public var exchangeCount: Int

    /// The ALPN name of the protocol of the last request: `h2` or `http/1.1`; nil when none was sent.
    public var protocolName: String?

    /// Makes metrics with the given count and protocol.
    package init(exchangeCount: Int, protocolName: String? = nil) {
        (self.exchangeCount, self.protocolName) = (exchangeCount, protocolName)
    }
}

/// The delegate's decision about a data task after its response (R29).
public enum ResponseDisposition: Sendable, Hashable {
    /// Delivers the content.
    case allow
    /// Ends the task with `cancelled`; no content is delivered.
    case cancel
    /// Makes the task a download with the same number.
    case becomeDownload
}
