import ProctorScenario
import ProctorTrace

extension CaseVerdict {
    /// `fail: redirect/302#follow (should)`.
    public var headline: String {
        let reason =
            switch outcome {
            case .skipped(let reason), .setupFailed(let reason): ": \(EventText.printable(reason, limit: 2_000))"
            default: ""
            }
        var word = outcome.word
        if case .lacks(let ability) = outcome { word += " \(ability.rawValue)" }
        return "\(word): \(id)\(kind == .must ? "" : " (\(kind.rawValue))")\(reason)"
    }

    /// For a person: everything there is to say, without the timeline.
    var lines: [String] {
        var lines = [headline]
        for note in ledgerNotes { lines += LabelledText.lines("ledger", [note]) }
        lines += findings.map(\.description)
        lines += CookieText.met(cookiesBy)
        for sentence in notJudged { lines.append("not judged: \(sentence)") }
        for claim in claims where claim.counts && !claim.isJudged {
            let reason = claim.state.reason ?? ""
            // What stands among the sentences already is not said twice.
            if notJudged.contains(where: { $0.hasSuffix(reason) }) { continue }
            lines.append("not judged: \(claim.claim.description): \(reason)")
        }
        return lines
    }

    /// One sentence: the first finding that decides, or why there is none, and what else was wrong that may explain it.
    public var reason: String {
        switch outcome {
        case .skipped(let reason), .setupFailed(let reason): reason
        case .notInThisAdapter: notJudged.first ?? "the adapter cannot do it"
        case .lacks(let ability): notJudged.first ?? "the client has no \(ability.rawValue)"
        case .partly, .notJudged: claimNote
        case .known, .fixed: ledgerNotes.first ?? findings.first?.sentence ?? ""
        case .pass, .observed: (failures.first ?? findings.first)?.sentence ?? ""
        case .fail, .hang, .crash:
            ([(failures.first ?? findings.first)?.sentence ?? ""] + refusalNote + cookieNote).joined(separator: "; ")
        }
    }

    /// Which claims were not looked at, and why.
    private var claimNote: String {
        let open = claims.filter { $0.counts && !$0.isJudged }
        let reasons = open.map { "\($0.claim.description): \($0.state.reason ?? "")" }
        let judgedCount = claims.count(where: { $0.counts && $0.isJudged })
        let count =
            "\(judgedCount) of \(WireText.count(judgedCount + open.count, "claim")) \(judgedCount == 1 ? "was" : "were") judged"
        return ([count] + reasons).joined(separator: "; ")
    }

    /// What was wrong with the first cookies that differ, where that decides nothing.
    private var cookieNote: [String] {
        findings.lazy.filter { $0.weight == .observation }.compactMap(\.cookieSentence).prefix(1)
            .map { "cookies differ: \($0)" }
    }

    /// What was wrong with the first credential that was refused, where one was: it explains much of what followed.
    private var refusalNote: [String] {
        findings.lazy.compactMap(\.faultSentence).prefix(1).map { "a credential was refused: \($0)" }
    }
}
