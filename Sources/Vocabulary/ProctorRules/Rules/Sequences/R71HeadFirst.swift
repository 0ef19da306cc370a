import ProctorEvents

struct R71HeadFirst: RuleMonitor {
    static let interests: EventNameSet = [.response, .data, .trailers, .complete]

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        // What comes behind the end is R73's, and behind a cancel R74's.
        guard load.terminal == nil, load.cancellation == nil else { return nil }
        if event.name == .response {
            return load.responseCount == 0 ? nil : Breach("\(event.symbol) comes behind a head; a sequence has one")
        }
        guard load.responseCount == 0, event.name != .complete || event.argument == "ok" else { return nil }
        return Breach("\(event.symbol) before the head of the response")
    }
}
