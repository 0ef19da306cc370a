import ProctorEvents

struct R2SuccessNeedsResponse: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.complete, .cacheValidated, .downloadResumed, .answer]

    /// Whether another event replaced the response, or another rule reports that it is missing.
    private var isExcused = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .cacheValidated, .downloadResumed: isExcused = true
        // A refused redirect that is not delivered is R5.
        case .answer: isExcused = isExcused || event.argument == "refuse"
        case .complete where event.isSuccess && load.responseCount == 0 && load.terminal == nil:
            guard !isExcused, !isCancelled(load) else { return nil }
            let before = load.previous.map { "after \($0.symbol)" } ?? "as the first event"
            return Breach("complete(ok) came \(before), but no response did; a success has a response")
        default: break
        }
        return nil
    }

    /// R6, R14 and R29 check a success after these.
    private func isCancelled(_ load: LoadState) -> Bool {
        guard let cancellation = load.cancellation else { return false }
        return cancellation.name == .answer || load.openQuestion(.redirect) != nil
    }
}
