package import ProctorHTTP

/// A call that a session makes of a delegate: one case for each method, and one for the completion handler.
package enum SessionCall: Sendable {
    /// Inside the call that makes the task, on its thread (R46, R56).
    case created
    /// A question.
    case redirect(to: ClientRequest, from: LoadResponse)
    /// A question.
    case challenge(LoadChallenge)
    /// A question of a connection, for the session's own method (R18).
    case sessionChallenge(LoadChallenge)
    /// A question.
    case needBodyStream
    case bodySent(TransferProgress)
    case informational(ReplyHead)
    /// A question.
    case response(LoadResponse)
    case data([UInt8])
    case becameDownload
    /// A question; with the bytes of content so far.
    case willCache(LoadResponse, byteCount: Int)
    case downloadResumed(offset: Int, expected: Int)
    case progress(TransferProgress)
    /// The file is removed when the call has returned (R35).
    case fileReady(DownloadFile)
    case metrics(ReferenceMetrics)
    case complete(LoadError?)
    /// The handler of a task that has one (R54).
    case handler(TaskOutcome)
    /// Names no task; nothing follows in its session (R43).
    case sessionInvalid
}

/// What a task with a completion handler had in the end.
package struct TaskOutcome: Sendable {
    /// All of the content, unless it is in the file.
    package var bytes: [UInt8] = []
    /// Of a download that worked.
    package var file: DownloadFile?
    /// The last one.
    package var response: LoadResponse?
    /// nil: all went well.
    package var error: LoadError?
}
