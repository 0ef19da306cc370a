internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorNegotiate
internal import ProctorReplies

/// Judges the tokens of Negotiate, of which all must come on one connection (RFC 4559 §6).
struct NegotiateTokens: OfferJudge {
    private let offer: NegotiateOffer
    private let negotiate: NegotiateJudge

    init(_ offer: NegotiateOffer, accounts: [CredentialAccount]) {
        self.offer = offer
        negotiate = NegotiateJudge(offer.tokens, accounts: accounts)
    }

    var hashRefusal: HashRefusal? { offer.tokens.mechanisms.contains(.ntlm) ? LegacyHash.refusal : nil }

    func finding(
        _ credentials: Credentials?, of request: RequestView, at moment: GuardMoment, after earlier: (any Sendable)?
    ) -> CredentialFinding? {
        guard let credentials else { return nil }
        var finding = CredentialFinding(scheme: credentials.scheme)
        do throws(CredentialFault) {
            let token = try ConnectionToken("token", of: credentials, section: "RFC 4559 §4.2")
            let result = negotiate.judge(token.bytes, after: earlier as? NegotiateExchange)
            (finding.user, finding.faults, finding.remarks) = (result.user, result.faults, result.remarks)
            finding.messageText = result.text
            finding.message = result.reply.map { ConnectionToken.value($0, of: offer.spelling) }
            finding.closing = result.closing.map { ConnectionToken.value($0, of: offer.spelling) }
            (finding.exchange, finding.isAdmitted) = (result.exchange, result.isAdmitted)
        } catch {
            finding.faults = [error]
        }
        return finding
    }
}
