/// A challenge together with its sender: whoever has it can answer, from any thread; the first answer counts.
public final class LegacyChallenge: Sendable {
    /// What is asked.
    public let challenge: LoadChallenge
    private let give: FirstAnswer<LoadEvent.ChallengeAnswer>

    init(_ challenge: LoadChallenge, give: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) {
        self.challenge = challenge
        self.give = FirstAnswer(give)
    }

    /// Answers; `goOnWithout` does not look into the credential storage.
    public func answer(_ answer: LoadEvent.ChallengeAnswer) { give(answer) }

    /// As if there were no method for challenges: a stored credential is tried once, else the 401 is delivered (R13).
    public func performDefaultHandling() { give(.byDefault) }
}
