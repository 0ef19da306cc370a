/// A monitor that says one thing of a load, the first it finds.
protocol ReportsOnce: RuleMonitor {
    /// Whether it has said it.
    var isReported: Bool { get set }
}

extension ReportsOnce {
    /// Reports the first time, and never again.
    mutating func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, _ load: LoadState, _ hits: inout HitList,
        isInferred: Bool = false
    ) {
        guard !isReported else { return }
        isReported = true
        hits.report(Self.rule, sentence(), at: event, in: load.lane, isInferred: isInferred)
    }
}
