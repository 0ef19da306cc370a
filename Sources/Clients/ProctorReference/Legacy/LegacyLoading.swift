package import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load in the shape of NSURLConnection or NSURLDownload, as its delegate uses it.
///
/// All calls are made on its ``CallbackQueue`` (R47).
package protocol LegacyLoading: AnyObject, Sendable {
    var originalRequest: ClientRequest { get }

    /// Starts the load; call it once, from any thread.
    func start()

    /// Ends the load without a call to its delegate: no further call begins, not even one that is in the queue (R6,
    /// R42).
    ///
    /// This holds when it is called on the callback queue; from another thread, it may overlap with one call.
    func cancel()

    /// Returns after the last call has returned, or after a cancel when no call can follow.
    ///
    /// Returns at once when the task is cancelled.
    func ended() async
}

/// The delegate of a load in the terms of its shape: NSURLConnection, its download delegate or NSURLDownload.
///
/// All methods are called on the load's ``CallbackQueue`` (R47), and each has a default.
package protocol LegacyDelegate: AnyObject, Sendable {
    /// The methods for challenges that the delegate implements; read once, when the load is made (R19).
    var challengeMethods: LegacyChallengeMethods { get }

    /// A call without an answer.
    ///
    /// - Of every shape: `complete`, once and last, and `challengeCancelled`, only with
    ///   ``LegacyChallengeMethods/oldTrio`` (R11).
    /// - Of a connection: `bodySent`, which counts from 0 for a repetition; `response`, of which a later one replaces
    ///   the content so far (R26); and `data` (R30).
    /// - Of a connection's download: `progress`, `downloadResumed` after a lost connection, and `fileReady` in place of a
    ///   successful end, whose file is removed when the call returns, unless it was moved.
    /// - Of a download: `created`, the first call but for the question about stored credentials (R37); `response`, or
    ///   `downloadResumed` in place of it (R36); `createdDestination`; `progress`; and `decideDestination`, which asks
    ///   for ``ReferenceDownload/setDestination(_:allowingOverwrite:)`` by a single file name, whatever the server sent.
    ///   Without an answer the file has that name in the configuration's folder.
    func load(_ load: any LegacyLoading, tells call: DelegateCall)

    /// A question for yes or no.
    ///
    /// - `useCredentialStorage`: whether default handling may use stored credentials; asked once, before anything else
    ///   (R19). Default: yes.
    /// - `canAuthenticate`: whether the delegate can answer challenges of that space; no leads to default handling.
    ///   Default: no; when a ``PartialDelegate`` lacks the method: yes, except for servers, client certificates and NTLM.
    /// - `shouldDecode`, of downloads: whether the client decodes a file of that encoding; asked only for a known one
    ///   (R37). Yes stores the decoded gzip file, or the data fork of the MacBinary or BinHex file; content that can't be
    ///   decoded fails with `cannotDecodeRawData`, and the download can't be resumed. Default: no.
    func load(_ load: any LegacyLoading, permits question: DelegateCall) -> Bool

    /// A request that the load is about to send.
    ///
    /// Without a response it is the original request in canonical form (R7): the answer replaces it, and nil fails the
    /// load. With a response it is the target of a redirect: nil refuses it (R5). Default: the request as it is.
    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest?

    /// A challenge that the delegate answers now or later.
    ///
    /// Traces record it as `didReceiveAuthenticationChallenge` or `willSendRequestForAuthenticationChallenge`, by
    /// ``challengeMethods``; NSURLDownload calls only the old methods. Default: default handling.
    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge)

    /// Asks a connection's delegate for a stream, for the first sending or for a repetition; nil, the default, fails the
    /// load (R21, R22).
    func loadNeedsNewBodyStream(_ load: any LegacyLoading) -> BodyStream?

    /// Asks a connection's delegate whether to store a reply with a body of `byteCount` bytes (R32); only when the
    /// configuration has a cache.
    ///
    /// Default: store.
    func load(_ load: any LegacyLoading, willCache response: LoadResponse, byteCount: Int) -> StoringAnswer
}

/// A deliberate fault with the answers of a delegate, by the label of its breakage; `faults.tsv` says what each does.
package enum LegacyFault: String, Sendable, CaseIterable {
    case keepsResources = "decodes-into-the-wrong-fork"
    case decodesAlways = "decodes-what-it-may-not"
    case usesStorageAlways = "storage-against-its-will"
}

/// The methods by which a delegate is asked for credentials (R19).
package enum LegacyChallengeMethods: Sendable, Equatable {
    /// No method: every challenge gets default handling.
    case none
    /// `canAuthenticateAgainstProtectionSpace`, `didReceiveAuthenticationChallenge`,
    /// `didCancelAuthenticationChallenge`.
    case oldTrio
    /// `willSendRequestForAuthenticationChallenge`; the three old methods are then not called.
    ///
    /// NSURLDownload does not call it; there it has the same effect as ``none``.
    case newMethod
    /// All four methods; only the new one is called, by NSURLDownload only the old three.
    case both
}

extension LegacyDelegate {
    package var challengeMethods: LegacyChallengeMethods { .none }

    package func load(_ load: any LegacyLoading, tells call: DelegateCall) {}

    package func load(_ load: any LegacyLoading, permits question: DelegateCall) -> Bool {
        question == .useCredentialStorage
    }

    package func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? { request }

    package func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        challenge.performDefaultHandling()
    }

    package func loadNeedsNewBodyStream(_ load: any LegacyLoading) -> BodyStream? { nil }

    package func load(
        _ load: any LegacyLoading, willCache response: LoadResponse, byteCount: Int
    ) -> StoringAnswer { .store }
}

/// A challenge that any thread may answer; only the first answer counts.
package final class LegacyChallenge: Sendable {
    package let challenge: LoadChallenge
    private let give: FirstAnswer<ChallengeAnswer>

    init(_ challenge: LoadChallenge, give: @escaping @Sendable (ChallengeAnswer) -> Void) {
        self.challenge = challenge
        self.give = FirstAnswer(give)
    }

    /// `goOnWithout` ignores the credential storage.
    package func resolve(_ answer: ChallengeAnswer) { give(answer) }

    /// Answers as without a method for challenges: a stored credential is tried once, else the 401 is delivered (R13).
    package func performDefaultHandling() { give(.byDefault) }
}

/// The thread and the kept connections that all loads in these shapes share.
///
/// Apple has one for each process and hides it; here the owner calls ``stop()``.
package final class LegacyNetwork: Sendable {
    /// The configuration as it was given; its bound on content for completion handlers is for sessions only.
    package var configuration: ReferenceConfiguration { shared.configuration }
    /// The configuration's store, or the network's own.
    package var cookieStore: ReferenceCookieStore { shared.cookieStore }
    let shared: SharedState
    private let state = Locked(State())

    private struct State {
        var loads: [Int: Task<Void, Never>] = [:]
        var loadCount = 0
        var isEnded = false
    }

    /// Starts the thread; connections are opened when a load needs them.
    ///
    /// `credentials` is called for a credential that the configuration's store lacks, on the network's thread, when a
    /// delegate permits stored credentials.
    package init(
        configuration: ReferenceConfiguration = ReferenceConfiguration(),
        credentials: @escaping @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential? = { _ in nil }
    ) throws(CallFailure) {
        shared = SharedState(configuration, on: try LoadingThread(name: "legacy-network"), fallback: credentials)
    }

    /// Cancels running loads, closes all connections and ends the thread; loads that start later fail at once.
    ///
    /// Delegates of running loads receive the error `cancelled`.
    package func stop() async {
        let loads = state.withLock { state in
            state.isEnded = true
            return Array(state.loads.values)
        }
        for load in loads { load.cancel() }
        for load in loads { await load.value }
        shared.thread.stop()
        await shared.thread.ended()
    }

    var loop: EventLoop { shared.thread.loop }
    var pool: ConnectionPool { shared.thread.pool }

    // MARK: For loads

    /// Runs a command on the network's thread; false when that thread has ended.
    func enter(_ command: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isEnded { loop.submit(command) }
            return !state.isEnded
        }
    }

    /// Runs a load to its end; false when the network has ended, and then the load never begins.
    func run(_ load: Load) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            state.loadCount += 1
            let number = state.loadCount
            state.loads[number] = Task(executorPreference: loop) {
                await load.run()
                self.forget(number)
            }
            return true
        }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.loads.removeValue(forKey: number) } }

    static let hasEnded = LoadError(.cancelled, "the network of this load was ended before it began")
}
