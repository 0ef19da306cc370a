/// A monitor of any type, in a place of its own, so that calling it copies nothing.
class AnyMonitorBox {
    func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {}
    func end(_ load: LoadState, _ hits: inout HitList) {}
    /// Begins anew, for another load.
    func reset() {}
}

/// A monitor in its box.
class MonitorBox<Monitor: RuleMonitor>: AnyMonitorBox {
    /// Reached only from the methods below, none of which calls back, so that two accesses cannot overlap.
    @exclusivity(unchecked) fileprivate final var monitor = Monitor()

    final override func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        unsafe monitor.observe(event, load, &hits)
    }

    final override func reset() {
        unsafe monitor = Monitor()
    }
}

/// A monitor that has something to say at the end, in its box.
final class EndMonitorBox<Monitor: EndRuleMonitor>: MonitorBox<Monitor> {
    override func end(_ load: LoadState, _ hits: inout HitList) {
        unsafe monitor.end(load, &hits)
    }
}

extension RuleMonitor {
    static func boxed() -> AnyMonitorBox { MonitorBox<Self>() }
}

extension EndRuleMonitor {
    static func boxed() -> AnyMonitorBox { EndMonitorBox<Self>() }
}
