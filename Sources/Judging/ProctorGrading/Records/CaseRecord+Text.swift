import ProctorBase
import ProctorScenario

extension CaseRecord {
    /// `fail: redirect/302#follow (should)`.
    package var headline: String {
        let word = ability.map { "\(outcome) \($0)" } ?? outcome
        let kindNote = kind == .must ? "" : " (\(kind.rawValue))"
        let isTold = ["skipped", "setup-failed", "adapter-error"].contains(outcome)
        return "\(word): \(id)\(kindNote)" + (isTold ? ": \(EventText.printable(reason, limit: 2_000))" : "")
    }

    /// First the sentence about the failure, if any, then the headline, each finding in plain words, and what was not
    /// judged.
    package var lines: [String] {
        let isTold = ["fail", "hang", "crash"].contains(outcome) && !reason.isEmpty
        var lines = (isTold ? [reason] : []) + [headline]
        for note in ledgerNotes { lines += LabelledText.lines("ledger", [note]) }
        lines += findings.flatMap { $0.lines(kind: kind) }
        lines += notJudged.map { "not judged: \($0)" }
        for claim in claims where claim.state == "not-judged" {
            let reason = claim.reason ?? ""
            // A reason that is already among the sentences is not repeated.
            if notJudged.contains(where: { $0.hasSuffix(reason) }) { continue }
            lines.append("not judged: \(claim.claim): \(reason)")
        }
        return lines
    }

    /// The notation and details of findings that ``lines`` has only in plain words.
    package var notation: [String] {
        let lines = findings.filter { $0.plain != nil || !$0.details.isEmpty }.flatMap { [$0.sentence] + $0.details }
        return lines.isEmpty ? [] : ["in detail:"] + lines
    }

    /// The client's own words about its error; empty without an error.
    package var clientLines: [String] {
        LabelledText.lines("client", (clientError ?? "").split(separator: "\n").map(String.init))
    }

    /// The lines that explain a failure beside its findings and its timeline, each group after a label.
    package var explanation: [String] {
        var lines: [String] = []
        if let summary { lines += LabelledText.lines("about", [EventText.printable(summary, limit: 1_000)]) }
        let sections = failures.flatMap(\.spec) + spec
        let documents = sections.unique.prefix(10).map { reference in
            reference.section + (reference.link.map { "  \($0)" } ?? "")
        }
        lines += LabelledText.lines("spec", documents)
        var requests: Set<Int> = []
        for finding in failures {
            guard let request = finding.request, !finding.head.isEmpty, requests.insert(request).inserted else {
                continue
            }
            lines += LabelledText.lines("request", ["number \(request &+ 1)"] + finding.head)
        }
        lines += clientLines
        if let file { lines += LabelledText.lines("fixture", ["\(file)\(line.map { ":\($0)" } ?? "")"]) }
        if let curl {
            lines += LabelledText.lines("curl", [curl] + (curlShortfall.map { ["(not quite: \($0))"] } ?? []))
        }
        return lines
    }
}

extension FindingRecord {
    fileprivate func lines(kind: Case.Kind) -> [String] {
        let place = location.map { "\($0): " } ?? ""
        let note =
            if weight == Finding.Weight.observation.rawValue { "observed: " } else if known != nil {
                "known: "
            } else if kind == .should { "should: " } else { "" }
        let reason = known.map { LabelledText.lines("because", [$0]) } ?? []
        return ["\(place)\(note)\(plain ?? sentence)"] + reason
    }
}
