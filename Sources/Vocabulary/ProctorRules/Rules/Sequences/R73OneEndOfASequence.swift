import ProctorEvents

/// In a trace that the watchdog ended, a missing end is R45's.
struct R73OneEndOfASequence: EndRuleMonitor {
    static let interests: EventNameSet = [.response, .data, .trailers, .complete]

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        load.terminal.map { Breach("\(event.symbol) after \($0.symbol), which ended the sequence") }
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard !load.isHung, load.isEndDue else { return nil }
        return Breach("the sequence neither ended nor threw an error")
    }
}
