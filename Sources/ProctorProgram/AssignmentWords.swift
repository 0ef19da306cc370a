public import ProctorEvents

extension Assignment {
    /// The kinds of task that clients offer.
    public enum TaskKind: String, Sendable, CaseIterable {
        case data, upload, download, handler, async

        /// The family of callbacks that a task of the kind brings.
        public var family: CallbackFamily {
            switch self {
            case .data, .upload: .sessionData
            case .download: .sessionDownload
            case .handler, .async: .sessionHandler
            }
        }
    }

    /// The forms in which clients take a body.
    public enum BodyForm: String, Sendable, CaseIterable {
        case data, file
        /// A stream that the client asks for.
        case stream
        /// A stream that the request brings along, so that the client does not ask for it.
        case requestStream = "http-body-stream"
        /// A stream whose other end the test writes to.
        case boundPair = "bound-pair"

        /// Whether the client asks the delegate for the body.
        package var isAskedFor: Bool { self == .stream || self == .boundPair }
    }

    /// What a client can say to a response head.
    public enum ResponseAnswer: String, Sendable, CaseIterable {
        case allow, cancel, becomeDownload, becomeStream, never
    }

    /// What a client can say when a fresh body stream is wanted.
    public enum BodyStreamAnswer: String, Sendable, CaseIterable {
        case fresh, none, never
    }

    /// What a client can say when a response could be stored.
    public enum WillCacheAnswer: String, Sendable, CaseIterable {
        case store, none
    }

    /// What a client can say of its cache, request by request.
    public enum CachePolicy: String, Sendable, CaseIterable {
        case `protocol`, reload
        case cacheElseLoad = "cache-else-load"
        case cacheOnly = "cache-only"
    }

    /// A moment in the life of a task at which a client program acts.
    public enum Moment: Sendable, Equatable {
        /// The task was made and not yet resumed.
        case beforeResume
        /// Right after `resume` returned.
        case afterResume
        /// Inside the callback of the `count`-th event of that name, from 1.
        case event(String, count: Int)

        /// Reads `before-resume`, `after-resume`, or the name of an event.
        public init(_ word: String, count: Int = 1) {
            self =
                switch word {
                case "before-resume": .beforeResume
                case "after-resume": .afterResume
                default: .event(word, count: count)
                }
        }

        /// As an assignment names it.
        package var word: String {
            switch self {
            case .beforeResume: "before-resume"
            case .afterResume: "after-resume"
            case .event(let name, _): name
            }
        }
    }

    /// What the client says to a redirect.
    public typealias RedirectAnswer = AnswerToRedirect<String, [[String]]>
    /// What the client says to a challenge; an identity is nil where its files are not known.
    public typealias ChallengeAnswer = AnswerToChallenge<Identity?>
    /// One act of a scripted URLProtocol.
    public typealias ProtocolCall = ScriptedProtocolCall<String>

    /// A user and a password, or a token, and how long the client is to remember them.
    public struct Credential: Sendable, Equatable {
        /// Empty with a token.
        public let user: String
        /// May contain colons.
        public let password: String
        /// A Bearer token; nil: user and password are used.
        public let token: String?
        /// `none` by default.
        public let persistence: Persistence

        /// How long a credential is remembered.
        public enum Persistence: String, Sendable, CaseIterable { case none, session, permanent }

        /// Makes a credential of these parts.
        public init(user: String, password: String, token: String? = nil, persistence: Persistence = .none) {
            self.user = user
            self.password = password
            self.token = token
            self.persistence = persistence
        }
    }
}

/// An answer to a redirect; fixtures and assignments have different forms of URLs and fields.
public enum AnswerToRedirect<Address: Sendable, Fields: Sendable>: Sendable {
    case follow, refuse
    /// Cancels the task and gives no answer.
    case cancel
    /// Answers after cancelling the task.
    case cancelThenFollow, cancelThenRefuse
    /// No answer and no cancel.
    case never
    /// Follows, and answers a second time.
    case twice
    /// Sends another request instead of the offered one.
    case change(method: String?, url: Address?, headers: Fields)

    /// All but a change; nil for an unknown word.
    package init?(word: String) {
        guard let known = Self.plain.first(where: { $0.word == word }) else { return nil }
        self = known
    }

    private static var plain: [Self] {
        [.follow, .refuse, .cancel, .cancelThenFollow, .cancelThenRefuse, .never, .twice]
    }

    /// As fixtures and assignments name it.
    public var word: String {
        switch self {
        case .follow: "follow"
        case .refuse: "refuse"
        case .cancel: "cancel"
        case .cancelThenFollow: "cancel-then-follow"
        case .cancelThenRefuse: "cancel-then-refuse"
        case .never: "never"
        case .twice: "twice"
        case .change: "change"
        }
    }

    /// Converts URLs and fields.
    package func map<OtherAddress, OtherFields>(
        url: (Address) -> OtherAddress, headers: (Fields) -> OtherFields
    ) -> AnswerToRedirect<OtherAddress, OtherFields> {
        if case .change(let method, let address, let fields) = self {
            return .change(method: method, url: address.map(url), headers: headers(fields))
        }
        return AnswerToRedirect<OtherAddress, OtherFields>(word: word) ?? .follow
    }
}

extension AnswerToRedirect: Equatable where Address: Equatable, Fields: Equatable {}

/// An answer to a challenge; fixtures name an identity, assignments hold its files.
public enum AnswerToChallenge<Identity: Sendable & Equatable>: Sendable, Equatable {
    case use(Assignment.Credential)
    /// Gives the credential twice.
    case twice(Assignment.Credential)
    /// Cancels the task and gives no answer.
    case cancelTask
    /// Gives the credential after cancelling the task.
    case cancelTaskThenUse(Assignment.Credential)
    case useNone, performDefault, cancel, reject, never
    /// Trusts the server whatever its certificate.
    case trust
    /// Shows that client identity.
    case identity(Identity)

    /// The answers without a credential or identity; nil for other words.
    package init?(word: String) {
        guard let known = Self.plain.first(where: { $0.word == word }) else { return nil }
        self = known
    }

    /// The answers with a credential; nil for other words.
    package init?(word: String, _ credential: Assignment.Credential) {
        switch word {
        case "use": self = .use(credential)
        case "twice": self = .twice(credential)
        case "cancel-task-then-use": self = .cancelTaskThenUse(credential)
        default: return nil
        }
    }

    private static var plain: [Self] {
        [.cancelTask, .useNone, .performDefault, .cancel, .reject, .never, .trust]
    }

    /// As fixtures and assignments name it.
    public var word: String {
        switch self {
        case .use: "use"
        case .twice: "twice"
        case .cancelTask: "cancel-task"
        case .cancelTaskThenUse: "cancel-task-then-use"
        case .useNone: "use-none"
        case .performDefault: "default"
        case .cancel: "cancel"
        case .reject: "reject"
        case .never: "never"
        case .trust: "trust"
        case .identity: "identity"
        }
    }

    /// nil for answers without a credential.
    package var credential: Assignment.Credential? {
        switch self {
        case .use(let credential), .twice(let credential), .cancelTaskThenUse(let credential): credential
        default: nil
        }
    }

    /// Converts the identity.
    package func map<Other>(identity: (Identity) -> Other) -> AnswerToChallenge<Other> {
        if case .identity(let own) = self { return .identity(identity(own)) }
        if let credential, let other = AnswerToChallenge<Other>(word: word, credential) { return other }
        return AnswerToChallenge<Other>(word: word) ?? .performDefault
    }
}
