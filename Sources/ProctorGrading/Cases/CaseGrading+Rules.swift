import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

extension CaseGrading {
    /// What the universal rules say, each rule once for each lane, and what a case breaks on purpose.
    func ruleFindings() -> [Finding] {
        var order: [Key] = []
        var groups: [Key: [RuleHit]] = [:]
        for hit in report.hits {
            let key = Key(rule: hit.rule, lane: hit.lane, weight: weight(of: hit))
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(hit)
        }
        var findings = order.compactMap { key in groups[key].flatMap { finding(key.weight, $0) } }
        findings += unreportedRules()
        if report.hitCount > report.hits.count {
            let count = report.hitCount - report.hits.count
            findings.append(
                Finding(
                    .ending(evidence.ending), .observation,
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

    private func finding(_ weight: Finding.Weight, _ hits: [RuleHit]) -> Finding? {
        guard let hit = hits.first else { return nil }
        let purpose = isOnPurpose(hit) ? " (on purpose)" : ""
        var details: [String] = []
        if let event = hit.sequence.flatMap({ trace.event($0) }) {
            let facts = EventText.facts(of: event)
            details += LabelledText.lines(
                "at", ["\(EventText.of(event))   [\(place(event))]\(facts.isEmpty ? "" : "   \(facts)")"])
        }
        if hits.count > 1 {
            let places = hits.dropFirst().prefix(5).map { $0.sequence.map(String.init) ?? "the end" }
            let more = hits.count > 6 ? " and \(hits.count - 6) more" : ""
            details += LabelledText.lines("again", ["at \(places.joined(separator: ", "))\(more)"])
        }
        var finding = Finding(
            .rule(hit), weight,
            "\(hit.rule.titled): \(hit.lane): \(EventText.printable(hit.sentence, limit: 500))\(purpose)",
            details: details, sequence: MergedTrace.journalSequence(hit.sequence))
        finding.rules = [hit.rule]
        finding.lane = hit.lane
        finding.event = hit.sequence.flatMap { $0 > 0 ? $0 : nil }
        return finding
    }

    private func weight(of hit: RuleHit) -> Finding.Weight {
        // What a stopped client did not come to is told by how it ended.
        if isOnPurpose(hit) || hit.sequence == nil && isCut(hit.lane) || stop != nil && hit.weight == .harnessFault {
            return .observation
        }
        switch hit.weight {
        case .failure, .harnessFault: return .failure
        case .observation: return .observation
        }
    }

    /// Whether the program itself, and not the client, breaks the rule there.
    func isOnPurpose(_ hit: RuleHit) -> Bool {
        if hit.rule == .answers {
            return hit.lane.lane == .task ? breaksAnswers(step: hit.lane.number) : breaksAnswersOfProtocol
        }
        return item.breaks.contains(hit.rule) && hit.lane.lane.isOfObject
    }

    private var breaksAnswersOfProtocol: Bool { item.client.indices.contains(where: breaksAnswers) }

    /// What the test's own code did wrong (R53); then nothing can be said of the client.
    var harnessFault: RuleHit? { report.hits.first { $0.weight == .harnessFault && !isOnPurpose($0) } }

    /// A rule that the program breaks and no finding names is a fault of the grader, or of the fixture.
    ///
    /// The finding of a lane tells of a client that did not let the program come so far.
    private func unreportedRules() -> [Finding] {
        guard evidence.reports(.protocolClient) || evidence.reports(.proto), stop == nil, keepsToProgram else {
            return []
        }
        let seen = Set(report.hits.map(\.rule))
        return item.breaks.filter { !seen.contains($0) }.map { rule in
            let title = Rules.rule(rule).map { " (\($0.title))" } ?? ""
            var finding = Finding(
                .unreportedRule(rule), .failure,
                "the program breaks \(rule)\(title) on purpose, and the grader did not see it",
                location: item.location)
            finding.rules = [rule]
            return finding
        }
    }

    /// Whether the object said what the case wants it to say, as far as that is written down.
    private var keepsToProgram: Bool {
        item.lanes.keys.compactMap { CaseLane($0) }.allSatisfy { lane in
            guard lane.lane == .protocolClient, let notation = item.lanes[lane.key],
                case .success(let view) = view(of: lane, for: notation)
            else { return true }
            return view.diagnosis(of: notation, ambient: item.ambient[lane.key]) == nil
        }
    }

    // MARK: Grammars

    /// What the grammars of the families say; a refusal that a rule explains weighs what the rule weighs.
    func grammarFindings() -> [Finding] {
        report.grammars.map { refusal in
            let hits = report.hits.filter { $0.lane == refusal.lane && refusal.explainedBy.contains($0.rule) }
            let events = trace.events.filter { $0.laneID == refusal.lane && $0.phase == .enter }
            let place = refusal.sequence.flatMap { sequence in events.firstIndex { $0.sequence == sequence } }
            let gap = "no rule explains it: a gap in the rules"
            var finding = Finding(
                .grammar(refusal.family, refusal.diagnosis), weight(of: refusal, hits),
                "\(refusal.lane): no \(refusal.family.rawValue) load brings this: \(refusal.diagnosis.sentence)",
                details: details(refusal.diagnosis, place, events: events)
                    + (hits.isEmpty ? LabelledText.lines("rule", [gap]) : ruleLines(hits)),
                wanted: refusal.diagnosis.notation.text, got: Self.folded(events))
            finding.rules = refusal.explainedBy
            finding.lane = refusal.lane
            finding.event = refusal.sequence
            return finding
        }
    }

    private func weight(of refusal: GrammarRefusal, _ hits: [RuleHit]) -> Finding.Weight {
        if refusal.sequence == nil, isCut(refusal.lane) { return .observation }
        guard !hits.isEmpty else { return .failure }
        return hits.contains { weight(of: $0) == .failure } ? .failure : .observation
    }
}
