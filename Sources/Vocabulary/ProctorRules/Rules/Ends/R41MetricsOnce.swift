import ProctorEvents

/// The platform decides whether metrics must come.
///
/// A late `metrics` breaks R40 where the platform does not require metrics.
struct R41MetricsOnce: RuleMonitor {
    /// Events that must not stand between `metrics` and `complete`; the order with `willCache` is not judged.
    static let interests: EventNameSet = [
        .metrics, .complete, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response,
        .data, .downloadResumed, .progress, .fileReady, .wsOpen, .wsClose,
    ]

    private var hasMetrics = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .metrics: return metrics(event, load)
        case .complete:
            guard load.terminal == nil, !hasMetrics, load.platform.metrics == .required else { return nil }
            return Breach(
                "\(event.symbol) without metrics before it",
                // The documentation does not say whether a task that never ran has metrics.
                isInferred: load.cancellation != nil && !load.isResumed)
        default:
            guard hasMetrics, load.terminal == nil, load.platform.metrics != .anyOrder else { return nil }
            return Breach("\(event.symbol) after metrics; only complete may follow")
        }
    }

    private mutating func metrics(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        defer { hasMetrics = true }
        switch load.platform.metrics {
        case .anyOrder: return compare(event, load)
        case .absent:
            guard load.terminal == nil else { return nil }
            return Breach("metrics came, which platform \(load.platform.name) is not known to send", isInferred: true)
        case .required where load.terminal != nil:
            return Breach("metrics after the terminal event; they come just before it")
        case .required, .optional: break
        }
        guard load.terminal == nil else { return nil }
        return hasMetrics ? Breach("metrics come a second time") : compare(event, load)
    }

    /// One transaction for each request on the wire, without requests for a tunnel; loads from a cache have more.
    private mutating func compare(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        let requests = load.wireRequestCount - load.tunnelRequestCount
        guard let transactions = event.facts.integer(.transactions), transactions < requests else { return nil }
        return Breach(
            "metrics tell of \(transactions) transactions, but the server saw \(requests) requests", isInferred: true)
    }
}
