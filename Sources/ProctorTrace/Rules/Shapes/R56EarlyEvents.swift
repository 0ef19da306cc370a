extension Rules {
    static let r56 = Rule(
        number: RuleNumber(56), title: "early events",
        statement: """
            created is the first event of a task. delayed comes once, before anything is sent, and only in background \
            sessions. waiting comes at most once, before the server has answered, and never in background sessions.
            """,
        source: "URLSessionTaskDelegate; NSURLSession.h (at most once per task)", confidence: .documented,
        families: [.US, .UD, .HT, .BG, .WS, .ST],
        limits: "whether waitsForConnectivity was set, without which waiting is wrong, is not in a trace",
        legal: "created waiting response(200) complete(ok)", illegal: "response(200) waiting complete(ok)")
}

struct R56EarlyEvents: RuleMonitor {
    static let rule = RuleNumber(56)
    static let families: Set<CallbackFamily> = [.US, .UD, .HT, .BG, .WS, .ST]
    static let interests: EventNameSet = [.created, .delayed, .waiting, .response, .progress, .fileReady, .wsOpen]

    private var isDelayed = false
    private var isWaiting = false
    private var isAnswered = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard load.terminal == nil else { return }
        switch event.name {
        case .created:
            guard load.eventCount > 0 else { return }
            report("created is not the first event of its task", event, load, &hits)
        case .delayed:
            if load.family != .BG {
                report("delayed outside of a background session", event, load, &hits)
            } else if isDelayed {
                report("delayed comes a second time", event, load, &hits)
            } else if load.wireRequestCount > 0 || isAnswered {
                report("delayed after the request was sent", event, load, &hits)
            }
            isDelayed = true
        case .waiting:
            if load.family == .BG {
                report("waiting in a background session, which always waits", event, load, &hits)
            } else if isWaiting {
                report("waiting comes a second time", event, load, &hits)
            } else if isAnswered {
                report("waiting after the server had answered", event, load, &hits)
            }
            isWaiting = true
        default: isAnswered = true
        }
    }

    private func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, _ load: LoadState, _ hits: inout HitList
    ) {
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
