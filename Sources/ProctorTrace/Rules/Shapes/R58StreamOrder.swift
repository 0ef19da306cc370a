extension Rules {
    static let r58 = Rule(
        number: RuleNumber(58), title: "stream tasks",
        statement: """
            A stream task asks about TLS through the task's method, and tells the close of either direction once. \
            streamsCaptured is the last of it; not even complete follows.
            """,
        source: "NSURLSession.h", confidence: .documented, families: [.ST], limits: nil,
        legal: "challenge(serverTrust) streamsCaptured", illegal: "streamsCaptured complete(ok)")
}

struct R58StreamOrder: RuleMonitor {
    static let rule = RuleNumber(58)
    static let families: Set<CallbackFamily> = [.ST]
    static let interests: EventNameSet = [
        .waiting, .challenge, .betterRoute, .streamReadClosed, .streamWriteClosed, .streamsCaptured, .metrics,
        .complete,
    ]

    private var isReadClosed = false
    private var isWriteClosed = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        if let terminal = load.terminal {
            guard terminal.name == .streamsCaptured, !isReported else { return }
            isReported = true
            return report("\(event.symbol) after streamsCaptured, the last message of the task", event, load, &hits)
        }
        switch event.name {
        case .streamReadClosed:
            if isReadClosed { report("streamReadClosed comes a second time", event, load, &hits) }
            isReadClosed = true
        case .streamWriteClosed:
            if isWriteClosed { report("streamWriteClosed comes a second time", event, load, &hits) }
            isWriteClosed = true
        case .challenge:
            guard event.facts.text(.scope) == "session" else { return }
            report(
                "\(event.symbol) through the session's method; stream tasks are asked by the task's", event, load, &hits
            )
        default: break
        }
    }

    private func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, _ load: LoadState, _ hits: inout HitList
    ) {
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
