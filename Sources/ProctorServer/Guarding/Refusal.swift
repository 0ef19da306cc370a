internal import ProctorHTTP
internal import ProctorScenario

/// What a guard says in place of an exchange's reply.
struct Refusal {
    let desk: GuardDesk
    /// Index into the guard's replies.
    let reply: Int
    let asking: Asking

    /// What stands in the challenge fields.
    enum Asking {
        /// Every scheme's challenge.
        case challenges(realm: Int, Challenges)
        /// The guard's own message of a scheme that goes on, and nothing else.
        case message([UInt8])
        /// The guard asks no more.
        case nothing
    }

    struct Challenges {
        /// By scheme; empty where it has none.
        var nonces: [[UInt8]]
        var isStale: Bool
        var error: ChallengeText.TokenError?
    }

    /// The reply itself.
    var played: Reply { desk.compiled.replies.all[reply] }

    /// The name of the challenge fields that the reply gets behind its own.
    var field: String { desk.compiled.challengeField }

    /// The values of these fields; `bind` gives the text of a URI.
    func values(_ bind: (Template) -> [UInt8]) -> [[UInt8]] {
        let compiled = desk.compiled
        switch asking {
        case .nothing: return []
        case .message(let text): return [text]
        case .challenges(let realm, let challenges):
            var values: [[UInt8]] = []
            for (index, text) in compiled.challenges[realm].enumerated() {
                values.append(
                    text.bytes(
                        ChallengeText.Filling(
                            nonce: challenges.nonces[index], isStale: challenges.isStale, error: challenges.error),
                        bind))
            }
            if compiled.rules.layout == .oneLine { values = [Array(values.joined(separator: Array(", ".utf8)))] }
            return values
        }
    }

    /// What a plan of this refusal may be kept under; nil where it says something that is said but once.
    var planKey: PlanKey? {
        switch asking {
        case .nothing: return PlanKey(reply: reply, realm: nil, isStale: false)
        case .message: return nil
        case .challenges(let realm, let challenges):
            guard !desk.compiled.hasFreshNonces, challenges.error == nil else { return nil }
            return PlanKey(reply: reply, realm: realm, isStale: challenges.isStale)
        }
    }

    struct PlanKey: Hashable {
        let reply: Int
        let realm: Int?
        let isStale: Bool
    }
}
