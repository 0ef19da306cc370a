import ProctorEvents

struct R23UploadArithmetic: RuleMonitor {
    static let interests: EventNameSet = [.bodySent, .redirect, .challenge, .needBodyStream, .response, .complete]

    private var last: Totals?
    /// The event since then that may begin a new transmission.
    private var cause: EventName?
    private var offset = 0
    /// Whether a re-send may have raised totals above the expected count.
    private var isOpenAbove = false
    /// Totals that began again although the server had read one request only: a mistake, unless it has read a second one
    /// by the event that follows the totals.
    private var unseenRetry: Breach?

    private struct Totals {
        let n: Int
        let total: Int
        let expected: Int
    }

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name != .bodySent, let breach = unseenRetry {
            unseenRetry = nil
            if load.wireRequestCount == 1 { return breach }
        }
        guard load.terminal == nil else { return nil }
        guard event.name == .bodySent else {
            guard event.name != .response, event.name != .complete else { return nil }
            cause = event.name
            offset = event.name == .needBodyStream ? event.facts.integer(.offset) ?? 0 : 0
            return nil
        }
        guard let n = event.facts.integer(.n), let total = event.facts.integer(.total) else {
            last = nil
            return nil
        }
        let now = Totals(n: n, total: total, expected: event.facts.integer(.expected) ?? -1)
        if let mistake = mistake(of: now, load) {
            guard cause == nil, load.wireRequestCount == 1, isSilentRetry(now, load) else {
                return Breach(mistake, isInferred: true)
            }
            unseenRetry = Breach(mistake, at: KeptEvent(event), isInferred: true)
        }
        last = now
        cause = nil
        offset = 0
        return nil
    }

    private mutating func mistake(of now: Totals, _ load: LoadState) -> String? {
        if now.n <= 0 { return "bodySent reports \(now.n) new bytes; it comes when some were sent" }
        if let last, cause != nil || isSilentRetry(now, load) && load.wireRequestCount != 1 {
            if let mistake = mistake(across: last, now, load) { return mistake }
        } else {
            let before = last?.total ?? offset
            if !Self.isSum(now.total, before, plus: now.n) {
                return "total \(now.total) came after \(before) + \(now.n) bytes, with no re-send between"
            }
            if let last, last.expected != now.expected {
                return "\(now.expected) bytes are expected after \(last.expected), with no re-send between"
            }
        }
        if now.expected > 0, now.total > now.expected, !isOpenAbove {
            return "total \(now.total) of \(now.expected) expected"
                + (last.map { " after \($0.total) + \(now.n)" } ?? "")
        }
        return nil
    }

    private mutating func mistake(across last: Totals, _ now: Totals, _ load: LoadState) -> String? {
        switch load.platform.uploadTotals {
        case .restart where !Self.isSum(now.total, offset, plus: now.n):
            // The last bytes of the old transmission may still be reported.
            if Self.isSum(now.total, last.total, plus: now.n), now.expected <= 0 || now.total <= now.expected {
                return nil
            }
            return "total \(now.total) of \(now.expected) expected after \(last.total) + \(now.n) bytes and a re-send; "
                + "totals start again here"
        case .cumulative where !Self.isSum(now.total, last.total, plus: now.n):
            return "total \(now.total) came after \(last.total) + \(now.n) bytes; totals go on across a re-send here"
        case .restart: return nil
        case .cumulative, .unknown:
            isOpenAbove = true
            return nil
        }
    }

    /// Whether the request may have been sent again without an event: its connection was lost, or it was not processed.
    private func isSilentRetry(_ now: Totals, _ load: LoadState) -> Bool {
        guard let last else { return false }
        return now.total == now.n && now.total <= last.total && load.platform.retriesSilently
    }

    private static func isSum(_ total: Int, _ before: Int, plus n: Int) -> Bool {
        let (sum, overflow) = before.addingReportingOverflow(n)
        return !overflow && sum == total
    }
}
