package import ProctorHTTP

/// What the user of a load is told or asked: the one vocabulary of every shape.
///
/// A load makes the calls of the first group, in this order and nothing else; which questions it asks depends on its
/// policy. A shape adds those of the second group and hands all of them to its delegate, handler or client.
package enum DelegateCall: Sendable, Equatable {
    // MARK: From a load

    /// The canonical form of the request, before it is sent (R7). A question: ``LoadEvent/canonicalAnswered(isAccepted:)``.
    case canonicalize(ClientRequest)
    /// A question: ``LoadEvent/redirectAnswered(_:)``.
    case redirect(to: ClientRequest, from: LoadResponse)
    /// A question: ``LoadEvent/challengeAnswered(_:)``.
    case challenge(LoadChallenge)
    /// The open challenge needs no answer any more (R11).
    case challengeCancelled(LoadChallenge)
    /// A question: ``LoadEvent/bodyStreamAnswered(_:)``.
    case needBodyStream
    /// Progress of one sending; `expected` is -1 for a stream of unknown length.
    case bodySent(TransferProgress)
    /// A 1xx but 101 (R27).
    case informational(ReplyHead)
    /// A question: ``LoadEvent/responseAnswered(isAllowed:)``.
    case response(LoadResponse)
    /// Never empty (R30).
    case data([UInt8])
    /// With the bytes of the content. A question: ``LoadEvent/cacheAnswered(isStored:)``.
    case willCache(LoadResponse, byteCount: Int)
    /// The count includes transfers that found no connection (R41).
    case metrics(ReferenceMetrics)
    /// The last call of a load; nil for success (R39, R40).
    case complete(LoadError?)

    // MARK: From a shape

    /// A task was made, told on the thread that makes it (R46, R56); or an NSURLDownload began (R37).
    case created
    /// What a connection asks, for the session's own method (R18); the same question as `challenge`.
    case sessionChallenge(LoadChallenge)
    /// Whether stored credentials may be used (R19). A question: ``LoadEvent/storageAnswered(isUsed:)``.
    case useCredentialStorage
    /// Whether a challenge of that space can be answered (R19); a question for its shape alone.
    case canAuthenticate(LoadChallenge)
    /// The cached response that a URLProtocol was given is the answer (R33).
    case cacheValidated
    /// A data task is a download from now on (R29).
    case becameDownload
    /// A download goes on at `offset`, by the response where it is known; `expected` is -1 where it is unknown (R36).
    case downloadResumed(LoadResponse?, offset: Int, expected: Int)
    /// Content of a download was written (R34).
    case progress(TransferProgress)
    /// Whether a file of that encoding is to be decoded (R37); a question for its shape alone.
    case shouldDecode(type: String)
    /// Where the file of a download is to be (R37); a question for its shape alone.
    case decideDestination(suggestedName: String)
    /// The file of a download is there, and still empty.
    case createdDestination(path: String)
    /// The file is removed when the call has returned (R35).
    case fileReady(DownloadFile)
    /// A URLProtocol fails with Cocoa's `userCancelled`, as Apple's sample does after a redirect.
    case failedAsCancelled
    /// The completion handler of a task that has one (R54).
    case handler(TaskOutcome)
    /// Names no task; nothing follows in its session (R43).
    case sessionInvalid

    /// The answer of a user without a delegate (R55); nil where the load waits for no answer.
    var defaultAnswer: LoadEvent? {
        switch self {
        case .canonicalize: .canonicalAnswered(isAccepted: true)
        case .redirect(let next, _): .redirectAnswered(next)
        case .challenge, .sessionChallenge: .challengeAnswered(.byDefault)
        case .needBodyStream: .bodyStreamAnswered(nil)
        case .response: .responseAnswered(isAllowed: true)
        case .willCache: .cacheAnswered(isStored: true)
        default: nil
        }
    }
}

/// What a task with a completion handler had in the end.
package struct TaskOutcome: Sendable, Equatable {
    /// All of the content, unless it is in the file.
    package var bytes: [UInt8] = []
    /// Of a download that worked.
    package var file: DownloadFile?
    /// The last one.
    package var response: LoadResponse?
    /// nil: all went well.
    package var error: LoadError?
}
