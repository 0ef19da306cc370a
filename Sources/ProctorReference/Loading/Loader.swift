internal import ProctorHTTP

/// The life of one load as a pure state machine: events in, actions out; no clock, no socket, no callback.
///
/// An event that does not fit the phase changes nothing: answers may come late or twice, and a peer may do anything.
public struct Loader: Sendable {
    /// The request under way, or the next one.
    public internal(set) var request: ClientRequest
    /// How the shape wants it.
    public let policy: LoaderPolicy
    var phase = LoaderPhase.idle
    /// Followed or refused, so far.
    var redirectCount = 0
    /// Exchanges that were begun, also those that found no connection (R41).
    public internal(set) var exchangeCount = 0
    /// A request is repeated by itself once at most.
    var hasRetried = false
    /// What the request under way was to be sent with.
    var unsentBody = RequestBody.none
    /// The head that is being judged is that of a proxy that makes no tunnel.
    var isTunnelRefused = false
    var sending = BodyProgress()
    var authentication = AuthenticationState()
    /// What is known from other loads; while an event is handled, theirs.
    private(set) var memory = AuthenticationMemory.none
    var content = ContentState()

    /// Bytes of a sending.
    struct BodyProgress: Sendable, Equatable {
        /// Told to the client.
        var told = 0
        /// Sent since.
        var untold = 0
        var expected = -1
    }

    /// Nothing happens before `start`.
    public init(_ request: ClientRequest, policy: LoaderPolicy = LoaderPolicy()) {
        self.request = request
        self.policy = policy
        authentication.usesStored = policy.usesStoredCredentials
    }

    /// Whether the request under way is one that a redirect led to.
    var isRedirected: Bool { redirectCount > 0 }

    /// Whether nothing can follow any more.
    public var isEnded: Bool { phase == .ended }

    /// Takes one event with what the loads of the same client know of credentials, and changes that too.
    mutating func handle(_ event: LoadEvent, knowing memory: inout AuthenticationMemory) -> [LoadAction] {
        swap(&self.memory, &memory)
        defer { swap(&self.memory, &memory) }
        return handle(event)
    }

    /// Takes one event; what is to be done stands in order.
    public mutating func handle(_ event: LoadEvent) -> [LoadAction] {
        guard phase != .ended else { return [] }
        switch event {
        case .cancel: return end(LoadError(.cancelled, "the load was cancelled"))
        case .timedOut: return end(LoadError(.timedOut, "\(request.method) \(request.url) took too long"))
        case .storageAnswered(let isUsed):
            authentication.usesStored = isUsed
            return []
        case .bodySent(let byteCount, let expected): return bodySent(byteCount, expected: expected)
        case .start: return phase == .idle ? begin() : []
        case .canonicalAnswered, .redirectAnswered, .challengeAnswered, .bodyStreamAnswered, .responseAnswered,
            .cacheAnswered:
            return answered(event)
        case .handshakeAsks, .tunnelNeeded, .tunnelOpened, .tunnelRefused, .head, .storedHead, .content, .replyEnded,
            .drained, .failed:
            return arrived(event)
        }
    }

    /// What the client says; nothing comes of an answer to what is not asked.
    private mutating func answered(_ event: LoadEvent) -> [LoadAction] {
        switch (phase, event) {
        case (.announcing, .canonicalAnswered(let isAccepted)):
            return isAccepted
                ? openBody() : end(LoadError(.cancelled, "the canonical form of the request was refused"))
        case (.openingBody, .bodyStreamAnswered(let stream)): return take(stream)
        case (.redirecting(let response), .redirectAnswered(let next)): return redirectAnswered(next, of: response)
        case (.securing(let challenge), .challengeAnswered(let answer)):
            return handshakeAnswered(answer, to: challenge)
        case (.challenging(let negotiation), .challengeAnswered(let answer)):
            return challengeAnswered(answer, to: negotiation)
        case (.disposing, .responseAnswered(let isAllowed)):
            return isAllowed ? receive() : end(LoadError(.cancelled, "the response was not wanted"))
        case (.storing, .cacheAnswered): return end(nil)
        default: return []
        }
    }

    /// What an exchange tells; after it has failed, or while the client is asked, it tells nothing else.
    private mutating func arrived(_ event: LoadEvent) -> [LoadAction] {
        switch (phase, event) {
        case (.sending, .handshakeAsks(let challenge)): return handshakeAsks(challenge)
        case (.sending, .tunnelNeeded): return tunnelNeeded()
        case (.sending, .tunnelOpened(let head)): return tunnelOpened(head)
        case (.sending, .tunnelRefused(let head)): return tunnelRefused(head)
        case (.sending, .head(let head)):
            return head.isInterim ? [.tell(.informational(head))] : judge(LoadResponse(url: request.url, head: head))
        case (.sending, .storedHead(let head)):
            return deliver(LoadResponse(url: request.url, head: head), isStored: true)
        case (.receiving, .content(let bytes)): return take(bytes)
        case (.receiving, .replyEnded): return replyEnded()
        case (.leaving, .drained), (.leaving, .failed): return openBody()
        case (.sending, .failed(let failure)): return failed(failure)
        case (_, .failed(let failure)): return phase.hasExchange ? end(failure.error) : []
        default: return []
        }
    }

    private mutating func begin() -> [LoadAction] {
        // There is no canonical form to show of what is no URL.
        if let fault = request.urlFault { return end(LoadError(fault)) }
        guard policy.announcesCanonicalForm else { return openBody() }
        phase = .announcing
        return [.tell(.canonicalize(request))]
    }

    /// What comes of an answer is for all loads of the client to know.
    mutating func remember(_ change: (inout AuthenticationMemory) -> Void) { change(&memory) }

    /// Ends the load, from any phase: with what is open withdrawn first (R11), and exactly once (R39).
    mutating func end(_ error: LoadError?, byAnswer isAnswered: Bool = false) -> [LoadAction] {
        var actions: [LoadAction] = phase.hasExchange && error != nil ? [.abort] : []
        if let challenge = phase.openChallenge, !isAnswered { actions.append(.tell(.challengeCancelled(challenge))) }
        phase = .ended
        return actions + [.tell(.metrics(exchangeCount: exchangeCount)), .tell(.complete(error))]
    }
}
