public import ProctorBase
public import ProctorProgram

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
    public typealias TaskKind = Assignment.TaskKind
    /// The forms in which clients take a body.
    public typealias BodyForm = Assignment.BodyForm
    /// What a client can say to a response head.
    public typealias ResponseAnswer = Assignment.ResponseAnswer
    /// What a client can say when a fresh body stream is wanted.
    public typealias BodyStreamAnswer = Assignment.BodyStreamAnswer
    /// What a client can say when a response could be stored.
    public typealias WillCacheAnswer = Assignment.WillCacheAnswer
    /// What a client can say of its cache, request by request.
    public typealias CachePolicy = Assignment.CachePolicy
    /// A user and a password, or a token.
    public typealias Credential = Assignment.Credential
    /// What a client can say to a redirect, with a late-bound URL and fields.
    public typealias RedirectAnswer = AnswerToRedirect<Template, [ReplyField]>
    /// What a client can say to a challenge, with the name of an identity.
    public typealias ChallengeAnswer = AnswerToChallenge<String>

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

/// When a client program acts.
public typealias Moment = Assignment.Moment

/// One act of a scripted URLProtocol, with a late-bound URL.
public typealias ProtocolCall = ScriptedProtocolCall<Template>
