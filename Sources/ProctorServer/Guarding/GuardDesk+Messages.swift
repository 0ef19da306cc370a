internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

extension GuardDesk {
    /// Takes a message of a scheme that is bound to its connection; which one it is, only its place says.
    ///
    /// Nothing is verified but that the message is a token68, and that NTLM's last one doesn't begin a connection.
    func examine(
        _ credentials: Credentials, _ offer: Guard.MessageOffer, scheme: Int, _ messages: ConnectionMessages?
    ) -> Finding {
        let index = compiled.rules.index
        guard let token = credentials.token68, credentials.violations.isEmpty else {
            messages?[guard: index] = nil
            return finding(
                credentials,
                CredentialFault(
                    .malformedField, "no message follows \(offer.scheme); expected one in base64",
                    section: "RFC 9110 §11.2"))
        }
        var count = 0
        if let state = messages?[guard: index], state.scheme == scheme, !state.isAdmitted { count = state.count }
        switch NTLMMessage(token) {
        case .negotiate?: count = 0
        case .authenticate? where count == 0 && !offer.tokens.isEmpty:
            return finding(
                credentials,
                CredentialFault(
                    .wrongConnection,
                    "the last message of a negotiation that did not begin on this connection; begin anew here",
                    section: "MS-NTHT §1.3"))
        case .authenticate?, nil: break
        }
        var finding = Finding(scheme: credentials.scheme)
        let isLast = count >= offer.tokens.count
        if !isLast { finding.message = Array("\(offer.scheme) \(offer.tokens[count])".utf8) }
        messages?[guard: index] = ConnectionMessages.State(scheme: scheme, count: count + 1, isAdmitted: isLast)
        return finding
    }
}

/// Which of NTLM's messages a token is (MS-NLMP §2.2.1).
private enum NTLMMessage {
    /// The first, by which a negotiation begins.
    case negotiate
    /// The last, which answers the server's challenge.
    case authenticate

    /// nil for another message, and for another scheme's.
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
