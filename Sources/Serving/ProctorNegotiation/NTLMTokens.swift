internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorReplies

/// Judges the messages of NTLM, of which the last one must come on the connection of the first (MS-NTHT §1.3).
struct NTLMTokens: OfferJudge {
    private let offer: NTLMOffer
    private let ntlm: NTLMJudge

    init(_ offer: NTLMOffer, accounts: [CredentialAccount]) {
        self.offer = offer
        ntlm = NTLMJudge(accounts: accounts)
    }

    var hashRefusal: HashRefusal? { LegacyHash.refusal }

    func finding(
        _ credentials: Credentials?, of request: RequestView, at moment: GuardMoment, after earlier: (any Sendable)?
    ) -> CredentialFinding? {
        guard let credentials else { return nil }
        var finding = CredentialFinding(scheme: credentials.scheme)
        do throws(CredentialFault) {
            let token = try ConnectionToken("message", of: credentials, section: "RFC 9110 §11.2")
            judge(token.bytes, after: earlier as? NTLMExchange, &finding)
        } catch {
            finding.faults = [error]
        }
        return finding
    }

    private func judge(_ token: [UInt8], after earlier: NTLMExchange?, _ finding: inout CredentialFinding) {
        let reading = NTLMReader.read(token)
        finding.messageText = reading.message.map(NTLMFacts.sentence)
        finding.faults = reading.violations.map { violation in
            CredentialFault(
                .malformedMessage, "at byte \(violation.offset) of the message: \(violation.sentence)",
                section: violation.section)
        }
        switch reading.message {
        case nil: break
        case .negotiate(let message):
            guard finding.faults.isEmpty else { break }
            let exchange = NTLMExchange(answering: message, bytes: token, with: offer.message)
            finding.message = ConnectionToken.value(exchange.challenge, of: offer.spelling)
            finding.exchange = exchange
        case .challenge:
            finding.faults.append(
                CredentialFault(
                    .malformedMessage, "at byte 8 of the message: the type 2 is of servers; expected 1 or 3",
                    section: "MS-NLMP §2.2.1"))
        case .authenticate(let message):
            guard let exchange = earlier else {
                finding.user = message.user
                finding.faults.append(
                    CredentialFault(
                        .wrongConnection,
                        "the last message of a negotiation, and this connection has no challenge that waits for one; "
                            + "begin anew here with the first message", section: "MS-NTHT §1.3"))
                break
            }
            let result = ntlm.judge(message, bytes: token, after: exchange)
            finding.user = result.user
            finding.faults += result.faults
            finding.remarks = result.remarks
            finding.isAdmitted = finding.faults.isEmpty
        }
    }
}
