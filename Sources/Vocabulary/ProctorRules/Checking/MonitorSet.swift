import ProctorEvents

/// The monitors of one load, which a later load may reuse.
///
/// Monitors are called several million times a second, so that reference counting for each call would cost as much as
/// the calls: `references` are uncounted, and the set releases what they refer to when it goes.
@safe final class MonitorSet {
    private let monitors: [LoadMonitor]
    /// Made when a load brings the first event that the monitor wants, since most loads need few; owned.
    private var references: [Unmanaged<AnyMonitorBox>?]
    /// The monitors that have seen an event, as bits; all monitors beyond 63 share the last bit.
    private var touched: UInt64 = 0

    init(of monitors: [LoadMonitor]) {
        self.monitors = monitors
        unsafe references = Array(repeating: nil, count: monitors.count)
    }

    deinit {
        for index in monitors.indices { unsafe references[index]?.release() }
    }

    /// Shows an event to the monitors that the plan names for it.
    func observe(_ event: TraceEvent, by plan: FamilyPlan, _ load: LoadState, into hits: inout HitList) {
        touched |= plan.mask(of: event)
        for position in plan.interested(in: event) {
            unsafe reference(to: plan.monitor(at: position))._withUnsafeGuaranteedRef {
                $0.observe(event, load, into: &hits)
            }
        }
    }

    func observeLoadEnd(by plan: FamilyPlan, _ load: LoadState, into hits: inout HitList) {
        for index in plan.ending {
            unsafe reference(to: index)._withUnsafeGuaranteedRef { $0.observeLoadEnd(load, into: &hits) }
        }
    }

    func reset() {
        for index in monitors.indices where touched & (1 << UInt64(min(index, 63))) != 0 {
            unsafe references[index]?._withUnsafeGuaranteedRef { $0.reset() }
        }
        touched = 0
    }

    private func reference(to index: Int) -> Unmanaged<AnyMonitorBox> {
        if let known = unsafe references[index] { return unsafe known }
        let monitor = monitors[index]
        let made = unsafe Unmanaged.passRetained(monitor.type.boxed(for: monitor.rule))
        unsafe references[index] = made
        return unsafe made
    }
}

/// A monitor of any type in a class, so that a call copies nothing.
class AnyMonitorBox {
    func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {}
    func observeLoadEnd(_ load: LoadState, into hits: inout HitList) {}
    func reset() {}
}

class MonitorBox<Monitor: RuleMonitor>: AnyMonitorBox {
    fileprivate let rule: RuleNumber
    fileprivate final var isReported = false
    /// Used only by the methods below, none of which calls back, so that two accesses cannot overlap.
    @exclusivity(unchecked) fileprivate final var monitor = Monitor()

    init(for rule: RuleNumber) { self.rule = rule }

    final override func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard Monitor.reportsEach || !isReported, let breach = unsafe monitor.observe(event, load) else { return }
        isReported = true
        hits.report(breach, of: rule, at: event, in: load.lane)
    }

    final override func reset() {
        isReported = false
        unsafe monitor = Monitor()
    }
}

final class EndMonitorBox<Monitor: EndRuleMonitor>: MonitorBox<Monitor> {
    override func observeLoadEnd(_ load: LoadState, into hits: inout HitList) {
        guard Monitor.reportsEach || !isReported, let breach = unsafe monitor.observeLoadEnd(load) else { return }
        hits.report(breach, of: rule, at: nil, in: load.lane)
    }
}

extension RuleMonitor {
    static func boxed(for rule: RuleNumber) -> AnyMonitorBox { MonitorBox<Self>(for: rule) }
}

extension EndRuleMonitor {
    static func boxed(for rule: RuleNumber) -> AnyMonitorBox { EndMonitorBox<Self>(for: rule) }
}

/// The monitors of the whole trace, each called only for its events.
struct TraceMonitors {
    private var monitors: [any TraceMonitor]
    /// The indexes of interested monitors, by twice the ordinal of the event, plus one for returns.
    private let interested: [[Int]]

    init() {
        let types = Rules.traceMonitors
        monitors = types.map { $0.init() }
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

    mutating func observeTraceEnd(_ ending: TraceEnding, into hits: inout HitList) {
        for index in monitors.indices { monitors[index].observeTraceEnd(ending, into: &hits) }
    }
}
