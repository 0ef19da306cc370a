internal import ProctorBase
package import ProctorHTTP

/// A call to the user of a load, in the vocabulary that every shape shares.
///
/// A load makes the calls of the first group; its policy decides which questions it asks. A shape adds the second group
/// and passes all calls to its delegate, handler or client.
package enum DelegateCall: Sendable, Equatable {
    // MARK: From a load

    /// The canonical form of the request, before it is sent (R7). A question: ``LoadEvent/canonicalAnswered(isAccepted:)``.
    case canonicalize(ClientRequest)
    /// A question: ``LoadEvent/redirectAnswered(_:)``.
    case redirect(to: ClientRequest, from: LoadResponse)
    /// A question: ``LoadEvent/challengeAnswered(_:)``.
    case challenge(LoadChallenge)
    /// The open challenge needs no answer any longer (R11).
    case challengeCancelled(LoadChallenge)
    /// A question: ``LoadEvent/bodyStreamAnswered(_:)``.
    case needBodyStream
    /// Progress of one sending; `expected` is -1 for a stream of unknown length.
    case bodySent(TransferProgress)
    /// A 1xx except 101 (R27).
    case informational(ReplyHead)
    /// A question: ``LoadEvent/responseAnswered(isAllowed:)``.
    case response(LoadResponse)
    /// Never empty (R30).
    case data([UInt8])
    /// With the bytes of the content. A question: ``LoadEvent/cacheAnswered(_:)``.
    case willCache(LoadResponse, byteCount: Int)
    /// The count includes transfers that found no connection (R41).
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
    /// The cached response that a URLProtocol received is the answer (R33).
    case cacheValidated
    /// A data task became a download (R29).
    case becameDownload
    /// A download resumes at `offset`; the response is nil where it is unknown, `expected` then -1 (R36).
    case downloadResumed(LoadResponse?, offset: Int, expected: Int)
    /// Content of a download was written (R34).
    case progress(TransferProgress)
    /// Whether a file of that encoding is to be decoded (R37); the shape handles the answer.
    case shouldDecode(type: String)
    /// Where the file of a download is to be (R37); the shape handles the answer.
    case decideDestination(suggestedName: String)
    /// The file of a download exists and is empty.
    case createdDestination(path: String)
    /// The file is removed when the call returns (R35).
    case fileReady(DownloadFile)
    /// A URLProtocol fails with Cocoa's `userCancelled`, as Apple's sample does after a redirect.
    case failedAsCancelled
    /// Calls the completion handler of a task (R54).
    case handler(TaskOutcome)
    /// Belongs to no task and is the last call of its session (R43).
    case sessionInvalid

    /// The answer where there is no delegate (R55); nil where the load waits for no answer.
    var defaultAnswer: LoadEvent? {
        switch self {
        case .canonicalize: .canonicalAnswered(isAccepted: true)
        case .redirect(let next, _): .redirectAnswered(next)
        case .useCredentialStorage: .storageAnswered(isUsed: true)
        case .challenge, .sessionChallenge: .challengeAnswered(.byDefault)
        case .needBodyStream: .bodyStreamAnswered(nil)
        case .response: .responseAnswered(isAllowed: true)
        case .willCache: .cacheAnswered(.store)
        default: nil
        }
    }
}

/// A method that a delegate may lack; then nothing is called, and the default holds.
package enum OptionalMethod: String, Sendable, CaseIterable {
    /// In old shapes also the method for `canonicalize`.
    case redirect
    case needBodyStream, bodySent, willCache
    /// Of sessions and connections; a download's file is made behind it.
    case response
    case askCanAuth, askCredStore
    case shouldDecode, destination
}

extension DelegateCall {
    /// nil for calls whose method no delegate lacks.
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

/// A delegate without some methods; one that is no `PartialDelegate` has them all.
package protocol PartialDelegate: AnyObject, Sendable {
    /// Must not change.
    var missingMethods: Set<OptionalMethod> { get }
}

package struct TaskOutcome: Sendable, Equatable {
    /// The whole content, unless it is in the file.
    package var bytes: [UInt8] = []
    /// Only of a successful download.
    package var file: DownloadFile?
    package var response: LoadResponse?
    /// nil means success.
    package var error: LoadError?
}

/// Changes the calls that a shape makes; for clients that are broken on purpose.
package protocol CallFilter: Sendable {
    /// The calls to make in place of one call; runs on the loop's thread, in the order of the calls.
    mutating func filter(_ call: DelegateCall) -> [PlacedCall]
}

extension (any CallFilter)? {
    /// Without a filter the call is unchanged.
    mutating func calls(for call: DelegateCall) -> [PlacedCall] { self?.filter(call) ?? [PlacedCall(call)] }
}

package struct PlacedCall: Sendable {
    package var call: DelegateCall
    /// On a thread other than the delegate's.
    package var isElsewhere: Bool
    /// Also made to the session's delegate, although the task has its own; only sessions use it.
    package var isForSession: Bool
    /// The answer to the call closes this question; only sessions use it.
    package var asking: OpenQuestion?
    /// The call is made only while this question is open; only sessions use it.
    package var during: OpenQuestion?
    /// The answer where the delegate lacks the method, in place of the call's own default.
    package var otherDefault: LoadEvent?
    /// Made although the delegate lacks the method.
    package var ignoresMissing = false

    package init(
        _ call: DelegateCall, isElsewhere: Bool = false, isForSession: Bool = false,
        asking: OpenQuestion? = nil, during: OpenQuestion? = nil
    ) {
        self.call = call
        self.isElsewhere = isElsewhere
        self.isForSession = isForSession
        self.asking = asking
        self.during = during
    }
}

extension PlacedCall {
    /// Whether the delegate has no method for the call.
    func isMissing(in delegate: any AnyObject & Sendable) -> Bool {
        guard !ignoresMissing, let method = call.method else { return false }
        return (delegate as? any PartialDelegate)?.missingMethods.contains(method) ?? false
    }

    /// The answer where nothing is called; nil where the load waits for none.
    var defaultAnswer: LoadEvent? { otherDefault ?? call.defaultAnswer }
}

/// A question to a delegate: a filter makes a call only while the question has no answer.
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

    /// Whether a call may be made now; true also records that it is made.
    func use() -> Bool {
        state.withLock { state in
            if !state.isAnswered { state.wasUsed = true }
            return !state.isAnswered
        }
    }
}

extension DelegateCall {
    /// The call with what metrics say of the protocol; any other is unchanged.
    func naming(_ protocolName: String?) -> DelegateCall {
        guard case .metrics(var metrics) = self else { return self }
        metrics.protocolName = protocolName
        return .metrics(metrics)
    }
}
