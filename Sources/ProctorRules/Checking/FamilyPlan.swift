import ProctorEvents
import ProctorNotation

/// What is the same for all loads of a family, built once: their monitors, who wants which event, and their grammars.
final class FamilyPlan {
    /// The order of the lane, with the transitions that any load of the family needed.
    let ownGrammar: SharedGrammar?
    /// For objects: the order of lane `proto`.
    let objectGrammar: SharedGrammar?
    /// The monitors of a load that are asked at its end.
    let ending: [Int]
    private let types: [any RuleMonitor.Type]
    /// Positions in a load's monitors, those for one event one after the other.
    private let order: [Int32]
    /// Where the part of an event in `order` begins, by twice the ordinal of the event, plus one for exits.
    private let starts: [Int32]
    /// The monitors that want an event, as bits, by the same index; all beyond 63 are the last bit.
    private let masks: [UInt64]
    /// Monitors of loads that are forgotten, for loads to come.
    private var spare: [MonitorSet] = []

    /// Sets of monitors that wait for a load.
    private static let mostSpare = 64

    /// `isPartial`: the grammars take any event for one that may be missing.
    init(family: CallbackFamily, platform: Platform, isPartial: Bool = false) {
        let types = Rules.loadMonitors.filter { type in
            type.families.contains(family) || family == .urlProtocol && type.families.contains(.proto)
        }
        var order: [Int32] = []
        var starts: [Int32] = []
        for name in EventName.allCases {
            for isExit in [false, true] {
                starts.append(Int32(order.count))
                for (index, type) in types.enumerated() where type.interests.contains(name) {
                    if !isExit || type.wantsExits { order.append(Int32(index)) }
                }
            }
        }
        starts.append(Int32(order.count))
        self.types = types
        ending = types.indices.filter { types[$0] is any EndRuleMonitor.Type }
        self.order = order
        self.starts = starts
        masks = starts.indices.dropLast().map { slot in
            order[Int(starts[slot])..<Int(starts[slot + 1])].reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
        }
        let ignored: EventNameSet = platform.metrics == .anyOrder ? [.metrics] : []
        ownGrammar = SharedGrammar(of: family, ignoring: ignored, isPartial: isPartial)
        objectGrammar =
            family == .urlProtocol
            ? SharedGrammar(of: .proto, ignoring: [.pCanInit, .pCanonical], isPartial: isPartial) : nil
    }

    /// A part of the order in which ``monitor(at:)`` names who wants the event.
    func interested(in event: TraceEvent) -> Range<Int> {
        let slot = event.name.ordinal * 2 + (event.phase == .exit ? 1 : 0)
        return Int(starts[slot])..<Int(starts[slot + 1])
    }

    /// The monitors that want the event, as bits.
    func mask(of event: TraceEvent) -> UInt64 {
        masks[event.name.ordinal * 2 + (event.phase == .exit ? 1 : 0)]
    }

    /// An index into the monitors of a load.
    func monitor(at position: Int) -> Int { Int(order[position]) }

    // MARK: Monitors

    /// A new monitor of each rule.
    func monitors() -> MonitorSet { spare.popLast() ?? MonitorSet(of: types) }

    /// Takes back the monitors of a load that is forgotten.
    func takeBack(_ monitors: MonitorSet) {
        guard spare.count < Self.mostSpare else { return }
        monitors.reset()
        spare.append(monitors)
    }
}

/// The plans of the families that a trace has, built when they are first met.
struct FamilyPlans {
    let platform: Platform
    /// Whether traces may leave out any event.
    var isPartial = false
    private var plans: [CallbackFamily: FamilyPlan] = [:]

    init(platform: Platform) { self.platform = platform }

    mutating func plan(of family: CallbackFamily) -> FamilyPlan {
        if let plan = plans[family] { return plan }
        let plan = FamilyPlan(family: family, platform: platform, isPartial: isPartial)
        plans[family] = plan
        return plan
    }
}

/// The grammar of a family, as an automaton that all its lanes share.
final class SharedGrammar {
    let family: CallbackFamily
    let ignored: EventNameSet
    var automaton: NotationAutomaton

    /// nil when only monitors judge the family.
    init?(of family: CallbackFamily, ignoring ignored: EventNameSet, isPartial: Bool = false) {
        guard let grammar = family.grammar else { return nil }
        self.family = family
        self.ignored = ignored
        let notation = isPartial ? grammar.notation.allowingAbsence { _ in true } : grammar.notation
        automaton = NotationAutomaton(notation, ambient: grammar.ambient, terminals: grammar.terminals)
    }
}
