package import ProctorHTTP

/// An event of a load: of its user, its transfer or its clock.
package enum LoadEvent: Sendable, Equatable {
    // MARK: Its user

    /// The first event of a load.
    case start
    /// Cancels the load; possible at any time, ignored after the end (R42).
    case cancel
    /// The answer to the canonical form; false fails the load.
    case canonicalAnswered(isAccepted: Bool)
    /// The request that follows; nil refuses the redirect, and the redirect's own response is delivered (R5).
    case redirectAnswered(ClientRequest?)
    /// Whether stored credentials may be used (R19); possible at any time, but before the first request when the client
    /// is asked.
    case storageAnswered(isUsed: Bool)
    case challengeAnswered(ChallengeAnswer)
    /// The stream; nil fails the load (R22).
    case bodyStreamAnswered(BodyStream?)
    /// The answer to a response; the shape makes a download of the load that becomes one (R29).
    case responseAnswered(ResponseDisposition)
    /// The answer about storing; the session acts on it.
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
    /// The system accepted `byteCount` more bytes of the content.
    case bodySent(byteCount: Int, expected: Int)
    /// An interim head, or the final one; after that the transfer reads no more until the loader asks for it.
    case head(ReplyHead)
    /// The head of a stored response; its content and end follow like those of a transfer.
    case storedHead(ReplyHead)
    /// Decoded content without framing, never empty.
    case content([UInt8])
    /// The fields behind the content (RFC 9110 §6.5), before the end; never empty.
    case trailers([HTTPField])
    /// The final reply is complete.
    case replyEnded
    /// The rest of an unwanted reply has been read or its connection closed.
    case drained
    /// The transfer ended without a complete reply.
    case failed(TransferFailure)

    // MARK: The clock

    /// The request's or the resource's time limit is over.
    case timedOut
}

/// The user's answer to a challenge (R13–R15, R18).
public enum ChallengeAnswer: Sendable, Equatable {
    /// Send the request again with this credential.
    case use(LoadCredential)
    /// Trust the server, whatever its certificate; for a challenge of kind `serverTrust`.
    case trust
    /// Show this identity; for a challenge of kind `clientCert`.
    case identify(LoadIdentity)
    /// Continue without a credential and deliver the 401 (R13); for a server's certificate, default handling.
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

extension LoadEvent {
    /// Whether the event comes from a transfer.
    var isOfTheWire: Bool {
        switch self {
        case .handshakeAsks, .tunnelNeeded, .tunnelOpened, .tunnelRefused, .bodySent, .head, .storedHead, .content,
            .trailers, .replyEnded, .drained, .failed:
            true
        default: false
        }
    }
}

/// Why a transfer ended without a complete reply.
package struct TransferFailure: Sendable, Equatable {
    /// The error of the load, unless the request is repeated.
    package var error: LoadError
    /// Whether the request used a kept connection and no byte of a reply arrived, so that the server may not have read
    /// it (RFC 9112 §9.3.1).
    package var mayBeRetried: Bool

    /// Whether no byte of the request was sent: it can be repeated whatever its method is, and its content was not
    /// read.
    package var isUnsent: Bool

    /// Whether the server says that it has not processed the request, which can then be repeated whatever its method is
    /// (RFC 9113 §8.7).
    package var isUnprocessed: Bool

    /// Whether no connection was made, or a proxy made none, so that another way may lead to the server.
    var isOfRoute: Bool { error.kind == .cannotConnect || error.kind == .cannotFindHost }

    /// Makes a failure; by default the request may not be repeated.
    package init(
        _ error: LoadError, mayBeRetried: Bool = false, isUnsent: Bool = false, isUnprocessed: Bool = false
    ) {
        (self.isUnprocessed, self.error, self.mayBeRetried) = (isUnprocessed, error, mayBeRetried)
        self.isUnsent = isUnsent
    }
}

/// An action of the loader; ``Load`` performs the actions in order, after it has stored the loader's state.
package enum LoadAction: Sendable, Equatable {
    /// Begin a transfer; a second attempt uses a new connection.
    case send(ClientRequest, onNewConnection: Bool)
    /// Ask the proxy for a tunnel; the method of the request is CONNECT and its URL names the origin.
    case openTunnel(ClientRequest)
    /// Read and discard the rest of the reply, or close the connection when that costs less; then `drained`.
    case drain
    case abort
    case answerHandshake(HandshakeAnswer)
    case tell(DelegateCall)
}

/// The phase of a load; Docs/inside/loading.md has the transitions, and a test compares both.
enum LoaderPhase: Sendable, Equatable {
    case idle
    /// The client checks the canonical form of the request.
    case announcing
    case openingBody
    /// The request is being sent, and no final head has come.
    case sending
    case securing(LoadChallenge)
    case redirecting(LoadResponse)
    case challenging(ChallengeChoice)
    /// The rest of a reply is read before the next request.
    case leaving
    /// The client has the response and has not allowed its content yet.
    case disposing
    case receiving
    /// The client is asked whether the response may be stored.
    case storing
    case ended

    /// What the transfer does with the rest of its reply; nil: the client's answer decides.
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

/// The offers of a 401 or 407, and the one that the client is asked about.
struct ChallengeChoice: Sendable, Equatable {
    let response: LoadResponse
    let offer: AuthenticationOffer
    /// The next offers if the client rejects the current one (R15).
    let others: [AuthenticationOffer]
    let challenge: LoadChallenge
}
