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

/// The methods that the delegates of both shapes share; each has a default.
package protocol LegacyDelegate: AnyObject, Sendable {
    /// The methods for challenges that the delegate implements; read once, when the load is made (R19).
    var challengeMethods: LegacyChallengeMethods { get }

    /// Whether default handling may use stored credentials; asked once, before anything else (R19). Default: yes.
    func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool

    /// A request that the load is about to send.
    ///
    /// Without a response it is the original request in canonical form (R7): the answer replaces it, and nil fails the
    /// load. With a response it is the target of a redirect: nil refuses it (R5). Default: the request as it is.
    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest?

    /// Whether the delegate can answer challenges of that space; no leads to default handling.
    ///
    /// Default: no.
    ///
    /// When a ``PartialDelegate`` lacks the method: yes, except for servers, client certificates and NTLM.
    func load(_ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace) -> Bool

    /// A challenge that the delegate answers now or later.
    ///
    /// Traces record it as `didReceiveAuthenticationChallenge` or `willSendRequestForAuthenticationChallenge`, by
    /// ``challengeMethods``. Default: default handling.
    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge)

    /// The challenge no longer needs an answer (R11); only with ``LegacyChallengeMethods/oldTrio``.
    func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge)
}

/// A deliberate fault with the answers of a delegate.
package enum LegacyFault: Sendable {
    /// Decodes the resource fork of an encoded file instead of the data fork.
    case keepsResources
    /// Decodes a file whatever the answer.
    case decodesAlways
    /// Uses stored credentials whatever the answer.
    case usesStorageAlways
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

    package func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool { true }

    package func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? { request }

    package func load(
        _ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace
    ) -> Bool { false }

    package func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        challenge.performDefaultHandling()
    }

    package func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge) {}
}

/// A challenge that any thread may answer; only the first answer counts.
package final class LegacyChallenge: Sendable {
    package let challenge: LoadChallenge
    private let give: FirstAnswer<LoadEvent.ChallengeAnswer>

    init(_ challenge: LoadChallenge, give: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) {
        self.challenge = challenge
        self.give = FirstAnswer(give)
    }

    /// `goOnWithout` ignores the credential storage.
    package func resolve(_ answer: LoadEvent.ChallengeAnswer) { give(answer) }

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
