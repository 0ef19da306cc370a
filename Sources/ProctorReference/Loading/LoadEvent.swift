public import ProctorHTTP

/// What happens to a load: events of its user, its transfer and its clock.
public enum LoadEvent: Sendable, Equatable {
    // MARK: Its user

    /// The first event, exactly once.
    case start
    /// May come at any time; ignored after the end (R42).
    case cancel
    /// False fails the load.
    case canonicalAnswered(isAccepted: Bool)
    /// A request is followed; nil refuses the redirect, and the redirect's own response is delivered (R5).
    case redirectAnswered(ClientRequest?)
    /// Whether stored credentials may be used (R19); at any time, but before the first request where the client is
    /// asked.
    case storageAnswered(isUsed: Bool)
    case challengeAnswered(ChallengeAnswer)
    /// nil fails the load (R22).
    case bodyStreamAnswered(BodyStream?)
    /// False cancels the load (R29).
    case responseAnswered(isAllowed: Bool)
    /// The session acts on the answer.
    case cacheAnswered(StoringAnswer)

    // MARK: The wire

    /// The handshake of a new connection waits for an answer (R18).
    case handshakeAsks(LoadChallenge)
    /// A new connection to the proxy exists and waits for its CONNECT request.
    case tunnelNeeded
    /// The proxy made the tunnel and answered with this 2xx.
    case tunnelOpened(ReplyHead)
    /// The proxy refused the tunnel with this final head; the transfer reads no more until the loader asks for it.
    case tunnelRefused(ReplyHead)
    /// The system took `byteCount` more bytes of the content.
    case bodySent(byteCount: Int, expected: Int)
    /// An interim head, or the final one; after that the transfer reads no more until the loader asks for it.
    case head(ReplyHead)
    /// The head of a stored response; its content and end follow like those of a transfer.
    case storedHead(ReplyHead)
    /// Content without framing and codings, never empty.
    case content([UInt8])
    /// The final reply is complete.
    case replyEnded
    /// The rest of an unwanted reply has been read or its connection closed.
    case drained
    /// The transfer ended without a complete reply.
    case failed(TransferFailure)

    // MARK: The clock

    /// The request's or the resource's time limit is over.
    case timedOut

    /// The user's answer to a challenge (R13–R15, R18).
    public enum ChallengeAnswer: Sendable, Equatable {
        /// Send the request again with this credential.
        case use(LoadCredential)
        /// Trust the server, whatever its certificate; for a challenge of kind `serverTrust`.
        case trust
        /// Show this identity; for a challenge of kind `clientCert`.
        case identify(LoadIdentity)
        /// Continue without a credential and deliver the 401 (R13); for a server's certificate default handling.
        case goOnWithout
        /// Default handling: use a stored credential that was not refused, else continue without one (R13).
        ///
        /// A server is trusted by the anchors; the client shows the configuration's identity, or none.
        case byDefault
        /// End the load (R14).
        case cancel
        /// Ask about the next offered space, else continue as R13 says (R15); for a server's certificate like `cancel`.
        case reject
    }
}

extension LoadEvent {
    /// Whether the event comes from a transfer.
    var isOfTheWire: Bool {
        switch self {
        case .handshakeAsks, .tunnelNeeded, .tunnelOpened, .tunnelRefused, .bodySent, .head, .storedHead, .content,
            .replyEnded, .drained, .failed:
            true
        default: false
        }
    }
}

/// Why a transfer ended without a complete reply.
public struct TransferFailure: Sendable, Equatable {
    /// The error of the load, unless the request is repeated.
    public var error: LoadError
    /// The request used a kept connection and no byte of a reply came, so the server may not have seen it (RFC 9112
    /// §9.3.1).
    public var mayBeRetried: Bool

    /// No byte of the request was sent: it can be repeated whatever its method, and its content is not used up.
    public var isUnsent: Bool

    /// The server says that it has not processed the request, which can be repeated whatever its method (RFC 9113 §8.7).
    public var isUnprocessed: Bool

    /// Makes a failure; by default the request may not be repeated.
    public init(
        _ error: LoadError, mayBeRetried: Bool = false, isUnsent: Bool = false, isUnprocessed: Bool = false
    ) {
        self.isUnprocessed = isUnprocessed
        self.error = error
        self.mayBeRetried = mayBeRetried
        self.isUnsent = isUnsent
    }
}

/// An action of the loader; the shell carries the actions out in order, after it has stored the loader's state.
package enum LoadAction: Sendable, Equatable {
    /// Begin a transfer; a second attempt uses a new connection.
    case send(ClientRequest, onNewConnection: Bool)
    /// Ask the proxy for a tunnel; the method of the request is CONNECT and its URL names the origin.
    case openTunnel(ClientRequest)
    /// Read and discard the rest of the reply, or close the connection where that is cheaper; then `drained`.
    case drain
    case abort
    case answerHandshake(HandshakeAnswer)
    case tell(DelegateCall)
}

/// The phase of a load; Docs/reference-client.md has the transitions, and a test compares both.
enum LoaderPhase: Sendable, Equatable {
    case idle
    /// The client checks the canonical form of the request.
    case announcing
    case openingBody
    /// The request is being sent, and no final head has come.
    case sending
    case securing(LoadChallenge)
    case redirecting(LoadResponse)
    case challenging(Negotiation)
    /// The rest of a reply is drained before the next request.
    case leaving
    /// The client has the response and has not allowed its content yet.
    case disposing
    case receiving
    /// The client is asked whether the response may be stored.
    case storing
    case ended

    /// What a transfer does with the rest of its reply; nil: after the client's answer.
    var step: TransferStep? {
        switch self {
        case .receiving: .readOn
        case .leaving: .drain
        case .ended: .abort
        default: nil
        }
    }

    var openChallenge: LoadChallenge? {
        switch self {
        case .securing(let challenge): challenge
        case .challenging(let negotiation): negotiation.challenge
        default: nil
        }
    }

    var hasTransfer: Bool {
        switch self {
        case .sending, .securing, .redirecting, .challenging, .leaving, .disposing, .receiving: true
        case .idle, .announcing, .openingBody, .storing, .ended: false
        }
    }
}

/// The offers of a 401 or 407 that remain, and the one that the client is asked about.
struct Negotiation: Sendable, Equatable {
    let response: LoadResponse
    let offer: AuthenticationOffer
    /// The next offers if the client rejects the current one (R15).
    let others: [AuthenticationOffer]
    let challenge: LoadChallenge
}
