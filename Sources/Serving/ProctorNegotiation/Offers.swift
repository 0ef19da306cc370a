internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorNegotiate
internal import ProctorReplies
internal import ProctorScenario

/// NTLM, whose last message is verified (MS-NLMP).
struct NTLMOffer: JudgedOffer {
    static let usualTarget = "PROCTOR"

    var message = NTLMExchange.Offer(target: usualTarget)
    var spelling = "NTLM"

    var scheme: String { "NTLM" }
    var isOfConnection: Bool { true }

    func judge(of rules: Guard, accounts: [CredentialAccount], tolerated: Set<Departure>) -> any OfferJudge {
        NTLMTokens(self, accounts: accounts)
    }
}

/// Negotiate, whose messages are verified by one of its mechanisms (RFC 4559, RFC 4178).
struct NegotiateOffer: JudgedOffer {
    var tokens = NegotiateJudge.Offer(
        mechanisms: [.ntlm], ntlm: NTLMExchange.Offer(target: NTLMOffer.usualTarget), stubLegs: 3, proof: .right)
    var spelling = "Negotiate"

    var scheme: String { "Negotiate" }
    var isOfConnection: Bool { true }

    func judge(of rules: Guard, accounts: [CredentialAccount], tolerated: Set<Departure>) -> any OfferJudge {
        NegotiateTokens(self, accounts: accounts)
    }
}

/// A scheme with several messages on one connection, whose credentials are not verified: NTLM, Negotiate.
struct UnverifiedOffer: JudgedOffer {
    /// `NTLM` or `Negotiate`, in the letter case of the challenge.
    let scheme: String
    /// The guard's answers to the client's messages in turn, each a token68; then the client's next message is accepted, whatever it
    /// contains.
    let tokens: [String]

    var spelling: String { scheme }
    var isOfConnection: Bool { true }
    var verifies: Bool { false }

    func judge(of rules: Guard, accounts: [CredentialAccount], tolerated: Set<Departure>) -> any OfferJudge {
        UnverifiedMessages(offer: self)
    }
}
