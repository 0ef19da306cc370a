import ProctorBase
import ProctorScenario

extension JSONText {
    /// The member `claims`, as `--json` and the control API have it; nothing of a case without claims.
    package mutating func claims(_ claims: [JudgedClaim]) {
        guard !claims.isEmpty else { return }
        key("claims")
        open("[")
        for judged in claims {
            element()
            open("{")
            member("about", judged.claim.subject.rawValue)
            member("claim", judged.claim.description)
            member("state", judged.state.word)
            if let reason = judged.state.reason { member("reason", reason) }
            close("}")
        }
        close("]")
    }
}
