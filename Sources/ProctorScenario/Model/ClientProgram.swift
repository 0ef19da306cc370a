package import ProctorBase
public import ProctorProgram

/// The program of a client: one request, and the answers to its questions.
package struct ClientProgram: Sendable {
    /// `GET` when the file says nothing.
    package let method: String
    /// Relative to `{{base}}` when empty or when it begins with `/`.
    package let url: Template
    /// Whether the client gets the text unchanged although it is no URL.
    package let isURLVerbatim: Bool
    /// Added to the client's own fields.
    package let headers: [ReplyField]
    /// nil: no content.
    package let body: ByteSource?
    package let bodyForm: BodyForm
    /// Decides the family of callbacks.
    package internal(set) var task: TaskKind
    /// One answer for each redirect; the last one repeats.
    ///
    /// Never empty.
    package let onRedirect: [RedirectAnswer]
    /// One answer for each challenge; the last one repeats.
    ///
    /// Empty: the method is not implemented.
    package let onChallenge: [ChallengeAnswer]
    package let onResponse: ResponseAnswer
    package let onBodyStream: BodyStreamAnswer
    package let onWillCache: WillCacheAnswer
    /// What an old delegate says when it is asked whether it can authenticate; nil: yes.
    package let onCanAuthenticate: Bool?
    /// What an old delegate says when it is asked whether stored credentials may be used; nil: yes.
    package let onCredentialStorage: Bool?
    /// nil: every file that may be decoded is decoded.
    package let onShouldDecode: DecodeAnswer?
    /// nil: accepted.
    package let onCanonicalize: CanonicalAnswer?
    /// The delay of an answer, given outside the callback; nil: inside it.
    package let answerAfter: Duration?
    package let cancelAt: Moment?
    /// Whether cancelling produces resume data.
    package let producesResumeData: Bool
    /// What the app says of a download's file; nil: nothing.
    package internal(set) var download: Assignment.DownloadFileProgram?
    package let suspendAt: Moment?
    /// How long the task stays suspended.
    package let suspendFor: Duration
    /// nil: the client's default.
    package let timeout: Duration?
    /// The step whose resume data this step continues.
    package let resume: Int?
    /// Whether it begins right after the step before has begun.
    package let isTogether: Bool
    /// nil: the client's default.
    package let cachePolicy: CachePolicy?
    /// nil: the client's default.
    package let schedule: Schedule?
    /// The acts of a scripted URLProtocol, instead of a load over the wire; nil: none.
    package let protocolScript: [ProtocolCall]?
    /// Decoded names and values of a form that the client encodes as its content; nil: none.
    package let form: [[String]]?
    /// Decoded names and values of a query that the client encodes; nil: none.
    package let query: [[String]]?
    /// What the application does itself before the task is made.
    package let byHand: [ActByHand]
    /// Only the first step may have one.
    package let session: SessionProgram?
    package let location: SourceLocation

    package typealias TaskKind = Assignment.TaskKind
    package typealias BodyForm = Assignment.BodyForm
    package typealias ResponseAnswer = Assignment.ResponseAnswer
    package typealias BodyStreamAnswer = Assignment.BodyStreamAnswer
    package typealias WillCacheAnswer = Assignment.WillCacheAnswer
    package typealias DecodeAnswer = Assignment.DecodeAnswer
    package typealias CachePolicy = Assignment.CachePolicy
    package typealias Schedule = Assignment.Schedule
    package typealias Credential = Assignment.Credential
    package typealias RedirectAnswer = AnswerToRedirect<Template, [ReplyField]>
    package typealias ChallengeAnswer = AnswerToChallenge<String>
    package typealias CanonicalAnswer = AnswerToRewriting<Template, [ReplyField]>
}

/// When a client program acts.
public typealias Moment = Assignment.Moment

package typealias ProtocolCall = ScriptedProtocolCall<Template>

package struct SessionProgram: Sendable, Equatable {
    /// The session's delegate, a task's own, both or none.
    package internal(set) var delegates = Delegates.session
    /// The methods that the delegate lacks; with `both`, that of the task lacks them.
    package internal(set) var without: [DelegateMethod] = []
    /// nil: the new one of a connection, the old ones of a download.
    package internal(set) var challengeMethods: ChallengeMethods?
    package internal(set) var queue = Queue.serial
    /// nil: ended after all steps.
    package internal(set) var end: End?
    /// nil: after the last step.
    package internal(set) var endAt: Moment?
    package internal(set) var cookies = Cookies.always
    /// Bytes of memory for a cache; nil: no cache.
    package internal(set) var cache: Int?
    package internal(set) var requestTimeout: Duration?
    /// nil: the client's default.
    package internal(set) var resourceTimeout: Duration?
    /// The most connections to one host; nil: the client's default.
    package internal(set) var connectionsPerHost: Int?
    /// Index into the scenario's origins.
    package internal(set) var proxy: Int?
    /// The client's own scheme for HTTP URLs; nil: `http`.
    package internal(set) var scheme: String?
    /// How servers are judged.
    package internal(set) var trust = Trust.authority
    /// The identity that the client shows without being asked; nil: none.
    package internal(set) var identity: String?
    /// In order.
    package internal(set) var protocols: [ProtocolClass] = []
    package internal(set) var isShared = false
    /// URLProtocol objects live on for a while after their stop.
    package internal(set) var keepsObjects = false
    /// Protocol classes are called from two threads before each load.
    package internal(set) var callsAtOnce = false

    /// The authorities that the client trusts.
    package enum Trust: String, Sendable, CaseIterable {
        /// The authority of this server.
        case authority
        /// The client's own, which do not include this server's.
        case none
    }

    package typealias Delegates = SessionSetup.Delegates
    package typealias ChallengeMethods = SessionSetup.ChallengeMethods
    package typealias Queue = SessionSetup.Queue
    package typealias End = SessionSetup.End
    package typealias Cookies = SessionSetup.Cookies
}
