extension Rules {
    static let r12 = Rule(
        number: RuleNumber(12), title: "challenge instead of response",
        statement: """
            A challenge stands in the place of the 401 or 407 that caused it: neither head nor body of that answer \
            is delivered first. It comes later, as the response, when nobody takes up the challenge.
            """,
        source: "CustomHTTPProtocol Read Me; life cycle in the URL Session Programming Guide", confidence: .documented,
        families: [.US, .UD, .UC, .DL, .PC],
        limits: "tasks with a handler show neither response nor data, so there it cannot be seen",
        legal: "challenge(basic) response(200) data+ complete(ok)",
        illegal: "response(401) data challenge(basic) response(200) data+ complete(ok)")
}

struct R12ChallengeInsteadOfResponse: RuleMonitor {
    static let rule = RuleNumber(12)
    static let families: Set<CallbackFamily> = [.US, .UD, .UC, .DL, .PC]
    static let interests: EventNameSet = [.response, .challenge, .progress, .fileReady]

    private var response = DefinitiveResponse()
    /// UD: bytes were counted.
    private var hasProgress = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .progress, .fileReady: hasProgress = load.family == .UD
        case .challenge where !event.isOfTLS:
            if response.isChallenge, let status = response.status {
                isReported = true
                hits.report(
                    Self.rule,
                    "response(\(status)) was delivered before \(event.symbol); the challenge comes in its place",
                    at: event, in: load.lane)
            } else if hasProgress {
                isReported = true
                hits.report(
                    Self.rule, "progress was reported before \(event.symbol); the body of a challenge counts nowhere",
                    at: event, in: load.lane)
            }
        default: break
        }
        response.see(event)
    }
}
