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

    /// What an transfer is to do with the rest of its reply; nil: the client has to answer first.
    var step: TransferStep? {
        switch self {
        case .receiving: .readOn
        case .leaving: .drain
        case .ended: .abort
        default: nil
        }
    }

    /// The challenge that waits for an answer.
    var openChallenge: LoadChallenge? {
        switch self {
        case .securing(let challenge): challenge
        case .challenging(let negotiation): negotiation.challenge
        default: nil
        }
    }

    /// Whether an transfer is under way.
    var hasTransfer: Bool {
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

/// Which phase may follow on which, and what brings it; the diagram of the documentation is made from it.
public enum LoaderTransitions {
    /// One way from phase to phase.
    public struct Row: Sendable, Hashable {
        /// The name of a ``LoaderPhase``.
        public let from: String
        /// What brings it, in a few words.
        public let cause: String
        /// The name of a ``LoaderPhase``.
        public let to: String
    }

    /// Every way there is; a test walks the loader through random events and finds each row and no other.
    public static let rows: [Row] =
        table.flatMap { from, ways in ways.map { Row(from: from.rawValue, cause: $0.0, to: $0.1.rawValue) } }

    static let table: [(LoaderPhase.Name, [(String, LoaderPhase.Name)])] = [
        (
            .idle,
            [
                ("start of an old shape", .announcing), ("start, streamed body", .openingBody),
                ("start", .sending), ("start without a URL, cancel, time-out", .ended),
            ]
        ),
        (
            .announcing,
            [
                ("accepted, streamed body", .openingBody), ("accepted", .sending),
                ("refused, cancel, time-out", .ended),
            ]
        ),
        (.openingBody, [("stream given", .sending), ("no stream, cancel, time-out", .ended)]),
        (
            .sending,
            [
                ("interim head, progress, safe retry, a tunnel to be asked for", .sending),
                ("safe retry of a stream", .openingBody),
                ("a handshake asks", .securing), ("3xx with a usable Location", .redirecting),
                ("401 or 407 with a known scheme, also of a tunnel", .challenging),
                ("the same, of a stale nonce or with a credential in the URL", .leaving),
                ("any other head", .disposing), ("head of multipart/x-mixed-replace", .receiving),
                (
                    "connection failed, tunnel refused, too many redirects, proof of the server wrong, cancel, time-out",
                    .ended
                ),
            ]
        ),
        (.securing, [("answered", .sending), ("cancelled, connection failed, cancel, time-out", .ended)]),
        (
            .redirecting,
            [
                ("progress", .redirecting), ("followed", .leaving), ("refused", .disposing),
                ("refused, multipart/x-mixed-replace", .receiving),
                ("followed to no URL, connection failed, cancel, time-out", .ended),
            ]
        ),
        (
            .challenging,
            [
                ("rejected, another space is left; progress", .challenging), ("credential", .leaving),
                ("no credential, or the last space rejected", .disposing),
                ("no credential, multipart/x-mixed-replace", .receiving),
                ("connection failed, cancelled, no credential for a tunnel, cancel, time-out", .ended),
            ]
        ),
        (
            .leaving,
            [
                ("rest of the reply gone", .sending), ("rest gone, streamed body", .openingBody),
                ("cancel, time-out", .ended),
            ]
        ),
        (
            .disposing,
            [
                ("allowed", .receiving), ("allowed, next part is there", .disposing),
                ("allowed, complete already and may be stored", .storing),
                ("allowed and complete, connection failed, not allowed, cancel, time-out", .ended),
            ]
        ),
        (
            .receiving,
            [
                ("content", .receiving), ("next part", .disposing), ("reply ended, may be stored", .storing),
                ("reply ended, connection failed, cancel, time-out", .ended),
            ]
        ),
        (.storing, [("answered, cancel, time-out", .ended)]),
        (.ended, []),
    ]

    /// The table as a Mermaid state diagram, as Docs/reference-client.md shows it.
    public static var diagram: String {
        let lines = table.flatMap { from, ways in
            ways.map { "    \(name(from)) --> \(name($0.1)) : \($0.0.replacing(";", with: ","))" }
        }
        return (["stateDiagram-v2", "    [*] --> idle"] + lines + ["    ended --> [*]"]).joined(separator: "\n")
    }

    private static func name(_ phase: LoaderPhase.Name) -> String { phase.rawValue }
}
