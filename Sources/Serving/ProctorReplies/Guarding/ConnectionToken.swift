internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// One token of a scheme that authenticates a connection instead of a request: NTLM and Negotiate.
struct ConnectionToken {
    let bytes: [UInt8]
    /// What the tokens before it on this connection came to; nil for the first one.
    let earlier: ConnectionMemory.Negotiation?
}

extension StageGuard {
    /// The token of the credentials, which `noun` calls in a fault, with what the scheme's last one left.
    ///
    /// What was left is taken: whatever comes, a challenge is answered once. The fault is that no token is there, or
    /// none in base64, as `section` says.
    func takeToken(
        _ noun: String, of credentials: Credentials, scheme: Int, from memory: ConnectionMemory?, section: String
    ) throws(CredentialFault) -> ConnectionToken {
        let index = compiled.rules.index
        let earlier = memory?[guard: index].flatMap { $0.scheme == scheme ? $0 : nil }
        memory?[guard: index] = nil
        guard let token = credentials.token68, credentials.violations.isEmpty else {
            throw CredentialFault(
                .malformedField, "no \(noun) follows \(credentials.scheme); expected one in base64", section: section)
        }
        do throws(EncodedTextError) {
            return ConnectionToken(bytes: try Base64Text.decode(Array(token.utf8)), earlier: earlier)
        } catch {
            throw CredentialFault(
                .malformedBase64, "at character \(error.offset) of the \(noun): \(error.sentence)", section: section)
        }
    }
    /// Judges a token of a scheme of which all tokens must come on one connection.
    func examineToken(
        _ credentials: Credentials, _ judge: any TokenJudge, scheme: Int, on memory: ConnectionMemory?
    ) -> CredentialFinding {
        let token: ConnectionToken
        do throws(CredentialFault) {
            token = try takeToken(
                judge.noun, of: credentials, scheme: scheme, from: memory, section: judge.section)
        } catch {
            return finding(credentials, error)
        }
        let judgement = judge.judge(token.bytes, after: token.earlier?.exchange)
        func value(_ token: [UInt8]) -> [UInt8] { Array("\(judge.spelling) \(Base64Text.encode(token))".utf8) }
        var finding = CredentialFinding(scheme: credentials.scheme)
        finding.user = judgement.user
        finding.faults = judgement.faults
        finding.remarks = judgement.remarks
        finding.messageText = judgement.text
        finding.message = judgement.reply.map(value)
        finding.closing = judgement.closing.map(value)
        if judgement.exchange != nil || judgement.isAdmitted {
            memory?[guard: compiled.rules.index] = ConnectionMemory.Negotiation(
                scheme: scheme, count: 1, isAdmitted: judgement.isAdmitted, exchange: judgement.exchange)
        }
        return finding
    }
}
