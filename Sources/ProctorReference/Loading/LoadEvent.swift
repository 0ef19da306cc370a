public import ProctorHTTP

/// What happens to a load: from its user, from the wire, from the clock.
public enum LoadEvent: Sendable, Equatable {
    // MARK: Its user

    /// Once, first.
    case start
    /// Any time; what comes after the end is ignored (R42).
    case cancel
    /// False: the load is given up.
    case canonicalAnswered(isAccepted: Bool)
    /// A request: it is followed with that. nil: it is refused, and its own response is delivered (R5).
    case redirectAnswered(ClientRequest?)
    /// Whether stored credentials may be used (R19); any time, and before the first request where it is asked.
    case storageAnswered(isUsed: Bool)
    /// See ``ChallengeAnswer``.
    case challengeAnswered(ChallengeAnswer)
    /// nil fails the load (R22).
    case bodyStreamAnswered(BodyStream?)
    /// False: it is cancelled (R29).
    case responseAnswered(isAllowed: Bool)
    /// What is done with it is the session's business.
    case cacheAnswered(isStored: Bool)

    // MARK: The wire

    /// The handshake of a new connection waits for an answer (R18).
    case handshakeAsks(LoadChallenge)
    /// A new connection to the proxy is there, and waits to be told what to ask for a tunnel by.
    case tunnelNeeded
    /// The proxy has made the tunnel, by this 2xx.
    case tunnelOpened(ReplyHead)
    /// The proxy makes no tunnel, by this final head; nothing more is read until the loader wants it.
    case tunnelRefused(ReplyHead)
    /// So many bytes more of the content are on their way.
    case bodySent(byteCount: Int, expected: Int)
    /// An interim one, or the final one; after that nothing is read until the loader wants it.
    case head(ReplyHead)
    /// The head of a stored response, which the cache answers with; content and end follow as from the wire.
    case storedHead(ReplyHead)
    /// Content without framing and codings, not empty.
    case content([UInt8])
    /// The final reply is complete.
    case replyEnded
    /// The rest of an unwanted reply is out of the way.
    case drained
    /// The transfer is over without a complete reply.
    case failed(TransferFailure)

    // MARK: The clock

    /// The request's or the resource's time is over.
    case timedOut

    /// What the user says to a challenge (R13–R15, R18).
    public enum ChallengeAnswer: Sendable, Equatable {
        /// Try again with it.
        case use(LoadCredential)
        /// Trust the server, whatever its certificate; of a challenge of kind `serverTrust`.
        case trust
        /// Be that client; of a challenge of kind `clientCert`.
        case identify(LoadIdentity)
        /// nil credential: go on without, and deliver the 401 (R13); of a server's certificate as by default.
        case goOnWithout
        /// Default handling: with a stored credential where there is one and none was refused, else on without (R13).
        ///
        /// A server is trusted where the anchors vouch for it; the client shows the configuration's identity, or none.
        case byDefault
        /// End the load (R14).
        case cancel
        /// The next space that was offered, or R13 (R15); of a server's certificate the same as `cancel`.
        case reject
    }
}

/// Why an transfer ended early.
public struct TransferFailure: Sendable, Equatable {
    /// What the load fails with when nothing can be done.
    public var error: LoadError
    /// The request went out on a kept connection and nothing of a reply came: the server may never have seen it
    /// (RFC 9112 §9.3.1).
    public var mayBeRetried: Bool

    /// Nothing of the request was sent, so that its method is no reason not to send it again, nor its content used up.
    public var isUnsent: Bool

    /// The parts as they are.
    public init(_ error: LoadError, mayBeRetried: Bool = false, isUnsent: Bool = false) {
        self.error = error
        self.mayBeRetried = mayBeRetried
        self.isUnsent = isUnsent
    }
}

/// What the loader wants done; the shell does it in this order after the loader's state is stored.
package enum LoadAction: Sendable, Equatable {
    /// Begin an transfer; on a new connection when it is a second try.
    case send(ClientRequest, onNewConnection: Bool)
    /// Ask the proxy for a tunnel by this request, whose method is CONNECT and whose URL names the origin.
    case openTunnel(ClientRequest)
    /// Read the rest of the reply and throw it away, or close the connection where that is cheaper; then `drained`.
    case drain
    /// Give the transfer up, with its connection.
    case abort
    /// Go on with the handshake that waits for it.
    case answerHandshake(HandshakeAnswer)
    /// Tell the client.
    case tell(DelegateCall)
}
