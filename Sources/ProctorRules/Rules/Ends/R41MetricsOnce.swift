import ProctorEvents

extension Rules {
    static let r41 = Rule(
        41, title: "metrics come once, before the end",
        statement: """
            As the platform has it. required: exactly one metrics, after everything but complete, also for tasks \
            that fail; optional: at most one, in that place; absent: none is known; anyOrder: any number, anywhere.
            """,
        source: "URLSessionTaskDelegate (that it comes); its place is what loaders do, and Alamofire accepts others",
        confidence: .sample, families: [.sessionData, .sessionDownload, .webSocket],
        monitors: [.load(R41MetricsOnce.self)],
        limits: """
            that there is a transaction for each request is an observation, and needs the wire; the order against \
            willCache is never judged
            """,
        legal: "response(200) data metrics complete(ok)", illegal: "response(200) metrics data complete(ok)",
        breaksByMissingEvents: true)
}

/// As the platform has it.
///
/// A late `metrics` breaks R40 where the platform promises no metrics.
struct R41MetricsOnce: ReportsOnce {
    static var rule: Rule { Rules.r41 }
    /// What must not stand between `metrics` and `complete`; the order against `willCache` is not judged.
    static let interests: EventNameSet = [
        .metrics, .complete, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response,
        .data, .downloadResumed, .progress, .fileReady, .wsOpen, .wsClose,
    ]

    private var hasMetrics = false
    var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        switch event.name {
        case .metrics: metrics(event, load, into: &hits)
        case .complete:
            guard load.terminal == nil, !hasMetrics, load.platform.metrics == .required else { return }
            report(
                "\(event.symbol) without metrics before it", event, in: load, into: &hits,
                // Whether a task that never ran has metrics is open.
                isInferred: load.cancellation != nil && !load.isResumed)
        default:
            guard hasMetrics, load.terminal == nil, load.platform.metrics != .anyOrder else { return }
            report("\(event.symbol) after metrics; only complete may follow", event, in: load, into: &hits)
        }
    }

    private mutating func metrics(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        defer { hasMetrics = true }
        switch load.platform.metrics {
        case .anyOrder: return compare(event, load, into: &hits)
        case .absent:
            guard load.terminal == nil else { return }
            return report(
                "metrics came, which platform \(load.platform.name) is not known to send", event, in: load, into: &hits,
                isInferred: true)
        case .required where load.terminal != nil:
            return report("metrics after the terminal event; they come just before it", event, in: load, into: &hits)
        case .required, .optional: break
        }
        guard load.terminal == nil else { return }
        if hasMetrics {
            report("metrics come a second time", event, in: load, into: &hits)
        } else {
            compare(event, load, into: &hits)
        }
    }

    /// One transaction for each request on the wire but those for a tunnel; loads from a cache have more.
    private mutating func compare(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        let requests = load.wireRequestCount - load.tunnelRequestCount
        guard let transactions = event.facts.integer(.transactions), transactions < requests else { return }
        report(
            "metrics tell of \(transactions) transactions, but the server saw \(requests) requests", event, in: load,
            into: &hits,
            isInferred: true)
    }
}
