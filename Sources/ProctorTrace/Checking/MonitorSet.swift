/// The monitors of one load, which another load may have after it.
///
/// They are called several million times a second, so that counting references for each call would cost as much as the
/// calls: `references` are uncounted, and safe because `boxes` holds the same objects as long as the set lives.
@safe final class MonitorSet {
    private let boxes: [AnyMonitorBox]
    private let references: [Unmanaged<AnyMonitorBox>]
    /// Those that have seen an event, as bits; all beyond 63 are the last bit.
    private var touched: UInt64 = 0

    init(of types: [any RuleMonitor.Type]) {
        boxes = types.map { $0.boxed() }
        unsafe references = boxes.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// Shows an event to the monitors that a plan names for it.
    func observe(_ event: TraceEvent, by plan: FamilyPlan, _ load: LoadState, _ hits: inout HitList) {
        touched |= plan.mask(of: event)
        for position in plan.interested(in: event) {
            unsafe references[plan.monitor(at: position)]._withUnsafeGuaranteedRef { $0.observe(event, load, &hits) }
        }
    }

    /// Ends those that the plan says have something to say.
    func end(by plan: FamilyPlan, _ load: LoadState, _ hits: inout HitList) {
        for index in plan.ending { unsafe references[index]._withUnsafeGuaranteedRef { $0.end(load, &hits) } }
    }

    /// Makes all of them new, for another load.
    func reset() {
        for index in boxes.indices where touched & (1 << UInt64(min(index, 63))) != 0 {
            unsafe references[index]._withUnsafeGuaranteedRef { $0.reset() }
        }
        touched = 0
    }
}
