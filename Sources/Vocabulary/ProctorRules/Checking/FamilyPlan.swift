import ProctorEvents
import ProctorNotation

/// What all loads of a family share: their monitors, the monitors for each event, and their grammars.
final class FamilyPlan {
    /// The grammar of the lane, with the transitions that any load of the family has used.
    let ownGrammar: SharedGrammar?
    /// For URLProtocol objects: the grammar of lane `proto`.
    let objectGrammar: SharedGrammar?
    let ending: [Int]
    private let watching: [LoadMonitor]
    /// Indexes of a load's monitors, grouped by event.
    private let order: [Int32]
    /// Where the group of an event in `order` begins, by twice the ordinal of the event, plus one for returns.
    private let starts: [Int32]
    /// The monitors that want an event, as bits, by the same index; all monitors beyond 63 share the last bit.
    private let masks: [UInt64]
    /// Monitors of forgotten loads, for reuse by new loads.
    private var spare: [MonitorSet] = []

    private static let mostSpare = 64

    /// `isPartial`: the grammars accept that any event may be missing.
    init(family: CallbackFamily, platform: Platform, isPartial: Bool = false) {
        let watching = Rules.loadMonitors.filter { monitor in
            monitor.families.contains(family) || family == .urlProtocol && monitor.families.contains(.proto)
        }
        var order: [Int32] = []
        var starts: [Int32] = []
        for name in EventName.allCases {
            for isExit in [false, true] {
                starts.append(Int32(order.count))
                for (index, monitor) in watching.enumerated() where monitor.type.interests.contains(name) {
                    if !isExit || monitor.type.wantsExits { order.append(Int32(index)) }
                }
            }
        }
        starts.append(Int32(order.count))
        self.watching = watching
        ending = watching.indices.filter { watching[$0].type is any EndRuleMonitor.Type }
        (self.order, self.starts) = (order, starts)
        masks = starts.indices.dropLast().map { slot in
            order[Int(starts[slot])..<Int(starts[slot + 1])].reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
        }
        let ignored: EventNameSet = platform.metrics == .anyOrder ? [.metrics] : []
        ownGrammar = SharedGrammar(of: family, ignoring: ignored, isPartial: isPartial)
        objectGrammar =
            family == .urlProtocol
            ? SharedGrammar(of: .proto, ignoring: [.pCanInit, .pCanonical, .pCacheEquivalent], isPartial: isPartial)
            : nil
    }

    /// The positions in the order whose monitors, by ``monitor(at:)``, want the event.
    func interested(in event: TraceEvent) -> Range<Int> {
        let slot = event.name.ordinal * 2 + (event.phase == .exit ? 1 : 0)
        return Int(starts[slot])..<Int(starts[slot + 1])
    }

    func mask(of event: TraceEvent) -> UInt64 {
        masks[event.name.ordinal * 2 + (event.phase == .exit ? 1 : 0)]
    }

    func monitor(at position: Int) -> Int { Int(order[position]) }

    // MARK: Monitors

    func monitors() -> MonitorSet { spare.popLast() ?? MonitorSet(of: watching) }

    func takeBack(_ monitors: MonitorSet) {
        guard spare.count < Self.mostSpare else { return }
        monitors.reset()
        spare.append(monitors)
    }
}

/// The plans of the families in a trace, built when the first load of a family comes.
struct FamilyPlans {
    let platform: Platform
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
        (self.family, self.ignored) = (family, ignored)
        let notation = isPartial ? grammar.notation.allowingAbsence { _ in true } : grammar.notation
        automaton = NotationAutomaton(notation, ambient: grammar.ambient, terminals: grammar.terminals)
    }
}
