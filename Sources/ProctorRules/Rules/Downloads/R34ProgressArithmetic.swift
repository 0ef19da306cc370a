import ProctorEvents

extension Rules {
    static let r34 = Rule(
        34, title: "progress arithmetic",
        statement: """
            Each progress brings at least one byte, and its total is the total before plus the new bytes, from 0 or \
            from the offset of downloadResumed. A known length is not exceeded, and the last total is the size of \
            the file. NSURLDownload tells only the bytes that came, so that only their number is looked at.
            """,
        source: "NSURLSession.h, NSURLDownload.h, NSURLConnection.h for the values; the arithmetic is our conclusion",
        confidence: .inferred, families: [.sessionDownload, .connectionDownload, .download],
        monitors: [.load(R34ProgressArithmetic.self)],
        limits: """
            a server may announce a wrong length; whether content was coded, which makes totals and length \
            incomparable, is not in a trace; the file's size only where fileReady says it; one hit for a load
            """,
        legal: "progress progress fileReady complete(ok)  # 100 of 300, then 300 of 300 bytes",
        illegal: "progress progress fileReady complete(ok)  # totals 100 and 90",
        breaksByMissingEvents: true)
}

/// Totals that were once wrong say nothing of the callbacks after them, so a load is told of once.
struct R34ProgressArithmetic: RuleMonitor {
    static var rule: Rule { Rules.r34 }
    static let interests: EventNameSet = [.progress, .downloadResumed, .fileReady]

    /// As far as the last callback said; nil when it did not say.
    private var total: Int? = 0
    private var sawProgress = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil, !isReported else { return }
        switch event.name {
        case .downloadResumed:
            total = event.facts.integer(.offset) ?? event.argument.flatMap { Int($0) }
            sawProgress = false
        case .progress: progress(event, load, into: &hits)
        default: fileReady(event, load, into: &hits)
        }
    }

    private mutating func progress(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        sawProgress = true
        let news = event.facts.integer(.n)
        if let news, news <= 0 {
            return report("progress brings \(news) bytes; each must bring at least 1", event, in: load, into: &hits)
        }
        // NSURLDownload says how much came, and no totals.
        guard load.family != .download else { return }
        let reported = event.facts.integer(.total)
        if let news, let total, let reported {
            let (sum, overflows) = total.addingReportingOverflow(news)
            if overflows || sum != reported {
                return report(
                    "progress says \(news) more bytes make \(reported), but there were \(total) before", event,
                    in: load,
                    into: &hits)
            }
        }
        if let reported, let expected = event.facts.integer(.expected), expected > 0, reported > expected {
            return report(
                "progress is at \(reported) of \(expected) bytes, more than there can be", event, in: load, into: &hits)
        }
        total = reported
    }

    private mutating func fileReady(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard sawProgress, let total, let size = event.facts.integer(.bytes), size != total else { return }
        report("the file has \(size) bytes, but progress ended at \(total)", event, in: load, into: &hits)
    }

    private mutating func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        isReported = true
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
