internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReplies

/// Takes the messages of a scheme that authenticates the connection; its number decides which message one must be.
///
/// Only the token68 syntax is checked, and that NTLM's last message is not the first of a connection.
struct UnverifiedMessages: OfferJudge {
    let offer: UnverifiedOffer

    /// What a message left for the next one on its connection.
    private struct Step {
        let count: Int
        let isAdmitted: Bool
    }

    func finding(
        _ credentials: Credentials?, of request: RequestView, at moment: GuardMoment, after earlier: (any Sendable)?
    ) -> CredentialFinding? {
        guard let credentials else { return nil }
        var finding = CredentialFinding(scheme: credentials.scheme)
        guard let token = credentials.token68, credentials.violations.isEmpty else {
            finding.faults = [
                CredentialFault(
                    .malformedField, "no message follows \(offer.scheme); expected one in base64",
                    section: "RFC 9110 §11.2")
            ]
            return finding
        }
        let state = earlier as? Step
        var count = 0
        if let state, !state.isAdmitted { count = state.count }
        switch MessageOfNTLM(token) {
        case .negotiate?: count = 0
        case .authenticate? where count == 0 && !offer.tokens.isEmpty:
            finding.faults = [
                CredentialFault(
                    .wrongConnection,
                    "the last message of a negotiation that did not begin on this connection; begin anew here",
                    section: "MS-NTHT §1.3")
            ]
            (finding.exchange, finding.isAdmitted) = (state, state?.isAdmitted ?? false)
            return finding
        case .authenticate?, nil: break
        }
        let isLast = count >= offer.tokens.count
        if !isLast { finding.message = Array("\(offer.scheme) \(offer.tokens[count])".utf8) }
        (finding.exchange, finding.isAdmitted) = (Step(count: count + 1, isAdmitted: isLast), isLast)
        return finding
    }
}

/// The type of an NTLM message that is not verified (MS-NLMP §2.2.1).
private enum MessageOfNTLM {
    case negotiate
    /// The last message, which answers the server's challenge.
    case authenticate

    /// nil for another message type or scheme.
    init?(_ token: String) {
        guard let bytes = try? Base64Text.decode(Array(token.utf8)), bytes.count >= 12,
            bytes.starts(with: Array("NTLMSSP".utf8) + [0])
        else { return nil }
        switch Array(bytes[8..<12]) {
        case [1, 0, 0, 0]: self = .negotiate
        case [3, 0, 0, 0]: self = .authenticate
        default: return nil
        }
    }
}
