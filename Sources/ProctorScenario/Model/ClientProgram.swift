public import ProctorBase

/// What a client under test is told to do: one request and how to answer each question it brings.
public struct ClientProgram: Sendable {
    /// `GET` when the file says nothing.
    public let method: String
    /// Below `{{base}}` when it starts with `/` or is empty.
    public let url: Template
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
    /// The answer when the body has to be sent again.
    public let onBodyStream: BodyStreamAnswer
    /// The neutral event in whose callback the client cancels, as `cancelAt` writes it: `redirect`, `data`.
    public let cancelAt: String?
    /// nil: the client's own.
    public let timeout: Duration?
    /// The step whose resume data this step continues.
    public let resume: Int?
    /// Where the program begins in the file.
    public let location: SourceLocation

    /// The kinds of task that clients offer.
    public enum TaskKind: String, Sendable, CaseIterable {
        case data, upload, download, handler, async
    }

    /// The forms in which clients take a body.
    public enum BodyForm: String, Sendable, CaseIterable {
        case data, file, stream
    }

    /// What a client can say to a redirect.
    public enum RedirectAnswer: Sendable {
        case follow, refuse, cancel
        /// Another request is sent in place of the offered one.
        case change(method: String?, url: Template?, headers: [ReplyField])
    }

    /// What a client can say to a question for credentials.
    public enum ChallengeAnswer: Sendable, Equatable {
        case use(user: String, password: String)
        case useNone, performDefault, cancel, reject, never
    }

    /// What a client can say to a response head.
    public enum ResponseAnswer: String, Sendable, CaseIterable {
        case allow, cancel, becomeDownload, becomeStream
    }

    /// What a client can say when a fresh body stream is wanted.
    public enum BodyStreamAnswer: String, Sendable, CaseIterable {
        case fresh, none
    }

    /// Every part as the fixture gives it, or its default.
    public init(
        method: String, url: Template, headers: [ReplyField], body: ByteSource?, bodyForm: BodyForm, task: TaskKind,
        onRedirect: [RedirectAnswer], onChallenge: [ChallengeAnswer], onResponse: ResponseAnswer,
        onBodyStream: BodyStreamAnswer, cancelAt: String?, timeout: Duration?, resume: Int?, location: SourceLocation
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodyForm = bodyForm
        self.task = task
        self.onRedirect = onRedirect
        self.onChallenge = onChallenge
        self.onResponse = onResponse
        self.onBodyStream = onBodyStream
        self.cancelAt = cancelAt
        self.timeout = timeout
        self.resume = resume
        self.location = location
    }
}
