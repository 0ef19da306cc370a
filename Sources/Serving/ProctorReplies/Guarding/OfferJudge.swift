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
    /// Whether the credentials of this request are judged only with its content; nil: those of any request.
    func looksAtBody(of head: RequestHead?) -> Bool

    /// nil: the request has no credential of the scheme.
    ///
    /// `credentials` are of the scheme, or nil for a request without the field. `age` is how long the guard has been there, in nanoseconds;
    /// `earlier` the ``CredentialFinding/exchange`` of the message before it on its connection, nil for the first one.
    func finding(
        _ credentials: Credentials?, of request: RequestView, age: UInt64, after earlier: (any Sendable)?
    ) -> CredentialFinding?
}

extension OfferJudge {
    package var hashRefusal: HashRefusal? { nil }
    package var replies: [OwnReply] { [] }
    package func looksAtBody(of head: RequestHead?) -> Bool { false }
}

/// A reply of the server's own to credentials, with a line of text.
package struct OwnReply: Sendable, Hashable {
    package let status: Int
    /// Half a sentence whose subject is the guard: `can't read this request's token`.
    package let sentence: String

    package init(status: Int, sentence: String) { (self.status, self.sentence) = (status, sentence) }
}
