internal import ProctorHTTP
package import ProctorScenario

package struct Refusal {
    let issuer: StageGuard
    package let reply: Int
    let asking: Asking

    enum Asking {
        /// Every scheme's challenge; nonces by scheme, empty where a scheme has none.
        case challenges(realm: Int, nonces: [[UInt8]], isStale: Bool, late: [AuthenticationParameter])
        /// The next message of one scheme, without challenges.
        case message([UInt8])
        case nothing
    }

    var played: Reply { issuer.compiled.replies.all[reply] }

    /// The field name of the challenges, which follow the reply's own fields.
    package var field: String { issuer.compiled.challengeField }

    /// The values of these fields; `bind` returns the text of a URI.
    package func values(_ bind: (Template) -> [UInt8]) -> [[UInt8]] {
        let compiled = issuer.compiled
        switch asking {
        case .nothing: return []
        case .message(let text): return [text]
        case .challenges(let realm, let nonces, let isStale, let late):
            var values = zip(compiled.challenges[realm], nonces).compactMap { text, nonce in
                text.bytes(nonce: nonce, isStale: isStale, late: late, bind)
            }
            if compiled.rules.layout == .oneLine, !values.isEmpty {
                values = [Array(values.joined(separator: Array(", ".utf8)))]
            }
            return values
        }
    }

    /// The key of a reusable plan for this refusal; nil where the refusal has a fresh value.
    var planKey: PlanKey? {
        switch asking {
        case .nothing:
            return PlanKey(guard: issuer.compiled.rules.index, reply: reply, realm: nil, isStale: false)
        case .message: return nil
        case .challenges(let realm, _, let isStale, let late):
            guard !issuer.compiled.hasFreshNonces, late.isEmpty else { return nil }
            return PlanKey(guard: issuer.compiled.rules.index, reply: reply, realm: realm, isStale: isStale)
        }
    }

    struct PlanKey: Hashable {
        let `guard`: Int
        let reply: Int
        let realm: Int?
        let isStale: Bool
    }
}
