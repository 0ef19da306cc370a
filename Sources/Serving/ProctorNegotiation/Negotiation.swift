internal import ProctorNegotiate
internal import ProctorScenario

/// NTLM and Negotiate as schemes of guards, and the facts of their messages.
package enum Negotiation {
    /// Hands the schemes over, for every scenario that this process reads from then on.
    package static func register() {
        TokenSchemes.slot.register(
            TokenSchemes(
                ntlm: { NTLMTokens($0, accounts: $1) }, negotiate: { NegotiateTokens($0, accounts: $1) },
                fact: { MessageFacts.text($0, of: $1) }))
    }
}
