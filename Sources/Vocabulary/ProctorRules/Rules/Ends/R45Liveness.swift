import ProctorEvents

/// Checks traces that the watchdog ended.
///
/// The harness observes the fault itself, so that it is a failure although the rule is inferred.
struct R45Liveness: EndRuleMonitor {
    static let interests: EventNameSet = []

    func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? { nil }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard load.isHung, load.isEndDue else { return nil }
        let last = load.previous.map { "after \($0.symbol)" } ?? "before any event"
        return Breach("the load hangs \(last)\(load.openQuestionNote)", weight: .failure)
    }
}
