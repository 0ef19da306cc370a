public import ProctorEvents

extension Assignment {
    /// The kinds of task that clients offer.
    public enum TaskKind: String, Sendable, CaseIterable {
        case data, upload, download, handler, async
        /// A call of NSURLConnection that returns the result.
        case synchronous
        /// A request of NSURLConnection with a block and the queue on which it runs.
        case queued

        /// The family of callbacks that a task of the kind brings.
        public var family: CallbackFamily {
            switch self {
            case .data, .upload: .sessionData
            case .download: .sessionDownload
            case .handler, .async: .sessionHandler
            case .synchronous: .connectionSync
            case .queued: .connectionQueued
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
        /// A stream that reads a file, and that the request brings along.
        case requestFileStream = "http-body-file-stream"
        /// A stream that the client asks for, and whose other end the test writes to.
        case boundPair = "bound-pair"
        /// A stream that the request brings along, and whose other end the test writes to: half of the body at once, the
        /// rest ``pairPause`` later.
        case requestBoundPair = "http-bound-pair"

        /// Milliseconds between the halves of a body that is written into a pair of ``requestBoundPair``.
        package static let pairPause = 300

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
    public enum WillCacheAnswer: Sendable, Equatable {
        case store, none
        /// Stores a changed response.
        case change(CachedChange)

        /// All but a change.
        package static let plain: [WillCacheAnswer] = [.store, .none]

        /// As fixtures, assignments and traces name it.
        public var word: String {
            switch self {
            case .store: "store"
            case .none: "none"
            case .change: "change"
            }
        }
    }

    /// What a client replaces in a response before it is stored; nil leaves that part as it is.
    public struct CachedChange: Sendable, Equatable, Codable {
        /// The content, as UTF-8.
        public var body: String?
        /// How it may be stored.
        public var storage: ScriptedStorage?
        /// The application's own notes, kept with the response: `userInfo`.
        public var notes: [String: String]?

        /// Makes a change of these parts.
        public init(body: String? = nil, storage: ScriptedStorage? = nil, notes: [String: String]? = nil) {
            self.body = body
            self.storage = storage
            self.notes = notes
        }
    }

    /// What a client can say of its cache, request by request.
    public enum CachePolicy: String, Sendable, CaseIterable {
        case `protocol`, reload
        /// Also past the caches on the way.
        case reloadAll = "reload-all"
        /// What is stored answers when the server confirms it.
        case revalidate
        case cacheElseLoad = "cache-else-load"
        case cacheOnly = "cache-only"
    }

    /// When a connection starts, and where its callbacks come.
    public struct Schedule: Sendable, Equatable {
        /// When it starts.
        public var start = Start.atOnce
        /// The queue or thread of its callbacks.
        public var place = Place.starter
        /// The mode of the thread's run loop in which they come.
        public var mode = Mode.default

        /// Milliseconds that a later start, another mode, or a place without callbacks is waited for.
        public static let patience = 300

        /// Makes a connection that starts when it is made, and calls back where it is made.
        public init() {}

        /// When a connection starts.
        public enum Start: String, Sendable, CaseIterable {
            /// When it is made.
            case atOnce = "at-once"
            /// When it is told to, ``patience`` after it was made.
            case later
            /// When it is made, and it is told to once more.
            case twice
        }

        /// Where callbacks come.
        public enum Place: String, Sendable, CaseIterable {
            /// The thread that makes the connection, whose run loop runs.
            case starter
            /// The program's main thread, whose run loop runs.
            case main
            /// Another thread whose run loop runs.
            case thread
            /// A delegate queue.
            case queue
            /// The thread that makes the connection, which runs no run loop.
            case noLoop = "no-loop"
        }

        /// Modes of a run loop.
        public enum Mode: String, Sendable, CaseIterable {
            case `default`
            /// One in which the run loop runs ``patience`` after the start.
            case other
        }
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
