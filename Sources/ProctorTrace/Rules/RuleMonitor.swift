/// Watches one load for one rule.
///
/// Events come in the order of the trace: those of the load's lane, of the lanes `harness`, `handler`, `proto` and
/// `wire` that belong to it. The state is the one *before* the event. Memory must not grow with the trace.
protocol RuleMonitor: Sendable {
    /// Of the rule it watches for.
    static var rule: RuleNumber { get }
    /// The families it is made for.
    static var families: Set<CallbackFamily> { get }
    /// Events it wants to see; others never reach it.
    static var interests: EventNameSet { get }

    init()

    /// Looks at one event; exits of callbacks come only to monitors that ask for them.
    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList)
    /// Whether ``observe`` wants exits too (R46).
    static var wantsExits: Bool { get }
    /// A box with a new monitor of the type; no type makes its own.
    static func boxed() -> AnyMonitorBox
}

extension RuleMonitor {
    static var wantsExits: Bool { false }
}

/// A monitor that also has something to say when the load is over; most have not, and are not asked.
protocol EndRuleMonitor: RuleMonitor {
    /// The trace is over, or the load is forgotten; `load` is the state after its last event.
    mutating func end(_ load: LoadState, _ hits: inout HitList)
}

/// Watches a whole trace for one rule that no single load decides (R43, R46, R47, R52).
protocol TraceMonitor: Sendable {
    static var rule: RuleNumber { get }
    static var interests: EventNameSet { get }
    static var wantsExits: Bool { get }

    init(platform: Platform)

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, _ hits: inout HitList)
    mutating func end(_ hits: inout HitList)
    /// The trace is over; by itself it calls the form without `ending`.
    mutating func end(_ ending: TraceEnding, _ hits: inout HitList)
}

extension TraceMonitor {
    mutating func end(_ ending: TraceEnding, _ hits: inout HitList) { end(&hits) }
    mutating func end(_ hits: inout HitList) {}
    static var wantsExits: Bool { false }
}
