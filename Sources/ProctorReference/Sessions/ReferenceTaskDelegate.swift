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
    /// where the anchors vouch for it, and a client is whom the configuration names.
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
