import ProctorEvents

struct R67OneOpening: RuleMonitor {
    static let interests: EventNameSet = [.esOpen, .esError, .request]

    private var opening: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        // What comes behind the end is R70's.
        guard load.terminal == nil, load.cancellation == nil, event.name == .esOpen else {
            opening = nil
            return nil
        }
        defer { opening = KeptEvent(event) }
        return opening == nil ? nil : Breach("esOpen comes a second time; the connection was open")
    }
}
