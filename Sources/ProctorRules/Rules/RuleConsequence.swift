import ProctorEvents

extension Rule {
    /// A rule that can only break because another one did, so that the other alone is told.
    ///
    /// A monitor looks at its own rule, and one mistake of a client may break several: a question after the response comes
    /// after bytes of the body, too. The report names the cause, and lets the cause explain what a grammar refuses there.
    struct Consequence: Sendable {
        let rule: RuleNumber
        /// How near the cause it has to be.
        let place: Place

        enum Place: Sendable {
            /// At the same event of the same lane.
            case sameEvent
            /// At the same event of the lane, or at a later one.
            case fromThere
            /// Anywhere in the lane.
            case lane
        }

        init(_ rule: Int, _ place: Place) {
            self.rule = RuleNumber(rule)
            self.place = place
        }
    }
}

/// A cause that was hit, and one of its consequences.
private struct RuleConsequence {
    let cause: RuleNumber
    let consequence: RuleNumber
    let place: Rule.Consequence.Place

    static let all = Rules.all.flatMap { rule in
        rule.explains.map { RuleConsequence(cause: rule.number, consequence: $0.rule, place: $0.place) }
    }

    /// Whether the cause was hit so that it explains the hit.
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
    /// A failure must not be explained away by what is only noted.
    fileprivate func outweighs(_ other: RuleHit) -> Bool { weight == .failure || other.weight == .observation }
}

extension TraceReport {
    /// The same without hits that only follow from others; what they explain, their causes explain.
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
        let grammars = grammars.map { refusal in
            let rules = refusal.explainedBy.map { causes[LaneRule(lane: refusal.load, rule: $0)] ?? $0 }
            return refusal.explained(by: Set(rules).sorted())
        }
        return TraceReport(
            eventCount: eventCount, hits: kept, hitCount: hitCount - (hits.count - kept.count), grammars: grammars,
            grammarCount: grammarCount, lanes: lanes, forgottenLoadCount: forgottenLoadCount, notJudged: notJudged,
            bound: bound)
    }
}

private struct LaneRule: Hashable {
    let lane: LaneID
    let rule: RuleNumber
}

extension GrammarRefusal {
    /// Hits of an object stand in the lane of its client.
    fileprivate var load: LaneID { lane.lane == .proto ? LaneID(.protocolClient, lane.number) : lane }
}
