import ProctorEvents

/// Watches one load for one rule.
///
/// Events come in the order of the trace: those of the load's lane, of the lanes `harness`, `handler`, `proto` and
/// `wire` that belong to it. The state is the one *before* the event. Memory must not grow with the trace.
protocol RuleMonitor: Sendable {
    /// The rule it watches for, which names it in turn.
    static var rule: Rule { get }
    /// The families it is made for; all of the rule unless it says otherwise.
    static var families: Set<CallbackFamily> { get }
    /// Events it wants to see; others never reach it.
    static var interests: EventNameSet { get }

    init()

    /// Looks at one event; exits of callbacks come only to monitors that ask for them.
    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList)
    /// Whether ``observe`` wants exits too (R46).
    static var wantsExits: Bool { get }
    /// A box with a new monitor of the type; no type makes its own.
    static func boxed() -> AnyMonitorBox
}

extension RuleMonitor {
    static var families: Set<CallbackFamily> { Set(rule.families) }
    static var wantsExits: Bool { false }
}

/// A monitor that also has something to say when the load is over; most have not, and are not asked.
protocol EndRuleMonitor: RuleMonitor {
    /// The trace is over, or the load is forgotten; `load` is the state after its last event.
    mutating func end(_ load: LoadState, into hits: inout HitList)
}

/// Watches a whole trace for one rule that no single load decides (R43, R46, R47, R52).
protocol TraceMonitor: Sendable {
    static var rule: Rule { get }
    static var interests: EventNameSet { get }
    static var wantsExits: Bool { get }

    init(platform: Platform)

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList)
    mutating func end(into hits: inout HitList)
    /// The trace is over; by itself it calls the form without `ending`.
    mutating func end(_ ending: TraceEnding, into hits: inout HitList)
}

extension TraceMonitor {
    mutating func end(_ ending: TraceEnding, into hits: inout HitList) { end(into: &hits) }
    mutating func end(into hits: inout HitList) {}
    static var wantsExits: Bool { false }
}

/// A monitor that says one thing of a load, the first it finds.
protocol ReportsOnce: RuleMonitor {
    /// Whether it has said it.
    var isReported: Bool { get set }
}

extension ReportsOnce {
    /// Reports the first time, and never again.
    mutating func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList,
        isInferred: Bool = false
    ) {
        guard !isReported else { return }
        isReported = true
        hits.report(Self.rule, sentence(), at: event, in: load.lane, isInferred: isInferred)
    }
}

/// An event that a monitor keeps for later, in a place of its own.
///
/// Nearly all monitors that can keep one keep none, and `nil` of this is one word that costs nothing to copy or forget.
@dynamicMemberLookup
final class KeptEvent: Sendable {
    let event: TraceEvent

    init(_ event: TraceEvent) { self.event = event }

    @inline(__always)
    subscript<Value>(dynamicMember member: KeyPath<TraceEvent, Value>) -> Value { event[keyPath: member] }
}
