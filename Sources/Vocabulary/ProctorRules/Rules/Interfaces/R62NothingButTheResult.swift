import ProctorEvents

struct R62NothingButTheResult: EndRuleMonitor {
    static let interests: EventNameSet = .all

    private var isHandled = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.lane {
        case .task: return Breach("\(event.symbol) was told; only the result of such a request is")
        case .handler:
            defer { isHandled = true }
            return isHandled ? Breach("\(event.symbol) comes a second time") : nil
        case .session, .proto, .protocolClient, .harness, .wire: return nil
        }
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard !isHandled, !load.isHung, load.isResumed, load.isEndDue else { return nil }
        return Breach(
            load.family == .connectionSync ? "the call never returned" : "the block was never called")
    }
}
