import ProctorEvents

struct R56EarlyEvents: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.created, .delayed, .waiting, .response, .progress, .fileReady, .wsOpen]

    private var isDelayed = false
    private var isWaiting = false
    private var isAnswered = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .created:
            guard load.eventCount > 0 else { return nil }
            return Breach("created is not the first event of its task")
        case .delayed:
            defer { isDelayed = true }
            if load.family != .sessionBackground { return Breach("delayed outside of a background session") }
            if isDelayed { return Breach("delayed comes a second time") }
            if load.wireRequestCount > 0 || isAnswered { return Breach("delayed after the request was sent") }
        case .waiting:
            defer { isWaiting = true }
            if load.family == .sessionBackground {
                return Breach("waiting in a background session, which always waits")
            }
            if isWaiting { return Breach("waiting comes a second time") }
            if isAnswered { return Breach("waiting after the server had answered") }
        default: isAnswered = true
        }
        return nil
    }
}
