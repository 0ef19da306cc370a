import ProctorEvents

struct R21FirstStream: EndRuleMonitor {
    static let interests: EventNameSet = [
        .needBodyStream, .bodySent, .redirect, .challenge, .request, .response, .complete, .handler, .awaited,
    ]

    private var hasSent = false
    /// Whether no breach is possible any more: the first question was in place, or a re-send gave it a reason (R22).
    private var isSettled = false
    /// A first question after bytes, unless a lost connection explains it.
    private var misplaced: KeptEvent?
    private var requestCount = 0

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard !isSettled else { return nil }
        switch event.name {
        case .bodySent:
            hasSent = true
            guard misplaced != nil else { return nil }
            guard Self.beginsAnew(event) else { return observeLoadEnd(load) }
            isSettled = true
        case .request: requestCount += 1
        case .needBodyStream where misplaced == nil:
            if hasSent { misplaced = KeptEvent(event) } else { isSettled = true }
        case .redirect, .challenge:
            guard misplaced == nil else { return observeLoadEnd(load) }
            isSettled = true
        default: return observeLoadEnd(load)
        }
        return nil
    }

    mutating func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard let misplaced, !isSettled else { return nil }
        isSettled = true
        guard requestCount < 2 else { return nil }
        return Breach(
            "needBodyStream came for the first time after bodySent; the stream is asked for before its bytes leave",
            at: misplaced)
    }

    /// Whether the totals start again, so that the earlier bytes belong to another transmission.
    private static func beginsAnew(_ event: TraceEvent) -> Bool {
        guard let n = event.facts.integer(.n) else { return false }
        return event.facts.integer(.total) == n
    }
}
