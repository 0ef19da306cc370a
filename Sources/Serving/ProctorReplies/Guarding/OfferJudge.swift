package import ProctorCrypto
package import ProctorHTTP
package import ProctorScenario

/// An offer of a guard that the module of its scheme judges.
package protocol JudgedOffer: SchemeOffer {
    func challenge(realm: String) -> ChallengeText
    /// `accounts` are those of the guard; a departure in `tolerated` is a remark, not a fault.
    func judge(of rules: Guard, accounts: [CredentialAccount], tolerated: Set<Departure>) -> any OfferJudge
}

extension JudgedOffer {
    /// The scheme alone, without a parameter.
    package func challenge(realm: String) -> ChallengeText { ChallengeText(scheme: spelling) }
}

/// Judges the credentials of one offer of a guard; safe from any thread.
package protocol OfferJudge: Sendable {
    /// Why the system can't compute what the scheme needs; nil: it can.
    var hashRefusal: HashRefusal? { get }
    /// Replies of the server's own, for a guard without refusals in the fixture.
    var replies: [OwnReply] { get }
    /// The one of them that asks for credentials, where a guard has this offer alone; nil: 401, or 407 of a proxy.
    var asking: OwnReply? { get }
    /// Whether the credentials of this request are judged only with its content; nil: those of any request.
    func looksAtBody(of head: RequestHead?) -> Bool

    /// nil: the request has no credential of the scheme.
    ///
    /// `credentials` are of the scheme, or nil for a request without the field. `earlier` is the ``CredentialFinding/exchange`` of the message before it on its connection, nil for the first one.
    func finding(
        _ credentials: Credentials?, of request: RequestView, at moment: GuardMoment, after earlier: (any Sendable)?
    ) -> CredentialFinding?
}

extension OfferJudge {
    package var hashRefusal: HashRefusal? { nil }
    package var replies: [OwnReply] { [] }
    package var asking: OwnReply? { nil }
    package func looksAtBody(of head: RequestHead?) -> Bool { false }
}

/// When a guard judges a request, by the clock of its run.
package struct GuardMoment: Sendable {
    /// How long the guard has been there, in nanoseconds.
    package let age: UInt64
    private let clock: RunClock

    init(age: UInt64, _ clock: RunClock) { (self.age, self.clock) = (age, clock) }

    /// Since 1970.
    package var unixSeconds: Int { clock.unixSeconds }
}

/// A reply of the server's own to credentials: a line of text, or a document.
package struct OwnReply: Sendable, Hashable {
    package let status: Int
    let content: Content

    enum Content: Sendable, Hashable {
        /// Half a sentence whose subject is the guard: `can't read this request's token`.
        case sentence(String)
        case document(Document)
    }

    package struct Document: Sendable, Hashable {
        /// The media type.
        let type: String
        let text: String

        package init(type: String, text: String) { (self.type, self.text) = (type, text) }
    }

    package init(status: Int, sentence: String) { (self.status, content) = (status, .sentence(sentence)) }

    package init(status: Int, document: Document) { (self.status, content) = (status, .document(document)) }
}
