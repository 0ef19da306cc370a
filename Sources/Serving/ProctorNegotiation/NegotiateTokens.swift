internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorNegotiate
internal import ProctorScenario

/// Judges the tokens of Negotiate, of which all must come on one connection (RFC 4559 §6).
struct NegotiateTokens: TokenJudge {
    let spelling: String
    private let negotiate: NegotiateJudge

    init(_ offer: Guard.NegotiateOffer, accounts: [CredentialAccount]) {
        spelling = offer.spelling ?? "Negotiate"
        negotiate = NegotiateJudge(NegotiateJudge.Offer(offer), accounts: accounts)
    }

    var scheme: String { "Negotiate" }
    var noun: String { "token" }
    var section: String { "RFC 4559 §4.2" }

    func judge(_ token: [UInt8], after earlier: (any Sendable)?) -> TokenJudgement {
        let result = negotiate.judge(token, after: earlier as? NegotiateExchange)
        var judgement = TokenJudgement()
        judgement.user = result.user
        judgement.faults = result.faults
        judgement.remarks = result.remarks
        judgement.text = result.text
        judgement.reply = result.reply
        judgement.exchange = result.exchange
        judgement.closing = result.closing
        judgement.isAdmitted = result.isAdmitted
        return judgement
    }
}

extension NegotiateJudge.Offer {
    fileprivate init(_ offer: Guard.NegotiateOffer) {
        let proof: Proof =
            switch offer.proof {
            case .right?: .right
            case .wrong?: .wrong
            case nil: .none
            }
        self.init(
            mechanisms: offer.mechanisms.map { mechanism in
                switch mechanism {
                case .ntlm: .ntlm
                case .stub: .stub
                }
            },
            ntlm: NTLMExchange.Offer(offer.ntlm), stubLegs: offer.legs, proof: proof)
    }
}
