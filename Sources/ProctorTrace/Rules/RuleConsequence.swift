/// A rule that can only break because another one did, so that the other alone is told.
///
/// A monitor looks at its own rule, and one mistake of a client may break several: a question after the response comes
/// after bytes of the body, too. The report names the cause, and lets the cause explain what a grammar refuses there.
struct RuleConsequence {
    let cause: RuleNumber
    let consequence: RuleNumber
    /// How near the consequence has to be.
    let place: Place

    enum Place {
        /// At the same event of the same lane.
        case sameEvent
        /// At the same event of the lane, or at a later one.
        case fromThere
        /// Anywhere in the lane.
        case lane
    }

    init(of cause: Int, _ consequence: Int, _ place: Place) {
        self.cause = RuleNumber(cause)
        self.consequence = RuleNumber(consequence)
        self.place = place
    }

    static let all = [
        // A stream that is asked for after the response is asked for after its bytes have left.
        RuleConsequence(of: 1, 21, .sameEvent),
        // Where no response ever comes, no data can come after one.
        RuleConsequence(of: 2, 25, .lane),
        // A redirect that is told late has begun a transmission that nothing announced.
        RuleConsequence(of: 3, 23, .lane),
        // The head of a followed redirect makes the next redirect look late.
        RuleConsequence(of: 4, 3, .fromThere),
        // What comes after a cancel in the redirect is too much, with a response and without.
        RuleConsequence(of: 6, 25, .sameEvent),
        // The head of a challenge is told, and its disposition not waited for.
        RuleConsequence(of: 12, 28, .sameEvent),
        // What came of a 401 that asks nobody is its response, whether the question was answered or not.
        RuleConsequence(of: 16, 10, .fromThere),
        // What a question of TLS out of place interrupts, and what its answer would have led to.
        RuleConsequence(of: 18, 10, .fromThere),
        RuleConsequence(of: 18, 14, .fromThere),
        // Progress that nobody can know adds up to nothing.
        RuleConsequence(of: 24, 23, .lane),
        // The other delegate is told of a redirect that the first one has refused.
        RuleConsequence(of: 55, 5, .sameEvent),
    ]

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
