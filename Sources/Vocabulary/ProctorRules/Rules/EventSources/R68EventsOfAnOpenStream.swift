import ProctorEvents

struct R68EventsOfAnOpenStream: RuleMonitor {
    static let interests: EventNameSet = [.esOpen, .esEvent, .esError]

    private var isOpen = false
    private var error: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        // What comes behind the end is R70's.
        guard load.terminal == nil, load.cancellation == nil else { return nil }
        switch event.name {
        case .esOpen: isOpen = true
        case .esError:
            isOpen = false
            error = KeptEvent(event)
        default:
            guard !isOpen, !load.missingMethods.contains(.esOpen) else { return nil }
            return Breach(
                error.map { "\(event.symbol) after \($0.symbol), before another connection was open" }
                    ?? "\(event.symbol) before esOpen")
        }
        return nil
    }
}
