internal import ProctorCrypto
internal import ProctorHTTP
package import ProctorJournal
internal import ProctorScenario

/// The verdicts of an exchange's guards on one request, in the order in which the guards were asked.
package final class GuardAnswers {
    package private(set) var verdicts: [GuardVerdict] = []
    /// Indexes of guards that admit the request; none of them is asked twice.
    package private(set) var admitted: [Int] = []
    package var infos: [ReplyInfo] { said.map(\.info) }

    private var said: [(verdict: Int, info: ReplyInfo)] = []

    /// Asks one guard; nil where it admits the request.
    package func ask(_ stageGuard: StageGuard, _ request: RequestView, on memory: ConnectionMemory?) -> Refusal? {
        let answer = stageGuard.ask(request, memory)
        verdicts.append(answer.verdict)
        if let refusal = answer.refusal {
            checkInfos(of: refusal.played)
            return refusal
        }
        admitted.append(stageGuard.compiled.rules.index)
        if let info = answer.info { said.append((verdicts.count - 1, info)) }
        return nil
    }

    /// Removes proofs that the chosen reply can't have; the verdict of the guard says why.
    func checkInfos(of reply: Reply) {
        guard !said.isEmpty else { return }
        guard let message = reply.structured else {
            for (verdict, info) in said {
                verdicts[verdict] = verdicts[verdict].remarking(
                    "the reply has no head of ours, so \(info.field) is left out")
            }
            said = []
            return
        }
        guard !message.hasLiteralContent else { return }
        said = said.compactMap { verdict, info in
            guard info.provesContent else { return (verdict, info) }
            verdicts[verdict] = verdicts[verdict].remarking(
                "rspauth is left out: with qop=auth-int it takes a hash of the content, which is coded, long or a file here"
            )
            return info.withoutProof.map { (verdict, $0) }
        }
    }
}

extension StructuredReply {
    fileprivate var hasLiteralContent: Bool {
        coding == nil
            && body.allSatisfy { piece in
                switch piece {
                case .effect, .bytes(.template): true
                case .bytes(let source): if case .bytes = ContentSource(source) { true } else { false }
                }
            }
    }
}

extension GuardVerdict {
    /// The verdict with a remark about what the guard could not do.
    fileprivate func remarking(_ sentence: String) -> GuardVerdict {
        GuardVerdict(
            guardName: guardName, field: field, attempt: attempt, scheme: scheme, user: user, nonceCount: nonceCount,
            message: message, outcome: outcome, faults: faults,
            remarks: remarks + [CredentialFault(.proofLeftOut, sentence, section: "RFC 7616 §3.5")])
    }
}

/// The field of a guard that admits a request: (Proxy-)Authentication-Info (RFC 7616 §3.5), or the last token of
/// Negotiate (RFC 4559 §5).
package struct ReplyInfo {
    package let field: String
    private let closing: [UInt8]?
    private let nextNonce: [UInt8]?
    private var proof: DigestProof?
    private let isProvedWrong: Bool
    private let isOfContent: Bool

    /// nil without anything to send.
    package init?(_ finding: CredentialFinding, nextNonce: [UInt8]?, field: String) {
        proof = finding.use?.proof
        guard nextNonce != nil || proof != nil else { return nil }
        closing = nil
        (self.field, self.nextNonce) = (field, nextNonce)
        isProvedWrong = finding.use?.isProvedWrong ?? false
        isOfContent = finding.use?.provesContent ?? false
    }

    /// The field has the whole challenge `closing`.
    init(closing: [UInt8], field: String) {
        (self.closing, self.field) = (closing, field)
        (nextNonce, proof, isProvedWrong, isOfContent) = (nil, nil, false, false)
    }

    /// Whether the proof is over the reply's content (§3.4.3).
    var provesContent: Bool { isOfContent && proof != nil }

    /// nil where nothing is left to send.
    var withoutProof: ReplyInfo? {
        guard nextNonce != nil else { return nil }
        var info = self
        info.proof = nil
        return info
    }

    /// The field's value; `content` is called where it is hashed.
    package func value(content: [UInt8]) -> [UInt8] {
        if let closing { return closing }
        guard let proof else {
            return AuthenticationInfo(
                nextNonce: nextNonce, rspauth: nil, quality: nil, clientNonce: nil, nonceCount: nil
            ).bytes
        }
        let info = proof.info(content: content, nextNonce: nextNonce, by: OpenSSLHasher())
        guard isProvedWrong else { return info.bytes }
        return AuthenticationInfo(
            nextNonce: info.nextNonce, rspauth: info.rspauth.map(Self.spoiled), quality: info.quality,
            clientNonce: info.clientNonce, nonceCount: info.nonceCount
        ).bytes
    }

    /// A hash of the same length that is wrong in one digit.
    private static func spoiled(_ hash: [UInt8]) -> [UInt8] {
        guard let last = hash.last else { return hash }
        return hash.dropLast() + [last == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")]
    }
}
