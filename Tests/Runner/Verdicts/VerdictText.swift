import ProctorEvents
import ProctorHTTP
import ProctorScenario

@testable import ProctorGrading

/// Verdicts as lines of text.
enum VerdictText {
    /// What a person reads, then what programs read: a line for each finding, the cause and the broken rules.
    static func lines(_ verdict: CaseVerdict) -> [String] {
        var lines = verdict.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines += verdict.findings.map(mark)
        if let cause = verdict.cause { lines.append("cause: \(cause.key)") }
        if !verdict.causeSections.isEmpty {
            lines.append("cause by: \(verdict.causeSections.joined(separator: ", "))")
        }
        if !verdict.brokenRules.isEmpty {
            lines.append("broken: \(verdict.brokenRules.map(\.description).joined(separator: " "))")
        }
        if !verdict.untoldEvents.isEmpty {
            lines.append("counted as seen: \(verdict.untoldEvents.map(\.description).joined(separator: " "))")
        }
        return lines
    }

    static func lines(_ verdict: WireVerdict) -> [String] {
        verdict.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + verdict.findings.map(mark)
    }

    /// The outcome's word with the broken rules, then the sentences: `fail R12; task: got data, wanted response`.
    static func brief(_ verdict: CaseVerdict) -> [String] {
        var word = verdict.outcome.word
        switch verdict.outcome {
        case .lacks(let ability): word += " \(ability.rawValue)"
        case .skipped(let reason), .setupFailed(let reason): word += " \(reason)"
        default: break
        }
        let rules = verdict.brokenRules.map { " \($0)" }.joined()
        return [word + rules] + verdict.findings.map(sentence) + verdict.notJudged.map { "not judged: \($0)" }
            + (verdict.undecidedFacts.isEmpty ? [] : ["undecided: \(names(verdict.undecidedFacts))"])
    }

    static func brief(_ verdict: WireVerdict) -> [String] {
        var word = verdict.outcome.word
        if case .setupFailed(let reason) = verdict.outcome { word += " \(reason)" }
        return [word] + verdict.findings.map(sentence)
            + (verdict.undecidedFacts.isEmpty ? [] : ["undecided: \(names(verdict.undecidedFacts))"])
            + (verdict.cookiesBy.isEmpty ? [] : ["cookies by \(names(verdict.cookiesBy.map(\.rawValue)))"])
    }

    /// The findings about what callbacks tell of what was sent, or `right`.
    static func content(_ verdict: CaseVerdict) -> [String] {
        let findings = verdict.findings.filter { if case .content = $0.subject { true } else { false } }
        return findings.isEmpty ? ["right"] : findings.map(sentence)
    }

    /// `held wire: request(GET /a)`, `not-judged how the load ended: the trace has no result`.
    static func claims(_ claims: [JudgedClaim]) -> [String] {
        claims.map { judged in
            "\(judged.state.word) \(judged.claim.description)" + (judged.state.reason.map { ": \($0)" } ?? "")
        }
    }

    private static func names(_ names: [FactName]) -> String { names.map(\.text).joined(separator: ", ") }
    private static func names(_ names: [String]) -> String { names.joined(separator: " and ") }

    /// The sentence, and where it holds: `[lane task, event 4, entry 5, R8]`.
    private static func sentence(_ finding: Finding) -> String {
        let place = places(finding).joined(separator: ", ")
        return (finding.weight == .observation ? "noted " : finding.known == nil ? "" : "known ") + finding.sentence
            + (place.isEmpty ? "" : " [\(place)]")
    }

    private static func places(_ finding: Finding) -> [String] {
        var parts: [String] = []
        if let lane = finding.lane { parts.append("lane \(lane)") }
        if let event = finding.event { parts.append("event \(event)") }
        if let sequence = finding.sequence { parts.append("entry \(sequence)") }
        return parts + finding.rules.map(\.description)
    }

    /// `- failure of task, event 4, entry 5, R8, wanted "b", got "a"`.
    private static func mark(_ finding: Finding) -> String {
        var parts = ["- \(finding.weight == .observation ? "noted" : "failure") \(finding.subject.word)"]
        if let lane = finding.lane { parts.append("lane \(lane)") }
        if let event = finding.event { parts.append("event \(event)") }
        if let sequence = finding.sequence { parts.append("entry \(sequence)") }
        if let request = finding.request { parts.append("request \(request.number), \(request.name)") }
        parts += finding.rules.map(\.description)
        // The order of a whole family is as long as it is known.
        if let wanted = finding.wanted, !wanted.contains("\n") { parts.append("wanted \(wanted)") }
        if let got = finding.got { parts.append("got \(got)") }
        if let known = finding.known { parts.append("known: \(known)") }
        parts += finding.sections
        return parts.joined(separator: ", ")
    }
}
