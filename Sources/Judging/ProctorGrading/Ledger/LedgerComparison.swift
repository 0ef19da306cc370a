import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorScenario

/// Compares the ledger's entry for one case with the findings of the case.
///
/// Each failure must be listed: by its cause, a rule by its number, a fact by its name, requests and lanes by the events
/// in their place, a crash or a hang by that word. When a listed part did not happen, the outcome is `fixed`.
struct LedgerComparison {
    private let deviation: Ledger.Deviation?
    private let rules: [RuleNumber: Ledger.KnownRule]
    private let grading: CaseGrading
    private let never: [Ledger.NeverEvent]
    /// Whether entries for all cases, and entries for this case, are out of date when they do not happen.
    private let mustHappen: (anywhere: Bool, here: Bool)
    /// How the requests differ from those that the entry lists.
    private let wireDifference: NotationDiagnosis?
    /// The sections of the case, by which causes are told apart.
    private let sections: [String]
    /// A cause that is no failure itself and explains the others, as a refused credential does; nil: there is none.
    private var explanation: FailureCause?

    init(_ ledger: Ledger, _ grading: CaseGrading, id: CaseID) {
        never = ledger.never
        let version = grading.evidence.clientVersion
        deviation = ledger.deviation(for: id, ofVersion: version)
        mustHappen = (
            ledger.mustHappen(inVersion: version), ledger.mustHappen(deviation, inVersion: version)
        )
        rules = Dictionary(ledger.rules.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
        self.grading = grading
        sections = grading.item.spec.isEmpty ? grading.item.scenarioSpec : grading.item.spec
        let wire = deviation?.wire
        wireDifference = grading.record.flatMap { record in
            try? wire?.diagnosis(
                of: record.exchanges.map(\.symbol), terminals: [], within: grading.budget)
        }
    }

    /// Marks listed findings as known, and sets the outcome by the remaining ones.
    mutating func apply(to verdict: inout CaseVerdict) {
        let root = verdict.findings.cause
        explanation = root.flatMap { $0.weight == .failure ? nil : $0.cause(sections: sections) }
        applyDeviation(to: &verdict)
        let notes = neverNotes
        guard !notes.isEmpty else { return }
        switch verdict.outcome {
        case .skipped, .setupFailed, .adapterError, .fail, .hang, .crash: break
        case .pass, .known, .observed, .partly, .notJudged, .lacks, .notInThisAdapter, .fixed:
            verdict.conclude(byLedger: false)
        }
        verdict.ledgerNotes += notes
    }

    /// Sentences about events that occurred although the ledger says that they never do; events of a script are
    /// ignored.
    private var neverNotes: [String] {
        guard !grading.item.isScripted, mustHappen.anywhere else { return [] }
        return never.filter { never in !grading.never.contains(never) }.map {
            "\($0.subject) came, and never does as the ledger says: take it out (\($0.location))"
        }
    }

    private func applyDeviation(to verdict: inout CaseVerdict) {
        verdict.deviation = deviation
        switch verdict.outcome {
        case .skipped, .setupFailed, .adapterError, .lacks, .notInThisAdapter, .known, .fixed: return
        case .pass, .partly, .notJudged, .fail, .hang, .crash, .observed: break
        }
        for index in verdict.findings.indices where verdict.findings[index].weight == .failure {
            judge(&verdict.findings[index])
        }
        if let parts = deviation?.parts {
            verdict.deviationHappened =
                parts.isEmpty
                ? verdict.outcome == .fail
                : happenings(of: parts, in: verdict).contains { $0.happened == true }
                    || parts.stop != nil && parts.stop == grading.stop
        }
        if let stop = grading.stop, stop != deviation?.parts.stop { return }
        guard verdict.failures.isEmpty else { return }
        let isKnown = verdict.findings.contains { $0.known != nil }
        // A part that was not judged counts as still happening.
        let isWhole = verdict.outcome != .partly && verdict.outcome != .notJudged
        if isWhole, mustHappen.here, let deviation, !deviation.isPrefix, !deviation.isSporadic,
            let note = fixedNote(verdict)
        {
            verdict.conclude(byLedger: false)
            verdict.ledgerNotes = [note + " (\(deviation.location))"]
        } else if isKnown {
            verdict.conclude(byLedger: true)
            verdict.ledgerNotes = verdict.findings.compactMap(\.known).unique
        }
    }

    // MARK: Known findings

    private func judge(_ finding: inout Finding) {
        if let reason = reason(for: finding) {
            finding.known = reason
        } else if let deviation, let otherwise = difference(of: finding, from: deviation) {
            finding.details += LabelledText.lines("ledger", otherwise)
        }
    }

    private func reason(for finding: Finding) -> String? {
        if case .ending = finding.subject {
            guard let deviation, let stop = grading.stop, deviation.parts.stop == stop else { return nil }
            return deviation.because
        }
        // A fault of the grader or of the fixture is no behaviour of the client.
        if case .unreportedRule = finding.subject { return nil }
        if let deviation, isListed(finding, by: deviation) { return deviation.because }
        guard finding.subject.row.traits.contains(.ofRules) else { return nil }
        return finding.rules.lazy.compactMap { rules[$0]?.because }.first
    }

    private func isListed(_ finding: Finding, by deviation: Ledger.Deviation) -> Bool {
        if explanation.map(deviation.parts.lists) ?? true, lists(finding, deviation.parts) { return true }
        switch finding.subject {
        case .fact(let name): return deviation.parts.facts.contains(name)
        case .expression where finding.lane == nil:
            return deviation.wire != nil && wireDifference == nil
        // A request without an exchange is known when it is among the requests of the ledger.
        case .miss, .caught: return deviation.wire != nil && wireDifference == nil
        case .expression:
            if let key = finding.laneKey, deviation.parts.lanes[key] != nil {
                return difference(ofLane: key, from: deviation) == nil
            }
            return finding.rules.contains { deviation.parts.rules.contains($0) }
        case .content(let field):
            return deviation.parts.fields.contains(field)
                || finding.rules.contains { deviation.parts.rules.contains($0) }
        case .rule, .grammar, .edge: return finding.rules.contains { deviation.parts.rules.contains($0) }
        case .result(let step): return deviation.parts.facts.contains(.client(step: step, "error"))
        default: return false
        }
    }

    // MARK: Differences from the entry

    private func difference(of finding: Finding, from deviation: Ledger.Deviation) -> [String]? {
        if let key = finding.laneKey {
            guard let notation = deviation.parts.lanes[key], let diagnosis = difference(ofLane: key, from: deviation)
            else { return nil }
            return ["it says \(key): \(notation.text)", "but \(diagnosis.sentence)"]
        }
        let isOfWire =
            switch finding.subject {
            case .expression, .miss: finding.lane == nil
            default: false
            }
        guard isOfWire, let notation = deviation.wire,
            let diagnosis = wireDifference
        else { return nil }
        return ["it says wire: \(notation.text)", "but \(diagnosis.sentence)"]
    }

    private func difference(ofLane key: String, from deviation: Ledger.Deviation) -> NotationDiagnosis? {
        guard let notation = deviation.parts.lanes[key], let lane = CaseLane(key),
            case .success(let view) = grading.view(of: lane, for: notation)
        else { return nil }
        // The caller checks the budget after the comparison.
        let diagnosis = try? view.diagnosis(of: notation, ambient: grading.item.ambient[key], within: grading.budget)
        // A listed crash may end the lane early.
        if grading.stop != nil, diagnosis?.got == nil { return nil }
        return diagnosis
    }

    // MARK: Entries that no longer happen

    /// For each listed rule, field, fact and lane, and for the causes together, whether it happened; nil for a lane that
    /// was not judged.
    private func happenings(of parts: Ledger.Deviation.Parts, in verdict: CaseVerdict) -> [(
        name: String, happened: Bool?
    )] {
        let causes = parts.causes.map { quoted($0.key) }.joined(separator: ", ")
        return (parts.causes.isEmpty ? [] : [(causes, verdict.findings.contains { isCaused($0, by: parts) })])
            + parts.rules.map { ($0.description, verdict.breaks($0)) }
            + parts.fields.map { field in (field, verdict.findings.contains { $0.subject == .content(field: field) }) }
            + parts.facts.map { fact in (fact.text, verdict.findings.contains { $0.deviates(in: fact) }) }
            + parts.lanes.keys.sorted().map { key in
                if verdict.findings.contains(where: { $0.laneKey == key }) { return (key, true) }
                guard let lane = CaseLane(key), case .success = grading.view(of: lane, for: grading.item.lanes[key])
                else { return (key, nil) }
                return (key, false)
            }
    }

    private func isCaused(_ finding: Finding, by parts: Ledger.Deviation.Parts) -> Bool {
        finding.weight == .failure && lists(finding, parts)
    }

    private func lists(_ finding: Finding, _ parts: Ledger.Deviation.Parts) -> Bool {
        parts.lists(finding.cause(sections: sections)) || parts.lists(finding.causeOfFailure(sections: sections))
    }

    /// A sentence with the parts of the entry that no longer happen; nil when all happen.
    private func fixedNote(_ verdict: CaseVerdict) -> String? {
        guard let deviation else { return nil }
        if deviation.parts.stop == nil, deviation.parts.hasCausesAlone {
            let isFixed = !verdict.findings.contains { $0.known != nil } && verdict.outcome != .observed
            return isFixed ? "the case passes: remove its entry" : nil
        }
        if let stop = deviation.parts.stop {
            guard grading.stop == nil else { return nil }
            return "the client does not \(stop.rawValue) any more: correct or remove its entry"
        }
        let happenings = happenings(of: deviation.parts, in: verdict)
        let gone = happenings.filter { $0.happened == false }.map(\.name)
        guard !gone.isEmpty else { return nil }
        let isAll = gone.count == happenings.count
        let advice = isAll && deviation.wire == nil ? "remove its entry" : "take that out of its entry"
        return "\(gone.joined(separator: ", ")) no longer \(gone.count == 1 ? "deviates" : "deviate"): \(advice)"
    }
}

extension CaseVerdict {
    /// Whether the finding shows that the rule was broken, in the order of callbacks or in the content of one.
    fileprivate func breaks(_ rule: RuleNumber) -> Bool {
        brokenRules.contains(rule)
            || findings.contains { finding in
                if case .content = finding.subject { finding.rules.contains(rule) } else { false }
            }
    }
}

extension Finding {
    /// Whether a ledger lists the finding by that fact name; the end of a step is listed as its error.
    fileprivate func deviates(in name: FactName) -> Bool {
        switch subject {
        case .fact(let fact): fact == name
        case .result(let step): name == .client(step: step, "error")
        default: false
        }
    }
}

/// Collects whether each entry of a ledger happened in the verdicts that were made with it.
package struct LedgerAudit: Sendable {
    private let ledger: Ledger
    /// For each deviation: whether a case of it was judged, and whether one of these deviated.
    private var seen: [Bool]
    private var deviated: [Bool]
    private var brokenRules: Set<RuleNumber> = []
    private var judgedCount = 0

    package init(_ ledger: Ledger) {
        self.ledger = ledger
        seen = Array(repeating: false, count: ledger.deviations.count)
        deviated = seen
    }

    /// Records what the verdict of a case, made with this ledger, shows about its entries.
    package mutating func record(_ verdict: CaseVerdict) {
        switch verdict.outcome {
        case .skipped, .setupFailed, .adapterError, .lacks, .notInThisAdapter: return
        case .pass, .fail, .hang, .crash, .known, .fixed, .observed, .partly, .notJudged: break
        }
        judgedCount += 1
        brokenRules.formUnion(verdict.brokenRules)
        guard let deviation = verdict.deviation, let index = ledger.deviations.firstIndex(of: deviation) else { return }
        seen[index] = true
        if verdict.deviationHappened { deviated[index] = true }
    }

    /// Rules listed for every case that were broken in none of the recorded cases; they must be removed.
    package var fixedRules: [Ledger.KnownRule] {
        judgedCount == 0 ? [] : ledger.rules.filter { !brokenRules.contains($0.subject) }
    }

    /// Deviations with judged cases of which none deviated; they must be removed.
    package var fixed: [Ledger.Deviation] {
        ledger.deviations.indices.filter { seen[$0] && !deviated[$0] && !ledger.deviations[$0].isSporadic }.map {
            ledger.deviations[$0]
        }
    }

    /// Deviations without a judged case: the scenario was not run, or no longer exists.
    package var unseen: [Ledger.Deviation] {
        ledger.deviations.indices.filter { !seen[$0] }.map { ledger.deviations[$0] }
    }
}
