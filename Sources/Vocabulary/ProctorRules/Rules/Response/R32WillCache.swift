import ProctorEvents

struct R32WillCache: RuleMonitor {
    static let interests: EventNameSet = [.willCache, .data, .response, .complete]

    private var isAsked = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard isAsked || event.name == .willCache else { return nil }
        switch event.name {
        case .willCache: return checkQuestion(event, load)
        case .data where load.terminal == nil:
            return Breach("data came after willCache; it is asked after the last")
        case .response: isAsked = false
        case .complete where load.terminal == nil:
            guard !event.isSuccess, load.cancellation == nil else { return nil }
            if event.argument == "timedOut", load.openQuestion(.willCache) != nil { return nil }
            return Breach("\(event.symbol) came after willCache; a load that fails is not stored")
        default: break
        }
        return nil
    }

    private mutating func checkQuestion(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if let terminal = load.terminal {
            return Breach("willCache came after \(terminal.symbol); it is asked before the end")
        }
        if load.family == .sessionDownload { return Breach("willCache came for a download; downloads are not stored") }
        if load.responseCount == 0 { return Breach("willCache came before any response") }
        if isAsked { return Breach("willCache came twice for one response") }
        if let status = load.lastStatus, !(200..<300).contains(status) {
            return Breach("willCache came for response(\(status)); as a rule only 2xx is stored", isInferred: true)
        }
        isAsked = true
        return nil
    }
}
