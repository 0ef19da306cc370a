import ProctorEvents

extension Rules {
    static let r58 = Rule(
        58, title: "stream tasks",
        statement: """
            A stream task asks about TLS through the task's method, and tells the close of either direction once. \
            streamsCaptured is the last of it; not even complete follows.
            """,
        source: "NSURLSession.h", confidence: .documented, families: [.stream],
        monitors: [.load(R58StreamOrder.self), .load(R58StreamsCapturedLast.self)], limits: nil,
        legal: "challenge(serverTrust) streamsCaptured", illegal: "streamsCaptured complete(ok)")
}

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
