import ProctorEvents

extension Rules {
    static let r56 = Rule(
        56, title: "early events",
        statement: """
            created is the first event of a task. delayed comes once, before anything is sent, and only in background \
            sessions. waiting comes at most once, before the server has answered, and never in background sessions.
            """,
        source: "URLSessionTaskDelegate; NSURLSession.h (at most once per task)", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream],
        monitors: [.load(R56EarlyEvents.self)],
        limits: "whether waitsForConnectivity was set, without which waiting is wrong, is not in a trace",
        legal: "created waiting response(200) complete(ok)", illegal: "response(200) waiting complete(ok)")
}

struct R56EarlyEvents: RuleMonitor {
    static var rule: Rule { Rules.r56 }
    static let interests: EventNameSet = [.created, .delayed, .waiting, .response, .progress, .fileReady, .wsOpen]

    private var isDelayed = false
    private var isWaiting = false
    private var isAnswered = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil else { return }
        switch event.name {
        case .created:
            guard load.eventCount > 0 else { return }
            report("created is not the first event of its task", event, in: load, into: &hits)
        case .delayed:
            if load.family != .sessionBackground {
                report("delayed outside of a background session", event, in: load, into: &hits)
            } else if isDelayed {
                report("delayed comes a second time", event, in: load, into: &hits)
            } else if load.wireRequestCount > 0 || isAnswered {
                report("delayed after the request was sent", event, in: load, into: &hits)
            }
            isDelayed = true
        case .waiting:
            if load.family == .sessionBackground {
                report("waiting in a background session, which always waits", event, in: load, into: &hits)
            } else if isWaiting {
                report("waiting comes a second time", event, in: load, into: &hits)
            } else if isAnswered {
                report("waiting after the server had answered", event, in: load, into: &hits)
            }
            isWaiting = true
        default: isAnswered = true
        }
    }

    private func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
