import ProctorEvents

/// Reports once for a load: after a wrong total, later totals show nothing.
struct R34ProgressArithmetic: RuleMonitor {
    static let interests: EventNameSet = [.progress, .downloadResumed, .fileReady]

    /// The last callback's total; nil when the callback had none.
    private var total: Int? = 0
    private var sawProgress = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .downloadResumed:
            total = event.facts.integer(.offset) ?? event.argument.flatMap { Int($0) }
            sawProgress = false
        case .progress: return progress(event, load)
        default: return fileReady(event, load)
        }
        return nil
    }

    private mutating func progress(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        sawProgress = true
        let news = event.facts.integer(.n)
        if let news, news <= 0 { return Breach("progress brings \(news) bytes; each must bring at least 1") }
        // NSURLDownload reports how much came, and no totals.
        guard load.family != .download else { return nil }
        let reported = event.facts.integer(.total)
        if let news, let total, let reported {
            let (sum, overflows) = total.addingReportingOverflow(news)
            if overflows || sum != reported {
                return Breach("progress says \(news) more bytes make \(reported), but there were \(total) before")
            }
        }
        if let reported, let expected = event.facts.integer(.expected), expected > 0, reported > expected {
            return Breach("progress is at \(reported) of \(expected) bytes, more than there can be")
        }
        total = reported
        return nil
    }

    private mutating func fileReady(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard sawProgress, let total, let size = event.facts.integer(.bytes), size != total else { return nil }
        return Breach("the file has \(size) bytes, but progress ended at \(total)")
    }
}
