import ProctorEvents

extension Rules {
    static let r68 = Rule(
        68, title: "events come between esOpen and esError",
        statement: """
            An event source hands over events of an open connection alone: behind its esOpen, and before the esError that \
            tells of its end.
            """,
        source: "WHATWG HTML §9.2.2, §9.2.3, §9.2.6 (readyState OPEN)", confidence: .documented,
        families: [.eventSource], monitors: [.load(R68EventsOfAnOpenStream.self)],
        limits: "A client that cannot report esOpen lists it in the fact 'without' of resume",
        legal: "esOpen esEvent(message) esError(fatal)", illegal: "esEvent(message) esOpen esError(fatal)")
}

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
