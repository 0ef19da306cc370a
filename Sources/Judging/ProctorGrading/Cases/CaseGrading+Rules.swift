import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

extension CaseGrading {
    /// The findings of the rules that apply to every case, each rule once for each lane; without rules that the case
    /// breaks on purpose.
    func ruleFindings() throws(SpentBudget) -> [Finding] {
        var findings = report.hits.grouped { Key(rule: $0.rule, lane: $0.lane, weight: weight(of: $0)) }.map {
            ruleFinding($0.key.weight, $0.elements)
        }
        findings += try unreportedRules()
        if report.hitCount > report.hits.count {
            let count = report.hitCount - report.hits.count
            findings.append(
                Finding(
                    subject: .ending(evidence.ending), weight: .observation,
                    sentence:
                        "\(Plural.count(count, "further place")) where rules broke \(count == 1 ? "is" : "are") not shown"
                ))
        }
        return findings
    }

    private struct Key: Hashable {
        let rule: RuleNumber
        let lane: LaneID
        let weight: Finding.Weight
    }

    private func ruleFinding(_ weight: Finding.Weight, _ hits: [RuleHit]) -> Finding {
        let hit = hits[0]
        let purpose = isOnPurpose(hit) ? " (on purpose)" : ""
        let event = hit.sequence.flatMap { trace.event($0) }
        let details =
            (event.map { LabelledText.lines("at", [placed($0)]) } ?? [])
            + Self.again(hits.dropFirst().map { $0.sequence.map(String.init) ?? "the end" })
        return Finding(
            subject: .rule(hit), weight: weight,
            sentence: "\(hit.rule.titled): \(hit.lane): \(EventText.printable(hit.sentence, limit: 500))\(purpose)",
            details: details, sequence: MergedTrace.journalSequence(hit.sequence), rules: [hit.rule], lane: hit.lane,
            event: hit.sequence.flatMap { $0 > 0 ? $0 : nil })
    }

    private func weight(of hit: RuleHit) -> Finding.Weight {
        // What a stopped client did not reach is covered by the finding about its end.
        if isOnPurpose(hit) || hit.sequence == nil && course.isCut(hit.lane)
            || stop != nil && hit.weight == .harnessFault
        {
            return .observation
        }
        switch hit.weight {
        case .failure, .harnessFault: return .failure
        case .observation: return .observation
        }
    }

    /// Whether the case's program, and not the client, breaks the rule at that place.
    func isOnPurpose(_ hit: RuleHit) -> Bool {
        if hit.rule == .answers {
            return hit.lane.lane == .task ? breaksAnswers(step: hit.lane.number) : breaksAnswersOfProtocol
        }
        return item.breaks.contains(hit.rule) && hit.lane.lane.isOfObject
    }

    private var breaksAnswersOfProtocol: Bool { item.client.indices.contains(where: breaksAnswers) }

    /// A fault in the test's own code (R53), with which the client can't be judged.
    var harnessFault: RuleHit? { report.hits.first { $0.weight == .harnessFault && !isOnPurpose($0) } }

    /// Reports each rule that the program breaks on purpose and that no finding names: a fault of the grader or of the
    /// fixture.
    ///
    /// Reports nothing when a finding about a lane shows that the client did not reach that part of the program.
    private func unreportedRules() throws(SpentBudget) -> [Finding] {
        guard evidence.reports(.protocolClient) || evidence.reports(.proto), stop == nil, try keepsToProgram() else {
            return []
        }
        let seen = Set(report.hits.map(\.rule))
        return item.breaks.filter { !seen.contains($0) }.map { rule in
            let title = Rules.rule(rule).map { " (\($0.title))" } ?? ""
            return Finding(
                subject: .unreportedRule(rule),
                sentence: "the program breaks \(rule)\(title) on purpose, and the grader did not see it",
                location: item.location, rules: [rule])
        }
    }

    /// Whether the URLProtocol object called its client in the order of the case's script, as far as the trace shows.
    private func keepsToProgram() throws(SpentBudget) -> Bool {
        for lane in item.lanes.keys.compactMap({ CaseLane($0) }) {
            guard lane.lane == .protocolClient, let notation = item.lanes[lane.key],
                case .success(let view) = view(of: lane, for: notation)
            else { continue }
            if try view.diagnosis(of: notation, ambient: item.ambient[lane.key], within: budget) != nil { return false }
        }
        return true
    }

    // MARK: Grammars

    /// The events that the family grammars refuse; when a broken rule explains one, the finding has the weight of that
    /// rule.
    func grammarFindings() throws(SpentBudget) -> [Finding] {
        try report.grammars.map { refusal throws(SpentBudget) in
            try budget.checkBounds()
            let hits = report.hits.filter { $0.lane == refusal.lane && refusal.explainedBy.contains($0.rule) }
            let events = index.events(in: refusal.lane)
            let place = refusal.sequence.flatMap { events.position(of: $0) }
            let gap = "no rule explains it: a gap in the rules"
            return Finding(
                subject: .grammar(refusal.family, refusal.diagnosis), weight: grammarWeight(of: refusal, hits),
                sentence:
                    "\(refusal.lane): no \(refusal.family.rawValue) load brings this: \(refusal.diagnosis.sentence)",
                details: details(refusal.diagnosis, place, events: events)
                    + (hits.isEmpty ? LabelledText.lines("rule", [gap]) : ruleLines(hits)),
                notationLineCount: refusal.diagnosis.lines().count, wanted: refusal.diagnosis.notation.text,
                got: Self.folded(events), rules: refusal.explainedBy,
                lane: refusal.lane, event: refusal.sequence)
        }
    }

    private func grammarWeight(of refusal: GrammarRefusal, _ hits: [RuleHit]) -> Finding.Weight {
        if refusal.sequence == nil, course.isCut(refusal.lane) { return .observation }
        guard !hits.isEmpty else { return .failure }
        return hits.contains { weight(of: $0) == .failure } ? .failure : .observation
    }
}
