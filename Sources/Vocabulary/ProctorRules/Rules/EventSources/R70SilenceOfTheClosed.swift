import ProctorEvents

extension Rules {
    static let r70 = Rule(
        70, title: "a closed event source is silent",
        statement: """
            Behind esError(fatal) and behind close(), the readyState is CLOSED for good: there is no esOpen, no event, no \
            esError, and no request.
            """,
        source: "WHATWG HTML §9.2.2 (close()), §9.2.3 (fail the connection)", confidence: .documented,
        families: [.eventSource], monitors: [.load(R70SilenceOfTheClosed.self)],
        limits: "The cancel of lane harness is close(). A request that was on its way at that time is not judged",
        legal: "esOpen esEvent(message) esError(fatal)", illegal: "esOpen esError(fatal) esEvent(message)")
}

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
