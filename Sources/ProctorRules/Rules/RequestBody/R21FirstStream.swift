import ProctorEvents

extension Rules {
    static let r21 = Rule(
        21, title: "the first stream",
        statement: """
            When an upload has a streamed request, needBodyStream is its first question, ahead of any bodySent. A \
            request that brings its stream is asked for another only when the body is sent again.
            """,
        source: "URLSessionTaskDelegate and URLSession reference; NSURLSession.h", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler],
        monitors: [.load(R21FirstStream.self)],
        limits: """
            the form of the body is not in a trace, so that a streamed upload is never asked, or one of data or a \
            file is, must be said by the case
            """,
        legal: "needBodyStream bodySent* response(200) data* complete(ok)",
        illegal: "bodySent needBodyStream bodySent response(200) data* complete(ok)")
}

struct R21FirstStream: EndRuleMonitor {
    static var rule: Rule { Rules.r21 }
    static let interests: EventNameSet = [
        .needBodyStream, .bodySent, .redirect, .challenge, .request, .response, .complete, .handler, .awaited,
    ]

    private var hasSent = false
    /// Nothing more is to be seen: the first question was in place, or a re-send gave it a reason (R22).
    private var isSettled = false
    /// A first question after bytes, unless a lost connection explains it.
    private var late: KeptEvent?
    private var requestCount = 0

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isSettled else { return }
        switch event.name {
        case .bodySent:
            if late != nil {
                if Self.beginsAnew(event) { isSettled = true } else { report(in: load, into: &hits) }
            }
            hasSent = true
        case .request: requestCount += 1
        case .needBodyStream where late == nil:
            if hasSent { late = KeptEvent(event) } else { isSettled = true }
        case .redirect, .challenge:
            if late == nil { isSettled = true } else { report(in: load, into: &hits) }
        default: report(in: load, into: &hits)
        }
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) { report(in: load, into: &hits) }

    /// The totals start again, so the old bytes were another transmission.
    private static func beginsAnew(_ event: TraceEvent) -> Bool {
        guard let n = event.facts.integer(.n) else { return false }
        return event.facts.integer(.total) == n
    }

    private mutating func report(in load: LoadState, into hits: inout HitList) {
        guard let late, !isSettled else { return }
        isSettled = true
        guard requestCount < 2 else { return }
        hits.report(
            Self.rule,
            "needBodyStream came for the first time after bodySent; the stream is asked for before its bytes leave",
            at: late.event, in: load.lane)
    }
}
