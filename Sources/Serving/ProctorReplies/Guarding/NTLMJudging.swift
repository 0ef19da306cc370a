internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorScenario

extension StageGuard {
    /// Judges a message of NTLM, of which the last one must come on the connection of the first (MS-NTHT §1.3).
    func examineNTLM(
        _ credentials: Credentials, _ judge: NTLMJudge, _ offer: Guard.NTLMOffer, scheme: Int,
        on memory: ConnectionMemory?
    ) -> CredentialFinding {
        let token: ConnectionToken
        do throws(CredentialFault) {
            token = try takeToken(
                "message", of: credentials, scheme: scheme, from: memory, section: "RFC 9110 §11.2")
        } catch {
            return finding(credentials, error)
        }
        let reading = NTLMReader.read(token.bytes)
        var finding = CredentialFinding(scheme: credentials.scheme)
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
            let exchange = NTLMExchange(
                answering: message, bytes: token.bytes,
                with: NTLMExchange.Offer(
                    target: offer.target, nonce: offer.nonce, namesTime: offer.namesTime,
                    hasVersion: offer.hasVersion))
            finding.message = Array("\(offer.spelling ?? "NTLM") \(Base64Text.encode(exchange.challenge))".utf8)
            memory?[guard: compiled.rules.index] = ConnectionMemory.Negotiation(
                scheme: scheme, count: 1, isAdmitted: false, exchange: exchange)
        case .challenge:
            finding.faults.append(
                CredentialFault(
                    .malformedMessage, "at byte 8 of the message: the type 2 is of servers; expected 1 or 3",
                    section: "MS-NLMP §2.2.1"))
        case .authenticate(let message):
            guard let exchange = token.earlier?.exchange else {
                finding.user = message.user
                finding.faults.append(
                    CredentialFault(
                        .wrongConnection,
                        "the last message of a negotiation, and this connection has no challenge that waits for one; "
                            + "begin anew here with the first message", section: "MS-NTHT §1.3"))
                break
            }
            let judgement = judge.judge(message, bytes: token.bytes, after: exchange)
            finding.user = judgement.user
            finding.faults += judgement.faults
            finding.remarks = judgement.remarks
            memory?[guard: compiled.rules.index] = ConnectionMemory.Negotiation(
                scheme: scheme, count: 2, isAdmitted: finding.faults.isEmpty)
        }
        return finding
    }
}
