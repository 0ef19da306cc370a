internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// What the guards of an exchange said of one request, in the order in which they were asked.
final class Guarding {
    private(set) var verdicts: [GuardVerdict] = []
    /// Guards that admit the request, by index; none of them is asked twice.
    private(set) var admitted: [Int] = []
    /// What the reply is to say of itself, also that of a guard behind them.
    var infos: [ReplyInfo] { said.map(\.info) }

    private var said: [(verdict: Int, info: ReplyInfo)] = []

    /// Asks one guard; nil where it admits the request.
    func ask(_ desk: GuardDesk, _ request: RequestView, _ messages: ConnectionMessages?) -> Refusal? {
        let answer = desk.ask(request, messages)
        verdicts.append(answer.verdict)
        if let refusal = answer.refusal {
            checkInfos(of: refusal.played)
            return refusal
        }
        admitted.append(desk.compiled.rules.index)
        if let info = answer.info { said.append((verdicts.count - 1, info)) }
        return nil
    }

    /// Leaves out what the chosen reply can't say; the verdict of the guard says why.
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
    /// Whether all of the content stands in memory when the head is written.
    fileprivate var hasLiteralContent: Bool {
        coding == nil
            && body.allSatisfy { piece in
                guard case .bytes(let source) = piece else { return true }
                return source.isMadeAtOnce
            }
    }
}

extension ByteSource {
    fileprivate var isMadeAtOnce: Bool {
        if case .template = self { return true }
        if case .bytes = ContentSource(self) { return true }
        return false
    }
}

extension GuardVerdict {
    /// The same, with a word about what the guard could not do.
    fileprivate func remarking(_ sentence: String) -> GuardVerdict {
        GuardVerdict(
            guardName: guardName, field: field, attempt: attempt, scheme: scheme, user: user, nonceCount: nonceCount,
            outcome: outcome, faults: faults,
            remarks: remarks + [CredentialFault(.proofLeftOut, sentence, section: "RFC 7616 §3.5")])
    }
}
