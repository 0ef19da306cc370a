import ProctorEvents

extension Rules {
    static let r50 = Rule(
        50, title: "silence after p.stop",
        statement: """
            A URLProtocol that was stopped has no client any more and calls none of its methods. A loader that is \
            called all the same takes no notice and goes on.
            """,
        source: "CustomHTTPProtocol Read Me and sample", confidence: .sample, families: [.urlProtocol],
        monitors: [.load(R50SilenceAfterStop.self)],
        limits: "The trace must have lane proto. What follows the protocol's own end breaks R40",
        legal: "response(200) data  # then p.stop",
        illegal: "response(200) complete(cancelled)  # p.stop came between them", needs: [.objects])
}

/// Events after the protocol's own end are R39's and R40's.
struct R50SilenceAfterStop: RuleMonitor {
    static let interests: EventNameSet = [
        .pStart, .pStop, .redirect, .canonicalize, .challenge, .challengeCancelled, .response, .data, .cacheValidated,
        .complete,
    ]

    private var isStopped = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .pStart: isStopped = false
        case .pStop: isStopped = true
        default:
            guard isStopped, load.terminal == nil else { return nil }
            return Breach("\(event.symbol) after p.stop; the client must hear no more")
        }
        return nil
    }
}
