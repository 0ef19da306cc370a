import ProctorEvents

struct R58StreamOrder: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.challenge, .streamReadClosed, .streamWriteClosed]

    private var closed = EventNameSet([])

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        if event.name == .challenge {
            guard event.facts.text(.scope) == "session" else { return nil }
            return Breach("\(event.symbol) through the session's method; stream tasks are asked by the task's")
        }
        defer { closed.insert(event.name) }
        return closed.contains(event.name) ? Breach("\(event.name.rawValue) comes a second time") : nil
    }
}

struct R58StreamsCapturedLast: RuleMonitor {
    static let interests: EventNameSet = [
        .waiting, .challenge, .betterRoute, .streamReadClosed, .streamWriteClosed, .streamsCaptured, .metrics,
        .complete,
    ]

    func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal?.name == .streamsCaptured else { return nil }
        return Breach("\(event.symbol) after streamsCaptured, the last message of the task")
    }
}
