import ProctorEvents

struct R70SilenceOfTheClosed: RuleMonitor {
    static let interests: EventNameSet = [.esOpen, .esEvent, .esError, .complete, .request]

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if let terminal = load.terminal {
            return Breach("\(event.symbol) after \(terminal.symbol), which closed the event source")
        }
        guard load.cancellation != nil, event.name != .request, event.name != .complete else { return nil }
        return Breach("\(event.symbol) after close()")
    }
}
