internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorScenario

/// Judges the messages of NTLM, of which the last one must come on the connection of the first (MS-NTHT §1.3).
struct NTLMTokens: TokenJudge {
    private let offer: Guard.NTLMOffer
    private let ntlm: NTLMJudge

    init(_ offer: Guard.NTLMOffer, accounts: [CredentialAccount]) {
        self.offer = offer
        ntlm = NTLMJudge(accounts: accounts)
    }

    var scheme: String { "NTLM" }
    var spelling: String { offer.spelling ?? scheme }
    var noun: String { "message" }
    var section: String { "RFC 9110 §11.2" }

    func judge(_ token: [UInt8], after earlier: (any Sendable)?) -> TokenJudgement {
        let reading = NTLMReader.read(token)
        var judgement = TokenJudgement()
        judgement.text = reading.message.map(NTLMFacts.sentence)
        judgement.faults = reading.violations.map { violation in
            CredentialFault(
                .malformedMessage, "at byte \(violation.offset) of the message: \(violation.sentence)",
                section: violation.section)
        }
        switch reading.message {
        case nil: break
        case .negotiate(let message):
            guard judgement.faults.isEmpty else { break }
            let exchange = NTLMExchange(answering: message, bytes: token, with: NTLMExchange.Offer(offer))
            judgement.reply = exchange.challenge
            judgement.exchange = exchange
        case .challenge:
            judgement.faults.append(
                CredentialFault(
                    .malformedMessage, "at byte 8 of the message: the type 2 is of servers; expected 1 or 3",
                    section: "MS-NLMP §2.2.1"))
        case .authenticate(let message):
            guard let exchange = earlier as? NTLMExchange else {
                judgement.user = message.user
                judgement.faults.append(
                    CredentialFault(
                        .wrongConnection,
                        "the last message of a negotiation, and this connection has no challenge that waits for one; "
                            + "begin anew here with the first message", section: "MS-NTHT §1.3"))
                break
            }
            let result = ntlm.judge(message, bytes: token, after: exchange)
            judgement.user = result.user
            judgement.faults += result.faults
            judgement.remarks = result.remarks
            judgement.isAdmitted = judgement.faults.isEmpty
        }
        return judgement
    }
}

extension NTLMExchange.Offer {
    init(_ offer: Guard.NTLMOffer) {
        self.init(
            target: offer.target, nonce: offer.nonce, namesTime: offer.namesTime, hasVersion: offer.hasVersion)
    }
}
