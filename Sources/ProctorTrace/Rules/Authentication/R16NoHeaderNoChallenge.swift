extension Rules {
    static let r16 = Rule(
        number: RuleNumber(16), title: "no WWW-Authenticate, no challenge",
        statement: """
            Only WWW-Authenticate makes a 401 a question; without it, or with schemes that are all unknown to the \
            loader, the 401 is delivered like any response. Challenges of proxies and of TLS have other causes.
            """,
        source: "URL loading programming guide (Important box)", confidence: .documented,
        families: [.US, .UD, .HT, .UC, .DL],
        limits: """
            the header is not in a trace: only challenge(default), which names no scheme, is noted; the rest is for \
            the expression of a case
            """,
        legal: "response(401) data* complete(ok)", illegal: "challenge(default) response(401) data* complete(ok)")
}

struct R16NoHeaderNoChallenge: RuleMonitor {
    static let rule = RuleNumber(16)
    static let families: Set<CallbackFamily> = [.US, .UD, .HT, .UC, .DL]
    static let interests: EventNameSet = [.challenge]

    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard event.argument == "default", !isReported, load.terminal == nil else { return }
        isReported = true
        hits.report(
            Self.rule, "challenge(default) names no scheme; a 401 whose WWW-Authenticate names none is a response",
            at: event, in: load.lane, isInferred: true)
    }
}
