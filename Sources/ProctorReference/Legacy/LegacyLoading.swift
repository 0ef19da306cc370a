/// A load of the old kind, as its delegate sees it: a connection or a download.
///
/// Calls come on the ``CallbackQueue`` it was scheduled on, and on no other thread (R47).
public protocol LegacyLoading: AnyObject, Sendable {
    /// What was asked for first.
    var originalRequest: ClientRequest { get }

    /// Begins; to be called once, from any thread.
    func start()

    /// Ends the load without a word to its delegate: no call begins after this, not even one that is due (R6, R42).
    ///
    /// That holds where it is called on the callback queue; called from elsewhere, one call may be under way meanwhile.
    func cancel()

    /// Returns when the last call has returned, or after a cancel when nothing can come any more.
    ///
    /// Returns at once when the task is cancelled.
    func ended() async
}

/// The methods that the delegates of all loads of the old kind share; each has an answer where it is left out.
public protocol LegacyDelegate: AnyObject, Sendable {
    /// Which of the methods for challenges there are; read once, when the load is made (R19).
    var challengeMethods: LegacyChallengeMethods { get }

    /// Whether default handling may use stored credentials; asked once, before anything else (R19). Left out: yes.
    func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool

    /// A request that is about to be sent.
    ///
    /// Without a response it is what was asked for, in canonical form (R7): another one is sent in its place, and nil
    /// fails the load. With one it is where that redirects to: nil refuses it (R5). Left out: sent as it is.
    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest?

    /// Whether challenges of that space can be answered; no leads to default handling. Left out: no.
    func load(_ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace) -> Bool

    /// To be answered, here or later.
    ///
    /// Comes as `didReceiveAuthenticationChallenge` or as `willSendRequestForAuthenticationChallenge`, as
    /// ``challengeMethods`` has it. Left out: default handling.
    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge)

    /// That challenge needs no answer any more (R11); only of ``LegacyChallengeMethods/oldTrio``.
    func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge)
}

/// Which way a delegate is asked for credentials (R19).
public enum LegacyChallengeMethods: Sendable, Equatable {
    /// No way: every challenge gets default handling.
    case none
    /// `canAuthenticateAgainstProtectionSpace`, `didReceiveAuthenticationChallenge`, `didCancelAuthenticationChallenge`.
    case oldTrio
    /// `willSendRequestForAuthenticationChallenge`, with which none of the old three is sent.
    ///
    /// NSURLDownload does not know it; there it counts as ``none``.
    case newMethod
}

extension LegacyDelegate {
    /// No method for challenges.
    public var challengeMethods: LegacyChallengeMethods { .none }

    /// Yes.
    public func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool { true }

    /// As it is.
    public func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? { request }

    /// No.
    public func load(
        _ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace
    ) -> Bool { false }

    /// Default handling.
    public func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        challenge.performDefaultHandling()
    }

    /// Does nothing.
    public func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge) {}
}

/// A challenge that can be answered from any thread; the first answer counts.
public final class LegacyChallenge: Sendable {
    /// What is asked.
    public let challenge: LoadChallenge
    private let give: FirstAnswer<LoadEvent.ChallengeAnswer>

    init(_ challenge: LoadChallenge, give: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) {
        self.challenge = challenge
        self.give = FirstAnswer(give)
    }

    /// Answers; `goOnWithout` does not look into the credential storage.
    public func answer(_ answer: LoadEvent.ChallengeAnswer) { give(answer) }

    /// As if there were no method for challenges: a stored credential is tried once, else the 401 is delivered (R13).
    public func performDefaultHandling() { give(.byDefault) }
}
