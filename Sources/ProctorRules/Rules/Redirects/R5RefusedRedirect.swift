import ProctorEvents

extension Rules {
    static let r5 = Rule(
        5, title: "a refused redirect delivers itself",
        statement: """
            Answering a redirect with nil makes the redirect itself the result, head and body, and the load \
            succeeds: it is no error, and no further request goes out. A download's file then holds the redirect's \
            body.
            """,
        source: "URL loading programming guide; NSURLSession.h; NSURLConnection.h", confidence: .documented,
        families: [.connection, .sessionData, .sessionDownload, .sessionHandler, .download],
        monitors: [.load(R5RefusedRedirect.self)],
        limits: """
            needs the answers; what a refusal does to an NSURLDownload is the platform's (refusedDownloadRedirect); \
            a failing network excuses
            """,
        legal: "redirect(302) response(302) data* complete(ok)  # refused",
        illegal: "redirect(302) complete(cancelled)  # refused, not cancelled",
        breaksByMissingEvents: true,
        judgesAnswersTo: .redirect)
}

struct R5RefusedRedirect: RuleMonitor {
    static var rule: Rule { Rules.r5 }
    static let interests: EventNameSet = [
        .redirect, .answer, .response, .challenge, .complete, .handler, .awaited, .request, .result,
    ]

    /// As it was offered.
    private var refused: KeptEvent?
    private var isDelivered = false
    /// `connection` and `download` answer by a return value, so their redirects are no open questions.
    private var lastRedirect: KeptEvent?
    /// A redirect that comes after it is R3, and refusing it can change nothing.
    private var response = DefinitiveResponse()
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported else { return }
        if event.name == .answer {
            takeAnswer(event, load)
        } else if let refused, load.terminal == nil || event.name == .result {
            judge(event, load, after: refused, into: &hits)
        } else if event.name == .redirect, response.status == nil {
            lastRedirect = KeptEvent(event)
        }
        response.see(event)
    }

    private mutating func takeAnswer(_ event: TraceEvent, _ load: LoadState) {
        guard let lastRedirect, event.argument == "refuse", event.facts.text(.to) == "redirect" else { return }
        if load.family == .download, load.platform.refusedDownloadRedirect == .cancel { return }
        refused = lastRedirect
        self.lastRedirect = nil
    }

    private mutating func judge(
        _ event: TraceEvent, _ load: LoadState, after refused: KeptEvent, into hits: inout HitList
    ) {
        switch event.name {
        case .response:
            if isDelivered || event.argument != refused.argument {
                report("\(event.symbol) came", event, after: refused, in: load, into: &hits)
            }
            isDelivered = true
        case .redirect where !isDelivered: report("\(event.symbol) came", event, after: refused, in: load, into: &hits)
        case .request: report("request(\(event.argument ?? "")) was sent", event, after: refused, in: load, into: &hits)
        case .result:
            guard load.family == .sessionHandler, let status = event.facts.integer(.status), status != refused.status
            else {
                return
            }
            report("the result has status \(status)", event, after: refused, in: load, into: &hits)
        case .complete, .handler, .awaited:
            if event.isSuccess {
                // A download that lacks its file breaks R35.
                guard !isDelivered, load.family != .sessionDownload, load.family != .sessionHandler else { return }
            } else {
                guard !isDelivered, load.cancellation == nil, !event.isNetworkFailure else { return }
            }
            report("\(event.symbol) came", event, after: refused, in: load, into: &hits)
        default: break
        }
    }

    private mutating func report(
        _ what: @autoclosure () -> String, _ event: TraceEvent, after refused: KeptEvent, in load: LoadState,
        into hits: inout HitList
    ) {
        isReported = true
        hits.report(
            Self.rule, "\(what()) after \(refused.symbol) was refused; then the redirect itself is the result",
            at: event, in: load.lane)
    }
}
