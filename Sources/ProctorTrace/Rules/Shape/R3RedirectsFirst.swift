extension Rules {
    static let r3 = Rule(
        number: RuleNumber(3), title: "redirects come before the response",
        statement: """
            Once a load has a response, data, progress, a destination or a file, it is not redirected any more. A \
            Newsstand download that resumes after a network failure may be redirected anew.
            """,
        source: "notes on willSendRequest; CustomHTTPProtocol Read Me; NSURLDownloadDelegate overview",
        confidence: .documented, families: [.US, .UD, .UC, .CD, .DL, .PC], limits: nil,
        legal: "redirect(301) redirect(302) response(200) data+ complete(ok)",
        illegal: "response(200) redirect(302) response(200) data+ complete(ok)")
}

struct R3RedirectsFirst: RuleMonitor {
    static let rule = RuleNumber(3)
    static let families: Set<CallbackFamily> = [.US, .UD, .UC, .CD, .DL, .PC]
    static let interests: EventNameSet = [
        .redirect, .response, .challenge, .progress, .destination, .destinationCreated, .fileReady, .downloadResumed,
    ]

    private var response = DefinitiveResponse()
    /// What showed that the response had come, where there is no `response`.
    private var sign: EventName?
    /// CD: a redirect that only a resumption excuses.
    private var held: KeptEvent?
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .redirect:
            guard response.status != nil || sign != nil else { return }
            if load.family == .CD { held = held ?? KeptEvent(event) } else { report(event, load, &hits) }
        case .downloadResumed: held = nil
        case .challenge:
            // Progress before a challenge is R12.
            if !event.isOfTLS { sign = nil }
        case .progress, .destination, .destinationCreated, .fileReady:
            if let held { return report(held.event, load, &hits) }
            sign = event.name
        default: break
        }
        response.see(event)
    }

    private mutating func report(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        isReported = true
        hits.report(
            Self.rule,
            "\(event.symbol) came after \(response.status.map { "response(\($0))" } ?? sign?.rawValue ?? "the response"); "
                + "redirects come before the response", at: event, in: load.lane)
    }
}
