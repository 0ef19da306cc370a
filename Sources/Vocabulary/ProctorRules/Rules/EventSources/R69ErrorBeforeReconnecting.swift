import ProctorEvents

extension Rules {
    static let r69 = Rule(
        69, title: "esError comes before the event source connects again",
        statement: """
            When an open connection ends, esError(retry) tells of it before the request of the next connection is sent.
            """,
        source: "WHATWG HTML §9.2.3 (reestablish the connection)", confidence: .documented,
        families: [.eventSource], monitors: [.load(R69ErrorBeforeReconnecting.self)],
        limits: """
            The trace must have the requests on the wire. A client without esError names it in the fact without of \
            resume
            """,
        legal: "  # request(GET /a) esOpen esError(retry) request(GET /a) esOpen esError(fatal)",
        illegal: "  # request(GET /a) esOpen request(GET /a) esError(retry) esOpen esError(fatal)")
}

struct R69ErrorBeforeReconnecting: RuleMonitor {
    static let interests: EventNameSet = [.esOpen, .esError, .request]

    private var isOpen = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil, load.cancellation == nil else { return nil }
        if event.name != .request {
            isOpen = event.name == .esOpen
        } else if isOpen, !load.missingMethods.contains(.esError) {
            return Breach("\(event.symbol) while the connection before counts as open; no esError told of its end")
        }
        return nil
    }
}
