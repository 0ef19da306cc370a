import ProctorBase
public import ProctorTrace

/// How many questions of a kind a right client is asked, by what a case expects; answers beyond are no need of the case.
extension Case {
    /// Redirects that a right client meets at most in a step; nil where the case does not say.
    public func redirectCount(ofStep step: Int) -> Int? { count(of: .redirect, step) }

    /// Challenges that a right client meets at most in a step; nil where the case does not say.
    ///
    /// Questions of TLS count: their answers stand in the same list.
    public func challengeCount(ofStep step: Int) -> Int? { count(of: .challenge, step) }

    /// Of all expressions that speak for the step, since one of them is the client's.
    private func count(of name: EventName, _ step: Int) -> Int? {
        let suffix = step == 0 ? "" : "[\(step)]"
        let expressions = ["task", "download"].compactMap { lanes[$0 + suffix] }
        guard !expressions.isEmpty else { return nil }
        var most = 0
        for expression in expressions {
            guard let count = expression.mostOccurrences(of: name.rawValue) else { return nil }
            most = max(most, count)
        }
        return most
    }

    /// The answers to redirects that a right client comes to.
    func redirectAnswersReached(ofStep step: Int) -> [ClientProgram.RedirectAnswer] {
        Self.reached(client[step].onRedirect, redirectCount(ofStep: step))
    }

    /// The answers to challenges that a right client comes to.
    func challengeAnswersReached(ofStep step: Int) -> [ClientProgram.ChallengeAnswer] {
        Self.reached(client[step].onChallenge, challengeCount(ofStep: step))
    }

    private static func reached<Answer>(_ answers: [Answer], _ count: Int?) -> [Answer] {
        count.map { Array(answers.prefix($0)) } ?? answers
    }
}
