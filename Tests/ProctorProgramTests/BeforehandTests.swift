import Foundation
import ProctorProgram
import Testing

/// What a client without callbacks is told before a step.
struct BeforehandTests {
    private static let use = Assignment.ChallengeAnswer.use(
        Assignment.Credential(user: "user", password: "pass", persistence: .none))

    /// The value of `beforehand`, with its keys sorted; nil where it is missing.
    private func told(
        _ url: String, _ answers: [Assignment.ChallengeAnswer], redirects: Int?, challenges: Int?, trust: String?,
        follow: Assignment.RedirectAnswer = .follow
    ) throws -> String? {
        var step = Assignment.Step(method: "GET", url: url)
        step.onChallenge = answers
        step.onRedirect = [follow]
        (step.redirectCount, step.challengeCount) = (redirects, challenges)
        var session = SessionSetup()
        session.trust = trust
        let assignment = Assignment(
            scenario: "a/b", caseName: "c", base: "http://127.0.0.1:1", deadline: 1_000, session: session, steps: [step]
        )
        let object = try JSONSerialization.jsonObject(with: Data(assignment.json))
        let steps = try #require((object as? [String: Any])?["steps"] as? [[String: Any]])
        guard let beforehand = steps.first?["beforehand"] else { return nil }
        let bytes = try JSONSerialization.data(withJSONObject: beforehand, options: .sortedKeys)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let credential = #"{"credential":{"password":"pass","user":"user"},"follow":true}"#

    @Test func `the question about a server that a redirect leads to is not the client's`() throws {
        let answers = [Assignment.ChallengeAnswer.performDefault, Self.use]
        let (http, https) = ("http://127.0.0.1:1/", "https://127.0.0.1:1/")
        #expect(try told(https, answers, redirects: 0, challenges: 2, trust: "/a.pem") == Self.credential)
        #expect(try told(http, answers, redirects: 1, challenges: 2, trust: "/a.pem") == Self.credential)
        #expect(try told(http, answers, redirects: nil, challenges: nil, trust: "/a.pem") == Self.credential)
    }

    @Test func `a default to a challenge of HTTP cannot be told together with a credential`() throws {
        let answers = [Assignment.ChallengeAnswer.performDefault, Self.use]
        let http = "http://127.0.0.1:1/"
        #expect(try told(http, answers, redirects: 1, challenges: 2, trust: nil) == nil)
        #expect(try told(http, answers, redirects: 0, challenges: 2, trust: "/a.pem") == nil)
        #expect(try told(http, answers, redirects: 1, challenges: 2, trust: "/a.pem", follow: .refuse) == nil)
        #expect(try told(http, [Self.use], redirects: 1, challenges: 1, trust: nil) == Self.credential)
    }
}
