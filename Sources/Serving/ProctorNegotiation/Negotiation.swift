internal import ProctorFixtures
internal import ProctorNegotiate
internal import ProctorScenario

/// NTLM and Negotiate as schemes of guards, and the facts of their messages.
package enum Negotiation {
    /// Hands the schemes over, for every scenario that this process reads from then on.
    package static func register() {
        SchemeRow.register("ntlm", takes: .users) { details, reader in reader.ntlm(details) }
        SchemeRow.register("negotiate", takes: .users) { details, reader in reader.negotiate(details) }
        TokenSchemes.slot.register(TokenSchemes(fact: { MessageFacts.text($0, of: $1) }))
    }
}
