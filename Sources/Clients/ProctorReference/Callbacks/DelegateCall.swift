internal import ProctorBase
package import ProctorHTTP

/// A call to the user of a load, the same for every shape of the client.
///
/// A load makes the calls of the first group; its policy decides which questions it asks. A shape adds the calls of the
/// second group, and passes all calls to its delegate, handler or client.
package enum DelegateCall: Sendable, Equatable {
    // MARK: From a load

    /// The canonical form of the request, before it is sent (R7). A question:
    /// ``LoadEvent/canonicalAnswered(isAccepted:)``.
    case canonicalize(ClientRequest)
    /// A question: ``LoadEvent/redirectAnswered(_:)``.
    case redirect(to: ClientRequest, from: LoadResponse)
    /// A question: ``LoadEvent/challengeAnswered(_:)``.
    case challenge(LoadChallenge)
    /// The challenge no longer needs an answer (R11).
    case challengeCancelled(LoadChallenge)
    /// A question: ``LoadEvent/bodyStreamAnswered(_:)``.
    case needBodyStream
    /// The progress of one transmission of the body; `expected` is -1 for a stream of unknown length.
    case bodySent(TransferProgress)
    /// A 1xx except 101 (R27).
    case informational(ReplyHead)
    /// A question: ``LoadEvent/responseAnswered(_:)``.
    case response(LoadResponse)
    /// Never empty (R30).
    case data([UInt8])
    /// The fields behind the content, after the last of it; never empty (RFC 9110 §6.5).
    case trailers([HTTPField])
    /// Asks whether to store a response with this many bytes of content.
    ///
    /// A question: ``LoadEvent/cacheAnswered(_:)``.
    case willCache(LoadResponse, byteCount: Int)
    /// The metrics; the count includes transfers without a connection (R41).
    case metrics(ReferenceMetrics)
    /// The last call of a load; nil for success (R39, R40).
    case complete(LoadError?)

    // MARK: From a shape

    /// The task exists; called on the thread that makes it (R46, R56). Or an NSURLDownload began (R37).
    case created
    /// A challenge of a connection, for the session's own method (R18); otherwise like `challenge`.
    case sessionChallenge(LoadChallenge)
    /// Whether stored credentials may be used (R19). A question: ``LoadEvent/storageAnswered(isUsed:)``.
    case useCredentialStorage
    /// Whether the client can answer a challenge of that space (R19); the shape handles the answer.
    case canAuthenticate(LoadChallenge)
    /// The cached response that a URLProtocol received is valid (R33).
    case cacheValidated
    /// A data task became a download (R29).
    case becameDownload
    /// A download resumes at `offset`; when it is unknown, the response is nil and `expected` is -1 (R36).
    case downloadResumed(LoadResponse?, offset: Int, expected: Int)
    /// Content of a download was written (R34).
    case progress(TransferProgress)
    /// Asks whether to decode a file of that encoding (R37); the shape handles the answer.
    case shouldDecode(type: String)
    /// Asks for the path of a download's file (R37); the shape handles the answer.
    case decideDestination(suggestedName: String)
    /// The file of a download exists and is empty.
    case createdDestination(path: String)
    /// The file is removed when the call returns (R35).
    case fileReady(DownloadFile)
    /// A URLProtocol fails with Cocoa's `userCancelled`, as Apple's sample does after a redirect.
    case failedAsCancelled
    /// The WebSocket is open, with the protocol that the server has chosen (R57).
    case webSocketOpened(protocolName: String?)
    /// The server's Close frame has come (R57).
    case webSocketClosed(WebSocketClose)
    /// Calls the completion handler of a task (R54).
    case handler(TaskOutcome)
    /// The last call of a session, which belongs to no task (R43).
    case sessionInvalid

    /// The answer without a delegate (R55); nil when the load waits for no answer.
    var defaultAnswer: LoadEvent? {
        switch self {
        case .canonicalize: .canonicalAnswered(isAccepted: true)
        case .redirect(let next, _): .redirectAnswered(next)
        case .useCredentialStorage: .storageAnswered(isUsed: true)
        case .challenge, .sessionChallenge: .challengeAnswered(.byDefault)
        case .needBodyStream: .bodyStreamAnswered(nil)
        case .response: .responseAnswered(.allow)
        case .willCache: .cacheAnswered(.store)
        default: nil
        }
    }
}

/// A method that a delegate may lack; then it is not called, and its default is used.
package enum OptionalMethod: String, Sendable, CaseIterable {
    /// In the shapes of NSURLConnection and NSURLDownload also the method for `canonicalize`.
    case redirect
    case needBodyStream, bodySent, willCache
    /// A method of sessions and connections; a download makes its file after the response.
    case response
    case askCanAuth, askCredStore
    case shouldDecode, destination
}

extension DelegateCall {
    /// nil for calls whose method every delegate has.
    var method: OptionalMethod? {
        switch self {
        case .redirect, .canonicalize: .redirect
        case .needBodyStream: .needBodyStream
        case .bodySent: .bodySent
        case .willCache: .willCache
        case .response: .response
        case .canAuthenticate: .askCanAuth
        case .useCredentialStorage: .askCredStore
        case .shouldDecode: .shouldDecode
        case .decideDestination: .destination
        default: nil
        }
    }
}

/// A delegate that lacks some methods; any other delegate has all of them.
package protocol PartialDelegate: AnyObject, Sendable {
    /// The missing methods; they must not change.
    var missingMethods: Set<OptionalMethod> { get }
}

package struct TaskOutcome: Sendable, Equatable {
    /// The whole content, unless it is in a file.
    package var bytes: [UInt8] = []
    package var file: DownloadFile?
    package var response: LoadResponse?
    /// nil means success.
    package var error: LoadError?
}

/// Changes the calls that a shape makes, for a client with a deliberate fault.
package protocol CallFilter: Sendable {
    /// The calls in place of one call; called on the loop's thread, in the order of the calls.
    mutating func filter(_ call: DelegateCall) -> [PlacedCall]
}

extension (any CallFilter)? {
    /// The filter's calls; without a filter, the unchanged call.
    mutating func calls(for call: DelegateCall) -> [PlacedCall] { self?.filter(call) ?? [PlacedCall(call)] }
}

package struct PlacedCall: Sendable {
    package var call: DelegateCall
    /// Whether it is made on a thread other than the delegate's.
    package var isElsewhere: Bool
    /// Whether it is also made to the session's delegate although the task has its own; for sessions only.
    package var isForSession: Bool
    /// The question that the answer to this call ends; for sessions only.
    package var asking: OpenQuestion?
    /// The question during which the call may be made; for sessions only.
    package var during: OpenQuestion?
    /// The answer when the delegate lacks the method, in place of the call's default.
    package var otherDefault: LoadEvent?
    /// Whether it is made although the delegate lacks the method.
    package var ignoresMissing = false

    package init(
        _ call: DelegateCall, isElsewhere: Bool = false, isForSession: Bool = false,
        asking: OpenQuestion? = nil, during: OpenQuestion? = nil
    ) {
        (self.call, self.isElsewhere, self.isForSession, self.asking) = (call, isElsewhere, isForSession, asking)
        self.during = during
    }
}

extension PlacedCall {
    /// Whether the delegate has no method for the call.
    func isMissing(in delegate: any AnyObject & Sendable) -> Bool {
        guard !ignoresMissing, let method = call.method else { return false }
        return (delegate as? any PartialDelegate)?.missingMethods.contains(method) ?? false
    }

    /// The answer when no method is called; nil when the load waits for none.
    var defaultAnswer: LoadEvent? { otherDefault ?? call.defaultAnswer }
}

/// A question to a delegate; a filter makes a call only while the question has no answer.
package final class OpenQuestion: Sendable {
    private struct State {
        var isAnswered = false
        var wasUsed = false
    }
    private let state = Locked(State())

    package init() {}

    /// Whether a call was made while the question was open.
    package var wasUsed: Bool { state.withLock { $0.wasUsed } }

    func close() { state.withLock { $0.isAnswered = true } }

    /// Whether a call may be made now; if so, records that it is made.
    func use() -> Bool {
        state.withLock { state in
            if !state.isAnswered { state.wasUsed = true }
            return !state.isAnswered
        }
    }
}

extension DelegateCall {
    /// The call with the protocol in its metrics; other calls are unchanged.
    func naming(_ protocolName: String?) -> DelegateCall {
        guard case .metrics(var metrics) = self else { return self }
        metrics.protocolName = protocolName
        return .metrics(metrics)
    }
}
