import ProctorEvents

struct R25DataAfterResponse: RuleMonitor {
    static let interests: EventNameSet = [.data, .cacheValidated]

    private var isSettled = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard !isSettled else { return nil }
        isSettled = true
        guard event.name == .data, load.isDataTooEarly, load.terminal == nil else { return nil }
        return Breach("data came before any response")
    }
}

extension LoadState {
    /// Whether the current data has no response, and no open question is a more exact reason (R8, R10).
    var isDataTooEarly: Bool {
        guard responseCount == 0 else { return false }
        guard seesAnswers, cancellation == nil else { return true }
        // A redirect that a protocol reports needs no answer.
        return family == .sessionData ? openQuestions.isEmpty : openQuestion(.challenge) == nil
    }
}
