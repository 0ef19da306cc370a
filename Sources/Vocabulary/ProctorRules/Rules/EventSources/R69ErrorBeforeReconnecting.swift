import ProctorEvents

struct R69ErrorBeforeReconnecting: RuleMonitor {
    static let interests: EventNameSet = [.esOpen, .esError, .request]

    private var isOpen = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil, load.cancellation == nil else { return nil }
        if event.name != .request {
            isOpen = event.name == .esOpen
        } else if isOpen, !load.missingMethods.contains(.esError) {
            return Breach("\(event.symbol) while the connection before counts as open; no esError told of its end")
        }
        return nil
    }
}
