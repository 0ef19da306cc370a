import ProctorEvents

/// Events after the protocol's own end are R39's and R40's.
struct R50SilenceAfterStop: RuleMonitor {
    static let interests: EventNameSet = [
        .pStart, .pStop, .redirect, .canonicalize, .challenge, .challengeCancelled, .response, .data, .cacheValidated,
        .complete,
    ]

    private var isStopped = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .pStart: isStopped = false
        case .pStop: isStopped = true
        default:
            guard isStopped, load.terminal == nil else { return nil }
            return Breach("\(event.symbol) after p.stop; the client must hear no more")
        }
        return nil
    }
}
