import ProctorEvents

/// Collects the reports of monitors; the first ones are kept, all are counted.
///
/// Observations have a bound of their own, so that any number of them leaves room for a later failure.
struct HitList {
    private(set) var hits: [RuleHit] = []
    private(set) var count = 0
    /// The rules that were reported since the set was last emptied, including those of hits that were not kept.
    var broken = RuleNumberSet()
    /// Whether any event may be missing from the trace; then rules about missing events give observations only.
    var isPartial = false
    private let weights: [RuleNumber: RuleWeight]

    /// How many observations, and how many other hits, are kept for a trace; later ones are only counted.
    static let mostKept = 1_000
    private var keptObservationCount = 0

    init(platform: Platform) { weights = platform.weights }

    /// `event` is the place of a breach that has none of its own.
    mutating func report(_ breach: Breach, of rule: RuleNumber, at event: TraceEvent?, in lane: LaneID) {
        report(
            rule, breach.sentence, at: breach.event?.event ?? event, in: lane, isInferred: breach.isInferred,
            weight: breach.weight)
    }

    /// `isInferred` marks the part of a documented rule that is our own conclusion.
    mutating func report(
        _ number: RuleNumber, _ sentence: @autoclosure () -> String, at event: TraceEvent?, in lane: LaneID,
        isInferred: Bool = false, weight: RuleWeight? = nil
    ) {
        guard let rule = Rules.rule(number) else { return }
        count += 1
        broken.insert(rule.number)
        let usual: RuleWeight = isInferred || rule.confidence == .inferred ? .observation : .failure
        var weight = weights[rule.number] ?? weight ?? usual
        if isPartial, event == nil || weight == .harnessFault || rule.breaksByMissingEvents {
            weight = .observation
        }
        if weight == .observation {
            guard keptObservationCount < Self.mostKept else { return }
            keptObservationCount += 1
        } else {
            guard hits.count - keptObservationCount < Self.mostKept else { return }
        }
        hits.append(
            RuleHit(
                rule: rule.number, weight: weight, lane: lane, sequence: event?.sequence, event: event?.symbol,
                sentence: sentence()))
    }
}

/// A set of rules in two machine words.
struct RuleNumberSet: Sendable, Equatable {
    private var words: SIMD2<UInt64> = .zero

    /// The numbers that fit; a test checks that all rules have such a number.
    static let capacity = 0..<128

    var isEmpty: Bool { words == .zero }

    mutating func insert(_ rule: RuleNumber) {
        precondition(Self.capacity ~= rule.value, "no room for \(rule): give RuleNumberSet another word")
        words[rule.value / 64] |= 1 << UInt64(rule.value % 64)
    }

    mutating func formUnion(_ other: RuleNumberSet) { words |= other.words }

    var numbers: [RuleNumber] {
        Self.capacity.filter { words[$0 / 64] & (1 << UInt64($0 % 64)) != 0 }.map { RuleNumber($0) }
    }
}
