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
    package let task: TaskKind
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
    /// The delay of an answer, given outside the callback; nil: inside it.
    package let answerAfter: Duration?
    package let cancelAt: Moment?
    /// Whether cancelling produces resume data.
    package let producesResumeData: Bool
    package let suspendAt: Moment?
    /// How long the task stays suspended.
    package let suspendFor: Duration
    /// nil: the client's default.
    package let timeout: Duration?
    /// The step whose resume data this step continues.
    package let resume: Int?
    /// nil: the client's default.
    package let cachePolicy: CachePolicy?
    /// The acts of a scripted URLProtocol, instead of a load over the wire; nil: none.
    package let protocolScript: [ProtocolCall]?
    /// Only the first step may have one.
    package let session: SessionProgram?
    package let location: SourceLocation

    package typealias TaskKind = Assignment.TaskKind
    package typealias BodyForm = Assignment.BodyForm
    package typealias ResponseAnswer = Assignment.ResponseAnswer
    package typealias BodyStreamAnswer = Assignment.BodyStreamAnswer
    package typealias WillCacheAnswer = Assignment.WillCacheAnswer
    package typealias CachePolicy = Assignment.CachePolicy
    package typealias Credential = Assignment.Credential
    package typealias RedirectAnswer = AnswerToRedirect<Template, [ReplyField]>
    package typealias ChallengeAnswer = AnswerToChallenge<String>
}

/// When a client program acts.
public typealias Moment = Assignment.Moment

package typealias ProtocolCall = ScriptedProtocolCall<Template>

package struct SessionProgram: Sendable, Equatable {
    /// The session's delegate, a task's own, both or none.
    package internal(set) var delegates = Delegates.session
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
    /// Index into the scenario's origins.
    package internal(set) var proxy: Int?
    /// The client's own scheme for HTTP URLs; nil: `http`.
    package internal(set) var scheme: String?
    /// How servers are judged.
    package internal(set) var trust = Trust.authority
    /// The identity that the client shows without being asked; nil: none.
    package internal(set) var identity: String?

    /// The authorities that the client trusts.
    package enum Trust: String, Sendable, CaseIterable {
        /// The authority of this server.
        case authority
        /// The client's own, which do not include this server's.
        case none
    }

    package typealias Delegates = SessionSetup.Delegates
    package typealias Queue = SessionSetup.Queue
    package typealias End = SessionSetup.End
    package typealias Cookies = SessionSetup.Cookies
}
