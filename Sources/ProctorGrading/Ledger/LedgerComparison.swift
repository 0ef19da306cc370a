import ProctorEvents
import ProctorNotation
import ProctorScenario

/// Holds the ledger's words about one case against what happened there.
///
/// Each failure must be listed: a rule by its number, a fact by its name, the requests and the lanes by what is seen in
/// their place, a crash or a hang by that word. What is listed and did not happen is fixed.
struct LedgerComparison {
    private let deviation: Ledger.Deviation?
    private let rules: [RuleNumber: Ledger.KnownRule]
    private let grading: CaseGrading
    private let never: [Ledger.NeverEvent]

    init(_ ledger: Ledger, _ grading: CaseGrading, id: CaseID) {
        never = ledger.never
        deviation = ledger.deviation(for: id)
        rules = Dictionary(ledger.rules.map { ($0.rule, $0) }, uniquingKeysWith: { first, _ in first })
        self.grading = grading
    }

    /// Marks what is known, and lets the outcome follow from what is left.
    func apply(to verdict: inout CaseVerdict) {
        applyDeviation(to: &verdict)
        let notes = neverNotes
        guard !notes.isEmpty else { return }
        switch verdict.outcome {
        case .skipped, .setupFailed, .fail, .hang, .crash: break
        case .pass, .known, .observed, .partly, .notJudged, .lacks, .notInThisAdapter, .fixed: verdict.outcome = .fixed
        }
        verdict.ledgerNotes += notes
    }

    /// What came although the ledger says that it never does; what a script tells is not of the client.
    private var neverNotes: [String] {
        guard !grading.item.isScripted else { return [] }
        return never.filter { never in !grading.never.contains(never) }.map {
            "\($0.symbol) came, and never does as the ledger says: take it out (\($0.location))"
        }
    }

    private func applyDeviation(to verdict: inout CaseVerdict) {
        verdict.deviation = deviation
        switch verdict.outcome {
        case .skipped, .setupFailed, .lacks, .notInThisAdapter, .known, .fixed: return
        case .pass, .partly, .notJudged, .fail, .hang, .crash, .observed: break
        }
        for index in verdict.findings.indices where verdict.findings[index].weight == .failure {
            judge(&verdict.findings[index])
        }
        let happened = happenings(in: verdict)
        verdict.deviationHappened = happened.contains(true)
        if let deviation, deviation.parts.isEmpty { verdict.deviationHappened = verdict.outcome == .fail }
        if let stop = grading.stop, stop.word != deviation?.parts.stop { return }
        guard verdict.failures.isEmpty else { return }
        let isKnown = verdict.findings.contains { $0.known != nil }
        // What was not judged has not changed.
        let isWhole = verdict.outcome != .partly && verdict.outcome != .notJudged
        if isWhole, let deviation, !deviation.isPrefix, !deviation.isSporadic, let note = fixedNote(verdict) {
            verdict.outcome = .fixed
            verdict.ledgerNotes = [note + " (\(deviation.location))"]
        } else if isKnown {
            verdict.outcome = .known
            verdict.ledgerNotes = reasons(in: verdict)
        }
    }

    // MARK: What is known

    private func judge(_ finding: inout Finding) {
        if let reason = reason(for: finding) {
            finding.known = reason
        } else if let deviation, let otherwise = difference(of: finding, from: deviation) {
            finding.details += LabelledText.lines("ledger", otherwise)
        }
    }

    private func reason(for finding: Finding) -> String? {
        if case .ending = finding.subject {
            guard let deviation, let stop = grading.stop, deviation.parts.stop == stop.word else { return nil }
            return deviation.because
        }
        // A fault of the grader or of the fixture is no habit of the client.
        if case .unreportedRule = finding.subject { return nil }
        if let deviation, isListed(finding, by: deviation) { return deviation.because }
        guard speaksOfRules(finding) else { return nil }
        return finding.rules.lazy.compactMap { rules[$0]?.because }.first
    }

    private func speaksOfRules(_ finding: Finding) -> Bool {
        switch finding.subject {
        case .rule, .grammar, .content, .edge, .expression: true
        case .result, .fact, .miss, .violation, .opaque, .credential, .cookies, .ending, .unreportedRule, .slices,
            .bound:
            false
        }
    }

    private func isListed(_ finding: Finding, by deviation: Ledger.Deviation) -> Bool {
        if deviation.parts.isEmpty { return grading.stop == nil && difference(ofWireFrom: deviation) == nil }
        switch finding.subject {
        case .fact(let name): return deviation.parts.facts.contains(name)
        case .expression where finding.lane == nil:
            return deviation.wire != nil && difference(ofWireFrom: deviation) == nil
        // A request that no exchange answers is among the requests that the ledger lists.
        case .miss: return deviation.wire != nil && difference(ofWireFrom: deviation) == nil
        case .expression:
            if let key = finding.laneKey, deviation.parts.lanes[key] != nil {
                return difference(ofLane: key, from: deviation) == nil
            }
            return finding.rules.contains { deviation.parts.rules.contains($0) }
        case .content(let field):
            return deviation.parts.fields.contains(field)
                || finding.rules.contains { deviation.parts.rules.contains($0) }
        case .rule, .grammar, .edge: return finding.rules.contains { deviation.parts.rules.contains($0) }
        case .result(let step): return deviation.parts.facts.contains(.client(step: step, .error))
        case .violation, .opaque, .credential, .cookies, .ending, .unreportedRule, .slices, .bound: return false
        }
    }

    // MARK: What is otherwise

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
        guard isOfWire || deviation.parts.isEmpty, let notation = deviation.wire,
            let diagnosis = difference(ofWireFrom: deviation)
        else { return nil }
        return ["it says wire: \(notation.text)", "but \(diagnosis.sentence)"]
    }

    private func difference(ofWireFrom deviation: Ledger.Deviation) -> NotationDiagnosis? {
        guard let record = grading.record else { return nil }
        return deviation.wire?.diagnosis(of: record.requests.map(\.symbol), terminals: [])
    }

    private func difference(ofLane key: String, from deviation: Ledger.Deviation) -> NotationDiagnosis? {
        guard let notation = deviation.parts.lanes[key], let lane = CaseLane(key),
            case .success(let view) = grading.view(of: lane, for: notation)
        else { return nil }
        let diagnosis = view.diagnosis(of: notation, ambient: grading.item.ambient[key])
        // A listed crash may cut the lane short.
        if grading.stop != nil, diagnosis?.got == nil { return nil }
        return diagnosis
    }

    // MARK: What no longer happens

    /// For each listed part, whether it happened; what a stopped client did not come to cannot be told, and counts.
    private func happenings(in verdict: CaseVerdict) -> [Bool] {
        guard let parts = deviation?.parts else { return [] }
        return parts.rules.map { verdict.breaks($0) } + parts.fields.map { verdict.deviates(inField: $0) }
            + parts.facts.map { name in verdict.findings.contains { $0.deviates(in: name) } }
            + parts.lanes.keys.map { key in verdict.findings.contains { $0.laneKey == key } }
            + (parts.stop.map { [grading.stop?.word == $0] } ?? [])
    }

    /// What of the entry no longer happens, in a sentence; nil when all of it does.
    private func fixedNote(_ verdict: CaseVerdict) -> String? {
        guard let deviation else { return nil }
        if deviation.parts.isEmpty {
            let isFixed = !verdict.findings.contains { $0.known != nil } && verdict.outcome != .observed
            return isFixed ? "the case passes: remove its entry" : nil
        }
        if let stop = deviation.parts.stop {
            guard grading.stop == nil else { return nil }
            return "the client does not \(stop.rawValue) any more: correct or remove its entry"
        }
        let parts = deviation.parts
        var gone = parts.rules.filter { !verdict.breaks($0) }.map(\.description)
        gone += parts.fields.filter { !verdict.deviates(inField: $0) }
        gone += parts.facts.filter { name in !verdict.findings.contains { $0.deviates(in: name) } }.map(\.text)
        gone += parts.lanes.keys.sorted().filter { key in
            // A lane that was not judged has not changed.
            guard let lane = CaseLane(key),
                case .success = grading.view(of: lane, for: grading.item.lanes[key])
            else { return false }
            return !verdict.findings.contains { $0.laneKey == key }
        }
        guard !gone.isEmpty else { return nil }
        let isAll = gone.count == parts.rules.count + parts.facts.count + parts.fields.count + parts.lanes.count
        let advice = isAll && deviation.wire == nil ? "remove its entry" : "take that out of its entry"
        return "\(gone.joined(separator: ", ")) no longer \(gone.count == 1 ? "deviates" : "deviate"): \(advice)"
    }

    private func reasons(in verdict: CaseVerdict) -> [String] {
        var seen: Set<String> = []
        return verdict.findings.compactMap(\.known).filter { seen.insert($0).inserted }
    }
}

extension CaseVerdict {
    /// Whether the rule was seen to break, by its monitor or by what a callback says.
    fileprivate func breaks(_ rule: RuleNumber) -> Bool {
        brokenRules.contains(rule)
            || findings.contains { finding in
                if case .content = finding.subject { finding.rules.contains(rule) } else { false }
            }
    }

    /// Whether a callback says another thing in that field than what the server sent.
    fileprivate func deviates(inField field: String) -> Bool {
        findings.contains { $0.subject == .content(field: field) }
    }
}

extension Finding {
    /// Whether it is what a ledger lists under the name of that fact; the end of a step is listed as its error.
    fileprivate func deviates(in name: FactName) -> Bool {
        switch subject {
        case .fact(let fact): fact == name
        case .result(let step): name == .client(step: step, .error)
        default: false
        }
    }
}

extension CaseGrading.Stop {
    /// The word for it in ledgers.
    fileprivate var word: Ledger.Deviation.Stop {
        switch self {
        case .crash: .crash
        case .hang: .hang
        }
    }
}
