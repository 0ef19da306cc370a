import ProctorEvents

extension Rules {
    static let r58 = Rule(
        58, title: "stream tasks",
        statement: """
            A stream task asks about TLS through the task's method, and tells the close of either direction once. \
            streamsCaptured is the last of it; not even complete follows.
            """,
        source: "NSURLSession.h", confidence: .documented, families: [.stream],
        monitors: [.load(R58StreamOrder.self)], limits: nil,
        legal: "challenge(serverTrust) streamsCaptured", illegal: "streamsCaptured complete(ok)")
}

struct R58StreamOrder: RuleMonitor {
    static var rule: Rule { Rules.r58 }
    static let interests: EventNameSet = [
        .waiting, .challenge, .betterRoute, .streamReadClosed, .streamWriteClosed, .streamsCaptured, .metrics,
        .complete,
    ]

    private var isReadClosed = false
    private var isWriteClosed = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if let terminal = load.terminal {
            guard terminal.name == .streamsCaptured, !isReported else { return }
            isReported = true
            return report(
                "\(event.symbol) after streamsCaptured, the last message of the task", event, in: load, into: &hits)
        }
        switch event.name {
        case .streamReadClosed:
            if isReadClosed { report("streamReadClosed comes a second time", event, in: load, into: &hits) }
            isReadClosed = true
        case .streamWriteClosed:
            if isWriteClosed { report("streamWriteClosed comes a second time", event, in: load, into: &hits) }
            isWriteClosed = true
        case .challenge:
            guard event.facts.text(.scope) == "session" else { return }
            report(
                "\(event.symbol) through the session's method; stream tasks are asked by the task's", event, in: load,
                into: &hits
            )
        default: break
        }
    }

    private func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
