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
        switch (phase, event) {
        case (.ended, _): return []
        case (_, .cancel): return end(LoadError(.cancelled, "the load was cancelled"))
        case (_, .storageAnswered(let isUsed)):
            authentication.usesStored = isUsed
            return []
        case (_, .timedOut): return end(LoadError(.timedOut, "\(request.method) \(request.url) took too long"))
        case (.idle, .start): return begin()
        case (.announcing, .canonicalAnswered(let isAccepted)):
            return isAccepted
                ? openBody() : end(LoadError(.cancelled, "the canonical form of the request was refused"))
        case (.openingBody, .bodyStreamAnswered(let stream)): return take(stream)
        case (.redirecting(let response), .redirectAnswered(let next)): return redirectAnswered(next, of: response)
        case (.challenging(let negotiation), .challengeAnswered(let answer)):
            return challengeAnswered(answer, to: negotiation)
        case (.disposing, .responseAnswered(let isAllowed)):
            return isAllowed ? receive() : end(LoadError(.cancelled, "the response was not wanted"))
        case (.storing, .cacheAnswered): return end(nil)
        case (_, .bodySent(let byteCount, let expected)): return bodySent(byteCount, expected: expected)
        case (.sending, .head(let head)):
            return head.isInterim ? [.tell(.informational(head))] : judge(LoadResponse(url: request.url, head: head))
        case (.sending, .storedHead(let head)):
            return deliver(LoadResponse(url: request.url, head: head), isStored: true)
        case (.receiving, .content(let bytes)): return take(bytes)
        case (.receiving, .replyEnded): return replyEnded()
        case (.leaving, .drained), (.leaving, .failed): return openBody()
        case (.sending, .failed(let failure)): return failed(failure)
        // An exchange tells nothing while the client is asked; one that did would be over, and so is the load.
        case (.receiving, .failed(let failure)), (.redirecting, .failed(let failure)),
            (.challenging, .failed(let failure)), (.disposing, .failed(let failure)):
            return end(failure.error)
        case (.idle, _), (.announcing, _), (.openingBody, _), (.sending, _), (.redirecting, _), (.challenging, _),
            (.leaving, _), (.disposing, _), (.receiving, _), (.storing, _):
            return []
        }
    }

    private mutating func begin() -> [LoadAction] {
        guard policy.announcesCanonicalForm else { return openBody() }
        phase = .announcing
        return [.tell(.canonicalize(request))]
    }

    /// What comes of an answer is for all loads of the client to know.
    mutating func remember(_ change: (inout AuthenticationMemory) -> Void) { change(&memory) }

    /// Ends the load, from any phase: with what is open withdrawn first (R11), and exactly once (R39).
    mutating func end(_ error: LoadError?, byAnswer isAnswered: Bool = false) -> [LoadAction] {
        var actions: [LoadAction] = phase.hasExchange && error != nil ? [.abort] : []
        if case .challenging(let negotiation) = phase, !isAnswered {
            actions.append(.tell(.challengeCancelled(negotiation.challenge)))
        }
        phase = .ended
        return actions + [.tell(.metrics(exchangeCount: exchangeCount)), .tell(.complete(error))]
    }
}
