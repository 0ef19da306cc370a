import ProctorEvents

extension Rules {
    static let r67 = Rule(
        67, title: "an event source opens once for each connection",
        statement: """
            esOpen comes once for each connection, when its reply is known to be a stream. The next one comes behind the \
            esError(retry) of the connection before.
            """,
        source: "WHATWG HTML §9.2.2, §9.2.3 (announce the connection)", confidence: .documented,
        families: [.eventSource], monitors: [.load(R67OneOpening.self)],
        limits: "Two openings with a request between them break R69",
        legal: "esOpen esEvent(message) esError(retry) esOpen esError(fatal)",
        illegal: "esOpen esEvent(message) esOpen esError(fatal)")
}

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
