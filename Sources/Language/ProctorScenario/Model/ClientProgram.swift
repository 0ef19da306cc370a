package import ProctorBase
public import ProctorProgram

/// The program of a client: one request, and the answers to the client's questions.
///
/// Everything that is the same in all runs is in `step`, whose properties can be read on the program too.
@dynamicMemberLookup
package struct ClientProgram: Sendable {
    /// The step of the assignment, without values that depend on the run or on facts of the case.
    package var step = Assignment.Step(url: "")
    /// The URL; relative to `{{base}}` when it is empty or begins with `/`.
    package var url: Template
    /// The URL of the page that makes the request; nil: there is no page.
    package var page: Template?
    /// Whether the client gets the text unchanged although it is no valid URL.
    package var isURLVerbatim = false
    /// Whether ``url`` is a reference, which the client resolves against the base URL of its session.
    package var isReference = false
    /// Field lines that are added to the client's own.
    package var headers: [ReplyField] = []
    /// Field lines behind the content.
    package var trailers: [ReplyField] = []
    /// nil: no content.
    package var body: ByteSource?
    /// The answers to redirects, one for each redirect; the last one repeats.
    ///
    /// Never empty.
    package var onRedirect: [RedirectAnswer] = [.follow]
    /// The answers to challenges, one for each challenge; the last one repeats.
    ///
    /// Empty: the method is not implemented.
    package var onChallenge: [ChallengeAnswer] = []
    /// nil: the canonical request is accepted.
    package var onCanonicalize: CanonicalAnswer?
    /// The acts of a scripted URLProtocol, instead of a load over the wire; nil: none.
    package var protocolScript: [ProtocolCall]?
    /// The session of the program in the first step, and in a later one what it is for this step; nil there: the same.
    package var session: SessionProgram?
    package let location: SourceLocation

    /// Makes a GET with the usual answer to every question.
    package init(url: Template, location: SourceLocation) {
        (self.url, self.location) = (url, location)
    }

    /// Milliseconds for which a task stays suspended by default.
    package static let usualPause = 100

    package subscript<Value>(dynamicMember path: KeyPath<Assignment.Step, Value>) -> Value { step[keyPath: path] }

    package typealias TaskKind = Assignment.TaskKind
    package typealias ResponseAnswer = Assignment.ResponseAnswer
    package typealias WillCacheAnswer = Assignment.WillCacheAnswer
    package typealias DecodeAnswer = Assignment.DecodeAnswer
    package typealias Schedule = Assignment.Schedule
    package typealias FetchOptions = Assignment.FetchOptions
    package typealias Credential = Assignment.Credential
    package typealias RedirectAnswer = AnswerToRedirect<Template, [ReplyField]>
    package typealias ChallengeAnswer = AnswerToChallenge<String>
    package typealias CanonicalAnswer = AnswerToRewriting<Template, [ReplyField]>
}

/// A moment at which a client program acts.
public typealias Moment = Assignment.Moment

package typealias ProtocolCall = ScriptedProtocolCall<Template>

/// The session of a program; everything that is the same in all runs is in the session of the assignment.
@dynamicMemberLookup
package struct SessionProgram: Sendable, Equatable {
    package var setup = SessionSetup()
    /// The proxy's index in the scenario's origins; nil: no proxy.
    package var proxy: Int?
    /// The index of the origin that is the proxy for https; nil: ``proxy`` is.
    package var httpsProxy: Int?
    /// The hosts that are reached without the proxy; nil: none.
    package var noProxy: [Template]?
    /// The content of a .netrc file; nil: none.
    package var netrc: Template?
    /// The URL against which references of steps are resolved; nil: none.
    package var baseURL: Template?
    /// The URL of a proxy auto-configuration file; nil: none.
    package var pac: Template?
    /// How servers are judged.
    package var trust = Trust.authority
    /// The identity that the client presents without being asked; nil: none.
    package var identity: String?

    package init() {}

    package subscript<Value>(dynamicMember path: KeyPath<SessionSetup, Value>) -> Value { setup[keyPath: path] }

    /// A copy of the session with the base URL of another one.
    func withBaseURL(of other: SessionProgram) -> SessionProgram {
        var session = self
        session.baseURL = other.baseURL
        return session
    }

    /// The authorities that the client trusts.
    package enum Trust: String, Sendable, CaseIterable {
        /// The authority of this server.
        case authority
        /// The client's own authorities, which do not include that of this server.
        case none
    }

    package typealias Delegates = SessionSetup.Delegates
}
