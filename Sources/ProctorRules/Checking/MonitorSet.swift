import ProctorEvents

/// The monitors of one load, which another load may have after it.
///
/// Monitors are called several million times a second, so that counting references for each call would cost as much as the
/// calls: `references` are uncounted, and safe because `boxes` holds the same objects as long as the set lives.
@safe final class MonitorSet {
    private let boxes: [AnyMonitorBox]
    private let references: [Unmanaged<AnyMonitorBox>]
    /// The monitors that have seen an event, as bits; all beyond 63 are the last bit.
    private var touched: UInt64 = 0

    init(of types: [any RuleMonitor.Type]) {
        boxes = types.map { $0.boxed() }
        unsafe references = boxes.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// Shows an event to the monitors that a plan names for it.
    func observe(_ event: TraceEvent, by plan: FamilyPlan, _ load: LoadState, into hits: inout HitList) {
        touched |= plan.mask(of: event)
        for position in plan.interested(in: event) {
            unsafe references[plan.monitor(at: position)]._withUnsafeGuaranteedRef {
                $0.observe(event, load, into: &hits)
            }
        }
    }

    /// Ends those that the plan says have something to say.
    func end(by plan: FamilyPlan, _ load: LoadState, into hits: inout HitList) {
        for index in plan.ending { unsafe references[index]._withUnsafeGuaranteedRef { $0.end(load, into: &hits) } }
    }

    /// Makes all of them new, for another load.
    func reset() {
        for index in boxes.indices where touched & (1 << UInt64(min(index, 63))) != 0 {
            unsafe references[index]._withUnsafeGuaranteedRef { $0.reset() }
        }
        touched = 0
    }
}

/// A monitor of any type, in a place of its own, so that calling it copies nothing.
class AnyMonitorBox {
    func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {}
    func end(_ load: LoadState, into hits: inout HitList) {}
    /// Begins anew, for another load.
    func reset() {}
}

/// A monitor in its box.
class MonitorBox<Monitor: RuleMonitor>: AnyMonitorBox {
    /// Reached only from the methods below, none of which calls back, so that two accesses cannot overlap.
    @exclusivity(unchecked) fileprivate final var monitor = Monitor()

    final override func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        unsafe monitor.observe(event, load, into: &hits)
    }

    final override func reset() {
        unsafe monitor = Monitor()
    }
}

/// A monitor that has something to say at the end, in its box.
final class EndMonitorBox<Monitor: EndRuleMonitor>: MonitorBox<Monitor> {
    override func end(_ load: LoadState, into hits: inout HitList) {
        unsafe monitor.end(load, into: &hits)
    }
}

extension RuleMonitor {
    static func boxed() -> AnyMonitorBox { MonitorBox<Self>() }
}

extension EndRuleMonitor {
    static func boxed() -> AnyMonitorBox { EndMonitorBox<Self>() }
}

/// The monitors that watch the whole trace, each called only for the events it wants.
struct TraceMonitors {
    private var monitors: [any TraceMonitor]
    /// The indexes of interested monitors, by twice the ordinal of the event, plus one for exits.
    private let interested: [[Int]]

    init(platform: Platform) {
        let types = Rules.traceMonitors
        monitors = types.map { $0.init(platform: platform) }
        interested = EventName.allCases.flatMap { name in
            [false, true].map { isExit in
                types.indices.filter { types[$0].interests.contains(name) && (!isExit || types[$0].wantsExits) }
            }
        }
    }

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        for index in interested[event.name.ordinal * 2 + (event.phase == .exit ? 1 : 0)] {
            monitors[index].observe(event, family: family, into: &hits)
        }
    }

    mutating func end(_ ending: TraceEnding, into hits: inout HitList) {
        for index in monitors.indices { monitors[index].end(ending, into: &hits) }
    }
}
