internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorNegotiate
internal import ProctorScenario

extension StageGuard {
    /// Judges a token of Negotiate, of which all must come on one connection (RFC 4559 §6).
    func examineNegotiate(
        _ credentials: Credentials, _ judge: NegotiateJudge, _ offer: Guard.NegotiateOffer, scheme: Int,
        on memory: ConnectionMemory?
    ) -> CredentialFinding {
        let token: ConnectionToken
        do throws(CredentialFault) {
            token = try takeToken(
                "token", of: credentials, scheme: scheme, from: memory, section: "RFC 4559 §4.2")
        } catch {
            return finding(credentials, error)
        }
        let judgement = judge.judge(token.bytes, after: token.earlier?.negotiate)
        func value(_ token: [UInt8]) -> [UInt8] {
            Array("\(offer.spelling ?? "Negotiate") \(Base64Text.encode(token))".utf8)
        }
        var finding = CredentialFinding(scheme: credentials.scheme)
        finding.user = judgement.user
        finding.faults = judgement.faults
        finding.remarks = judgement.remarks
        finding.messageText = judgement.text
        finding.message = judgement.reply.map(value)
        finding.closing = judgement.closing.map(value)
        if judgement.exchange != nil || judgement.isAdmitted {
            memory?[guard: compiled.rules.index] = ConnectionMemory.Negotiation(
                scheme: scheme, count: 1, isAdmitted: judgement.isAdmitted, negotiate: judgement.exchange)
        }
        return finding
    }
}

extension NegotiateJudge {
    init(_ offer: Guard.NegotiateOffer, accounts: [CredentialAccount]) {
        let proof: Offer.Proof =
            switch offer.proof {
            case .right?: .right
            case .wrong?: .wrong
            case nil: .none
            }
        self.init(
            Offer(
                mechanisms: offer.mechanisms.map { mechanism in
                    switch mechanism {
                    case .ntlm: .ntlm
                    case .stub: .stub
                    }
                },
                ntlm: NTLMExchange.Offer(
                    target: offer.ntlm.target, nonce: offer.ntlm.nonce, namesTime: offer.ntlm.namesTime),
                stubLegs: offer.legs, proof: proof),
            accounts: accounts)
    }
}
