/// The monitors of all rules; a new monitor is entered here and nowhere else.
enum RuleMonitors {
    static let ofLoads: [any RuleMonitor.Type] = firstHalf + secondHalf
    static let ofTraces: [any TraceMonitor.Type] = firstHalfOfTraces + traceMonitors
}
