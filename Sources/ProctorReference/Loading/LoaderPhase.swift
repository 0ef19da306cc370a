/// How far a load is; what may follow on each stands in ``LoaderTransitions``.
enum LoaderPhase: Sendable, Equatable {
    case idle
    /// The client looks at the canonical form of the request.
    case announcing
    /// The client is asked for the stream of the body.
    case openingBody
    /// The request is on its way and no final head has come.
    case sending
    /// A handshake waits, and the client is asked about it.
    case securing(LoadChallenge)
    /// The client is asked about a redirect.
    case redirecting(LoadResponse)
    /// The client is asked for a credential.
    case challenging(Negotiation)
    /// The rest of a reply is got out of the way before the next request.
    case leaving
    /// The client was told of the response and has not allowed its body yet.
    case disposing
    /// Content goes to the client as it comes.
    case receiving
    /// The client is asked whether the response may be stored.
    case storing
    case ended

    /// A phase without what it holds.
    enum Name: String, Sendable, CaseIterable {
        case idle, announcing, openingBody, sending, securing, redirecting, challenging, leaving, disposing
        case receiving, storing, ended
    }

    var name: Name {
        switch self {
        case .idle: .idle
        case .announcing: .announcing
        case .openingBody: .openingBody
        case .sending: .sending
        case .securing: .securing
        case .redirecting: .redirecting
        case .challenging: .challenging
        case .leaving: .leaving
        case .disposing: .disposing
        case .receiving: .receiving
        case .storing: .storing
        case .ended: .ended
        }
    }

    /// What an exchange is to do with the rest of its reply; nil: the client has to answer first.
    var step: ExchangeStep? {
        switch self {
        case .receiving: .readOn
        case .leaving: .drain
        case .ended: .abort
        case .idle, .announcing, .openingBody, .sending, .securing, .redirecting, .challenging, .disposing, .storing:
            nil
        }
    }

    /// The challenge that waits for an answer.
    var openChallenge: LoadChallenge? {
        switch self {
        case .securing(let challenge): challenge
        case .challenging(let negotiation): negotiation.challenge
        case .idle, .announcing, .openingBody, .sending, .redirecting, .leaving, .disposing, .receiving, .storing,
            .ended:
            nil
        }
    }

    /// Whether an exchange is under way.
    var hasExchange: Bool {
        switch self {
        case .sending, .securing, .redirecting, .challenging, .leaving, .disposing, .receiving: true
        case .idle, .announcing, .openingBody, .storing, .ended: false
        }
    }
}

/// What a 401 or 407 offers and is left of it, and which of that is asked about.
struct Negotiation: Sendable, Equatable {
    let response: LoadResponse
    /// The one that is asked about.
    let offer: AuthenticationOffer
    /// What can be asked about when that is rejected (R15).
    let others: [AuthenticationOffer]
    let challenge: LoadChallenge
}
