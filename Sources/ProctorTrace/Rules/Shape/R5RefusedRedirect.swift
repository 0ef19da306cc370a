extension Rules {
    static let r5 = Rule(
        number: RuleNumber(5), title: "a refused redirect delivers itself",
        statement: """
            Answering a redirect with nil makes the redirect itself the result, head and body, and the load \
            succeeds: it is no error, and no further request goes out. A download's file then holds the redirect's \
            body.
            """,
        source: "URL loading programming guide; NSURLSession.h; NSURLConnection.h", confidence: .documented,
        families: [.UC, .US, .UD, .HT, .DL],
        limits: """
            needs the answers; what a refusal does to an NSURLDownload is the platform's (refusedDownloadRedirect); \
            a failing network excuses
            """,
        legal: "redirect(302) response(302) data* complete(ok)  # refused",
        illegal: "redirect(302) complete(cancelled)  # refused, not cancelled")
}

struct R5RefusedRedirect: RuleMonitor {
    static let rule = RuleNumber(5)
    static let families: Set<CallbackFamily> = [.UC, .US, .UD, .HT, .DL]
    static let interests: EventNameSet = [
        .redirect, .answer, .response, .challenge, .complete, .handler, .awaited, .request, .result,
    ]

    /// As it was offered.
    private var refused: KeptEvent?
    private var isDelivered = false
    /// UC and DL answer by a return value, so their redirects are no open questions.
    private var lastRedirect: KeptEvent?
    /// A redirect that comes after it is R3, and refusing it can change nothing.
    private var response = DefinitiveResponse()
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard !isReported else { return }
        if event.name == .answer {
            takeAnswer(event, load)
        } else if let refused, load.terminal == nil || event.name == .result {
            judge(event, refused, load, &hits)
        } else if event.name == .redirect, response.status == nil {
            lastRedirect = KeptEvent(event)
        }
        response.see(event)
    }

    private mutating func takeAnswer(_ event: TraceEvent, _ load: LoadState) {
        guard let lastRedirect, event.argument == "refuse", event.facts.text(.to) == "redirect" else { return }
        if load.family == .DL, load.platform.refusedDownloadRedirect == .cancel { return }
        refused = lastRedirect
        self.lastRedirect = nil
    }

    private mutating func judge(_ event: TraceEvent, _ refused: KeptEvent, _ load: LoadState, _ hits: inout HitList) {
        switch event.name {
        case .response:
            if isDelivered || event.argument != refused.argument {
                report("\(event.symbol) came", event, refused, load, &hits)
            }
            isDelivered = true
        case .redirect where !isDelivered: report("\(event.symbol) came", event, refused, load, &hits)
        case .request: report("request(\(event.argument ?? "")) was sent", event, refused, load, &hits)
        case .result:
            guard load.family == .HT, let status = event.facts.integer(.status), status != refused.status else {
                return
            }
            report("the result has status \(status)", event, refused, load, &hits)
        case .complete, .handler, .awaited:
            if event.isSuccess {
                // That a download lacks its file is R35.
                guard !isDelivered, load.family != .UD, load.family != .HT else { return }
            } else {
                guard !isDelivered, load.cancellation == nil, !event.isNetworkFailure else { return }
            }
            report("\(event.symbol) came", event, refused, load, &hits)
        default: break
        }
    }

    private mutating func report(
        _ what: @autoclosure () -> String, _ event: TraceEvent, _ refused: KeptEvent, _ load: LoadState,
        _ hits: inout HitList
    ) {
        isReported = true
        hits.report(
            Self.rule, "\(what()) after \(refused.symbol) was refused; then the redirect itself is the result",
            at: event, in: load.lane)
    }
}
