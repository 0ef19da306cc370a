import ProctorEvents

struct R11WithdrawBeforeFailing: EndRuleMonitor {
    static let interests: EventNameSet = [.complete, .askCanAuth]

    private var hasOldPair = false
    /// Held, because the trace may show later that it reports answers.
    private var held: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .askCanAuth {
            hasOldPair = true
            return nil
        }
        guard load.terminal == nil, !event.isSuccess, !load.isStopped, load.cancellation == nil,
            load.openQuestion(.challenge) != nil, hasOldPair || load.family != .connection
        else { return nil }
        held = KeptEvent(event)
        return load.seesAnswers ? breach(load) : nil
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? { load.seesAnswers || load.seesHarness ? breach(load) : nil }

    private func breach(_ load: LoadState) -> Breach? {
        held.map {
            Breach(
                "\($0.symbol) came while a challenge was open; challengeCancelled comes first", at: $0,
                isInferred: !load.seesAnswers)
        }
    }
}
