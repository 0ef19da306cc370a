import ProctorEvents

extension Rule {
    /// A rule that breaks only because another one did, so that only the other one is reported.
    ///
    /// One mistake of a client may break several rules: a question after the response also comes after bytes of the
    /// body. The report names the cause, and the cause explains a grammar refusal there.
    struct Consequence: Sendable {
        let rule: RuleNumber
        let place: Place

        /// Where the other rule breaks; raw values are the words of `callback-rules.txt`.
        enum Place: String, Sendable, CaseIterable {
            case sameEvent = "at the same event"
            case fromThere = "from there on"
            case lane = "in its lane"
        }
    }
}

private struct RuleConsequence {
    let cause: RuleNumber
    let consequence: RuleNumber
    let place: Rule.Consequence.Place

    static let all = Rules.all.flatMap { rule in
        rule.explains.map { RuleConsequence(cause: rule.number, consequence: $0.rule, place: $0.place) }
    }

    func isExplained(_ hit: RuleHit, by causes: [RuleHit]) -> Bool {
        guard hit.rule == consequence else { return false }
        return causes.contains { cause in
            cause.rule == self.cause && cause.lane == hit.lane && cause.outweighs(hit) && isNear(hit, cause)
        }
    }

    private func isNear(_ hit: RuleHit, _ cause: RuleHit) -> Bool {
        switch place {
        case .lane: return true
        case .sameEvent: return cause.sequence == hit.sequence
        case .fromThere:
            guard let begin = cause.sequence else { return hit.sequence == nil }
            return hit.sequence.map { $0 >= begin } ?? true
        }
    }
}

extension RuleHit {
    /// An observation must not explain a failure away.
    fileprivate func outweighs(_ other: RuleHit) -> Bool { weight == .failure || other.weight == .observation }
}

extension TraceReport {
    /// The report without hits that only follow from others; where such a hit explained a refusal, its cause does.
    var withoutConsequences: TraceReport {
        let candidates = RuleConsequence.all.filter { pair in hits.contains { $0.rule == pair.cause } }
        guard !candidates.isEmpty else { return self }
        var kept: [RuleHit] = []
        var causes: [LaneRule: RuleNumber] = [:]
        for hit in hits {
            if let pair = candidates.first(where: { $0.isExplained(hit, by: hits) }) {
                causes[LaneRule(lane: hit.lane, rule: hit.rule)] = pair.cause
            } else {
                kept.append(hit)
            }
        }
        for hit in kept { causes[LaneRule(lane: hit.lane, rule: hit.rule)] = nil }
        var report = self
        report.hits = kept
        report.hitCount -= hits.count - kept.count
        for (index, refusal) in grammars.enumerated() {
            let rules = refusal.explainedBy.map { causes[LaneRule(lane: refusal.load, rule: $0)] ?? $0 }
            report.grammars[index].explainedBy = Set(rules).sorted()
        }
        return report
    }
}

private struct LaneRule: Hashable {
    let lane: LaneID
    let rule: RuleNumber
}

extension GrammarRefusal {
    /// A hit in lane `proto` counts in the lane of the object's client.
    fileprivate var load: LaneID { lane.lane == .proto ? LaneID(.protocolClient, lane.number) : lane }
}
