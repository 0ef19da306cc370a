package import ProctorEvents

extension Assignment {
    /// The kinds of task that clients offer.
    public enum TaskKind: String, Sendable, CaseIterable, AssignmentWord {
        case data, upload, download, handler, async
        /// A synchronous request of NSURLConnection, which returns the result.
        case synchronous
        /// An asynchronous request of NSURLConnection, with a block and the queue on which the block runs.
        case queued
        /// An event source, which connects again until a reply ends it (HTML §9.2.3).
        case eventSource = "event-source"
        /// A reader of the events of one reply, which does not connect again.
        case eventStream = "event-stream"
        /// A WebSocket, whose program has a conversation.
        case websocket

        /// Which callbacks a task of the kind has.
        package var family: CallbackFamily {
            switch self {
            case .data, .upload: .sessionData
            case .download: .sessionDownload
            case .handler, .async: .sessionHandler
            case .synchronous: .connectionSync
            case .queued: .connectionQueued
            case .eventSource, .eventStream: .eventSource
            case .websocket: .webSocket
            }
        }
    }

    /// The forms in which clients accept a body.
    public enum BodyForm: String, Sendable, CaseIterable, AssignmentWord {
        case data, file
        /// A stream that the client asks its delegate for.
        case stream
        /// A stream in the request (`httpBodyStream`), so that the client does not ask for one.
        case requestStream = "http-body-stream"
        /// A stream in the request that reads a file.
        case requestFileStream = "http-body-file-stream"
        /// A stream that the client asks its delegate for, and whose other end the test writes to.
        case boundPair = "bound-pair"
        /// A stream in the request whose other end the test writes to: half of the body at once, the rest ``pairPause``
        /// later.
        case requestBoundPair = "http-bound-pair"

        /// Milliseconds between the two halves of the body of ``requestBoundPair``.
        package static let pairPause = 300

        /// Whether the client asks its delegate for a stream.
        package var isAskedFor: Bool { self == .stream || self == .boundPair }
    }

    /// The client's answers to a response head.
    public enum ResponseAnswer: String, Sendable, CaseIterable, AssignmentWord {
        case allow, cancel, becomeDownload, becomeStream, never
    }

    /// The client's answers when a new body stream is needed.
    public enum BodyStreamAnswer: String, Sendable, CaseIterable, AssignmentWord {
        case fresh, none, never
    }

    /// The client's answers when a response could be stored.
    public enum WillCacheAnswer: Sendable, Equatable {
        case store, none
        /// Stores a changed response.
        case change(CachedChange)

        /// All answers except a change.
        package static let plain: [WillCacheAnswer] = [.store, .none]

        /// The name of the answer in fixtures, assignments and traces.
        package var word: String {
            switch self {
            case .store: "store"
            case .none: "none"
            case .change: "change"
            }
        }
    }

    /// What a client replaces in a response before it is stored; nil leaves that part as it is.
    public struct CachedChange: Sendable, Equatable, Codable {
        /// The new content, as UTF-8.
        public var body: String?
        /// The new storage policy.
        public var storage: ScriptedStorage?
        /// The application's `userInfo`, stored with the response.
        public var notes: [String: String]?

        /// Makes a change of these parts.
        package init(body: String? = nil, storage: ScriptedStorage? = nil, notes: [String: String]? = nil) {
            (self.body, self.storage, self.notes) = (body, storage, notes)
        }
    }

    /// The cache policies of a request.
    public enum CachePolicy: String, Sendable, CaseIterable, AssignmentWord {
        case `protocol`, reload
        /// Also ignores the caches of proxies.
        case reloadAll = "reload-all"
        /// A stored response is used after the server has confirmed it.
        case revalidate
        case cacheElseLoad = "cache-else-load"
        case cacheOnly = "cache-only"
    }

    /// When a connection starts, and on which thread or queue its callbacks run.
    package struct Schedule: Sendable, Equatable {
        /// When it starts.
        package var start = Start.atOnce
        /// The queue or thread of the callbacks.
        package var place = Place.starter
        /// The run loop mode in which the callbacks run.
        package var mode = Mode.default

        /// Milliseconds before a later start, before another run loop mode, and of the wait at a place without
        /// callbacks.
        package static let patience = 300

        /// Makes a schedule for a connection that starts when it is made, with callbacks on the thread that makes it.
        package init() {}

        /// When a connection starts.
        package enum Start: String, Sendable, CaseIterable, AssignmentWord {
            /// When it is made.
            case atOnce = "at-once"
            /// When `start` is called, ``patience`` after it was made.
            case later
            /// When it is made; `start` is called once more.
            case twice
        }

        /// The thread or queue of the callbacks.
        package enum Place: String, Sendable, CaseIterable, AssignmentWord {
            /// The thread that makes the connection and runs its run loop.
            case starter
            /// The main thread, which runs its run loop.
            case main
            /// Another thread, which runs its run loop.
            case thread
            /// A delegate queue.
            case queue
            /// The thread that makes the connection and does not run its run loop.
            case noLoop = "no-loop"
        }

        /// Modes of a run loop.
        package enum Mode: String, Sendable, CaseIterable, AssignmentWord {
            case `default`
            /// Another mode, in which the run loop runs only from ``patience`` after the start.
            case other
        }
    }

    /// A moment in the life of a task at which a client program acts.
    public enum Moment: Sendable, Equatable {
        /// After the task was made, before it is resumed.
        case beforeResume
        /// Right after `resume` returned.
        case afterResume
        /// Inside the callback of the `count`-th event of that name, counted from 1.
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

        /// The name of the moment in an assignment.
        package var word: String {
            switch self {
            case .beforeResume: "before-resume"
            case .afterResume: "after-resume"
            case .event(let name, _): name
            }
        }
    }

    /// The client's answer to a redirect.
    public typealias RedirectAnswer = AnswerToRedirect<String, [[String]]>
    /// The client's answer to a challenge; the identity is nil when its files are not known.
    public typealias ChallengeAnswer = AnswerToChallenge<Identity?>
    /// One act of a scripted URLProtocol.
    public typealias ProtocolCall = ScriptedProtocolCall<String>

    /// A user and a password, or a token, and how long the client is to remember them.
    public struct Credential: Sendable, Equatable {
        /// The user; empty with a token.
        public let user: String
        /// The password, which may contain colons.
        public let password: String
        /// A Bearer token; nil: user and password are used.
        public let token: String?
        /// `none` by default.
        public let persistence: Persistence

        /// How long a credential is remembered.
        public enum Persistence: String, Sendable, CaseIterable, AssignmentWord { case none, session, permanent }

        /// Makes a credential of these parts.
        package init(user: String, password: String, token: String? = nil, persistence: Persistence = .none) {
            (self.user, self.password, self.token, self.persistence) = (user, password, token, persistence)
        }
    }
}

/// The client's answer to a redirect; fixtures and assignments write URLs and fields in different types.
public enum AnswerToRedirect<Address: Sendable, Fields: Sendable>: Sendable {
    case follow, refuse
    /// Cancels the task and gives no answer.
    case cancel
    /// Answers after cancelling the task.
    case cancelThenFollow, cancelThenRefuse
    /// Neither answers nor cancels.
    case never
    /// Follows the redirect, and answers a second time.
    case twice
    /// Sends another request instead of the offered one.
    case change(method: String?, url: Address?, headers: Fields)

    /// Reads any answer except a change; nil for an unknown word.
    package init?(word: String) {
        guard let known = Self.plain.first(where: { $0.word == word }) else { return nil }
        self = known
    }

    private static var plain: [Self] {
        [.follow, .refuse, .cancel, .cancelThenFollow, .cancelThenRefuse, .never, .twice]
    }

    /// The name of the answer in fixtures and assignments.
    package var word: String {
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

    /// Converts the URL and the fields.
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

/// The client's answer to a challenge; fixtures name an identity, assignments hold its files.
public enum AnswerToChallenge<Identity: Sendable & Equatable>: Sendable, Equatable {
    case use(Assignment.Credential)
    /// Gives the credential twice.
    case twice(Assignment.Credential)
    /// Cancels the task and gives no answer.
    case cancelTask
    /// Gives the credential after cancelling the task.
    case cancelTaskThenUse(Assignment.Credential)
    case useNone, performDefault, cancel, reject, never
    /// Trusts the server, whatever its certificate.
    case trust
    /// Presents that client identity.
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

    /// The name of the answer in fixtures and assignments.
    package var word: String {
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
