/// Where monitors report; the first ones are kept, all are counted.
///
/// Observations have a bound of their own, so that however many there are, a failure behind them is kept.
struct HitList {
    private(set) var hits: [RuleHit] = []
    private(set) var count = 0
    /// The rules that were reported since it was last emptied, also of hits that were not kept.
    var broken = RuleNumberSet()
    /// Whether any event may be missing from the trace, so that none is missed.
    var isPartial = false
    private let weights: [RuleNumber: RuleWeight]
    private let rules: [RuleNumber: Rule.Confidence]

    /// Of each trace, observations and others each; later ones are only counted.
    static let mostKept = 1_000
    private var keptObservationCount = 0

    /// Rules that break where an event is missing, or a sum that leaves one out; wrong orders of their events are refused
    /// by grammars too.
    private static let ofMissingEvents = Set([2, 5, 13, 15, 17, 22, 23, 25, 34, 35, 41, 49, 52].map { RuleNumber($0) })

    init(platform: Platform, rules: [RuleNumber: Rule.Confidence]) {
        weights = platform.weights
        self.rules = rules
    }

    /// `isInferred` marks the part of a documented rule that is our own conclusion.
    mutating func report(
        _ rule: RuleNumber, _ sentence: @autoclosure () -> String, at event: TraceEvent?, in lane: LaneID,
        isInferred: Bool = false, weight: RuleWeight? = nil
    ) {
        count += 1
        broken.insert(rule)
        let usual: RuleWeight = isInferred || rules[rule] == .inferred ? .observation : .failure
        var weight = weights[rule] ?? weight ?? usual
        if isPartial, event == nil || weight == .harnessFault || Self.ofMissingEvents.contains(rule) {
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
                rule: rule, weight: weight, lane: lane, sequence: event?.sequence, event: event?.symbol,
                sentence: sentence()))
    }
}

/// Rules in one machine word, of which R1 to R63 fit.
struct RuleNumberSet: Sendable, Equatable {
    private var bits: UInt64 = 0

    var isEmpty: Bool { bits == 0 }

    mutating func insert(_ rule: RuleNumber) {
        if 0..<64 ~= rule.value { bits |= 1 << UInt64(rule.value) }
    }

    mutating func formUnion(_ other: RuleNumberSet) { bits |= other.bits }

    /// From the smallest.
    var numbers: [RuleNumber] { (0..<64).filter { bits & (1 << UInt64($0)) != 0 }.map { RuleNumber($0) } }
}
