public import ProctorBase
public import ProctorTrace

/// What a client under test is told to do: one request and how to answer each question it brings.
public struct ClientProgram: Sendable {
    /// `GET` when the file says nothing.
    public let method: String
    /// Below `{{base}}` when it starts with `/` or is empty.
    public let url: Template
    /// Whether the client is handed that text as it is, below nothing, though it is no URL by itself.
    public let isURLVerbatim: Bool
    /// Added to what the client sends by itself.
    public let headers: [ReplyField]
    /// nil when the request has no content.
    public let body: ByteSource?
    /// How the body is handed over.
    public let bodyForm: BodyForm
    /// Which family of callbacks the request brings.
    public let task: TaskKind
    /// One answer for each redirect in turn, never empty; the last one stays.
    public let onRedirect: [RedirectAnswer]
    /// One answer for each challenge in turn; the last one stays.
    ///
    /// Empty: as if the method were not implemented.
    public let onChallenge: [ChallengeAnswer]
    /// The answer to every response head.
    public let onResponse: ResponseAnswer
    /// The answer when the client is asked for a stream of the body.
    public let onBodyStream: BodyStreamAnswer
    /// The answer when a response could be stored in a cache.
    public let onWillCache: WillCacheAnswer
    /// How long after a question its answer comes, from outside the callback; nil: inside it.
    public let answerAfter: Duration?
    /// When the client cancels.
    public let cancelAt: Moment?
    /// Whether it cancels by producing resume data.
    public let producesResumeData: Bool
    /// When the client suspends the task.
    public let suspendAt: Moment?
    /// How long it stays suspended.
    public let suspendFor: Duration
    /// nil: the client's own.
    public let timeout: Duration?
    /// The step whose resume data this step continues.
    public let resume: Int?
    /// nil: the client's own.
    public let cachePolicy: CachePolicy?
    /// What a scripted URLProtocol does in place of a load over the wire; nil: none.
    public let protocolScript: [ProtocolCall]?
    /// How the session is set up; said by the first step alone.
    public let session: SessionProgram?
    /// Where the program begins in the file.
    public let location: SourceLocation

    /// The kinds of task that clients offer.
    public enum TaskKind: String, Sendable, CaseIterable {
        case data, upload, download, handler, async
    }

    /// The forms in which clients take a body.
    public enum BodyForm: String, Sendable, CaseIterable {
        case data, file, stream
        /// A stream that the request brings along, so that nobody asks for it.
        case requestStream = "http-body-stream"
        /// A stream whose other end the test writes to.
        case boundPair = "bound-pair"
    }

    /// What a client can say to a redirect.
    public enum RedirectAnswer: Sendable {
        case follow, refuse
        /// Cancels the task and gives no answer.
        case cancel
        /// Answers after it has cancelled the task.
        case cancelThenFollow, cancelThenRefuse
        /// No answer and no cancel.
        case never
        /// Follows, and says so again.
        case twice
        /// Another request is sent in place of the offered one.
        case change(method: String?, url: Template?, headers: [ReplyField])
    }

    /// What a client can say to a question for credentials.
    public enum ChallengeAnswer: Sendable, Equatable {
        case use(Credential)
        /// Gives the credential, and gives it again.
        case twice(Credential)
        /// Cancels the task and gives no answer.
        case cancelTask
        /// Gives the credential after it has cancelled the task.
        case cancelTaskThenUse(Credential)
        case useNone, performDefault, cancel, reject, never
        /// Takes the server for trustworthy, whatever its certificate.
        case trust
        /// Shows the client identity of that name.
        case identity(String)
    }

    /// A user and a password, or a token, and how long the client is to remember them.
    public struct Credential: Sendable, Equatable {
        /// Empty where there is a token.
        public let user: String
        /// May hold colons.
        public let password: String
        /// Of the Bearer scheme; nil: user and password count.
        public let token: String?
        /// `none` when the file says nothing.
        public let persistence: Persistence

        /// How long a credential is remembered.
        public enum Persistence: String, Sendable, CaseIterable { case none, session, permanent }

        /// Parts as they are.
        public init(user: String, password: String, token: String? = nil, persistence: Persistence = .none) {
            self.user = user
            self.password = password
            self.token = token
            self.persistence = persistence
        }
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

    /// Every part as the fixture gives it, or its default.
    public init(
        method: String, url: Template, headers: [ReplyField], body: ByteSource?, bodyForm: BodyForm, task: TaskKind,
        onRedirect: [RedirectAnswer], onChallenge: [ChallengeAnswer], onResponse: ResponseAnswer,
        onBodyStream: BodyStreamAnswer, onWillCache: WillCacheAnswer, answerAfter: Duration?, cancelAt: Moment?,
        producesResumeData: Bool, suspendAt: Moment?, suspendFor: Duration, timeout: Duration?, resume: Int?,
        cachePolicy: CachePolicy?, protocolScript: [ProtocolCall]?, session: SessionProgram?, location: SourceLocation,
        isURLVerbatim: Bool = false
    ) {
        self.method = method
        self.url = url
        self.isURLVerbatim = isURLVerbatim
        self.headers = headers
        self.body = body
        self.bodyForm = bodyForm
        self.task = task
        self.onRedirect = onRedirect
        self.onChallenge = onChallenge
        self.onResponse = onResponse
        self.onBodyStream = onBodyStream
        self.onWillCache = onWillCache
        self.answerAfter = answerAfter
        self.cancelAt = cancelAt
        self.producesResumeData = producesResumeData
        self.suspendAt = suspendAt
        self.suspendFor = suspendFor
        self.timeout = timeout
        self.resume = resume
        self.cachePolicy = cachePolicy
        self.protocolScript = protocolScript
        self.session = session
        self.location = location
    }
}

extension ClientProgram.TaskKind {
    /// The family of callbacks that a task of the kind brings.
    public var family: CallbackFamily {
        switch self {
        case .data, .upload: .US
        case .download: .UD
        case .handler, .async: .HT
        }
    }
}
