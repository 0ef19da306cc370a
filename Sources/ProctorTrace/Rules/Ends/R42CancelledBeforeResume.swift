extension Rules {
    static let r42 = Rule(
        number: RuleNumber(42), title: "cancelling",
        statement: """
            A session's task that is cancelled before it is resumed sends no request and says nothing but \
            complete(cancelled). After a cancel NSURLConnection and NSURLDownload should be silent; as their sources \
            contradict each other, that counts only where the platform says so.
            """,
        source: "NSURLSession.h (may deliver other work first), NSURLConnection.h, NSURLConnection.cancel()",
        confidence: .documented, families: [.US, .UD, .UC, .CD, .DL, .WS],
        limits: """
            a later cancel races with what is on its way: whether complete(cancelled) was due depends on what the \
            server held back, which a case says; that an end comes at all is R39; inside a redirect it is R6
            """,
        legal: "response(200) data* complete(cancelled)  # cancelled in response",
        illegal: "response(200) data* complete(ok)  # cancelled before it was resumed")
}

/// For tasks of a session: one that was cancelled before it was resumed ends as cancelled and does nothing else.
///
/// Later cancels race with what was already on its way; what must come then is for R39.
struct R42CancelledBeforeResume: ReportsOnce {
    static let rule = RuleNumber(42)
    static let families: Set<CallbackFamily> = [.US, .UD, .WS]
    static let interests: EventNameSet = [
        .cancel, .invalidate, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response,
        .data, .downloadResumed, .progress, .fileReady, .wsOpen, .wsClose, .complete, .request,
    ]

    private var isNeverToRun = false
    var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        switch event.name {
        case .cancel, .invalidate:
            guard event.name == .cancel || event.argument != "finish", !load.isResumed, load.terminal == nil,
                load.eventCount == 0 || load.previous?.name == .created, load.wireRequestCount == 0
            else { return }
            isNeverToRun = true
        case .request:
            guard isNeverToRun else { return }
            report(
                "the server saw \(event.symbol) of a task that was cancelled before it was resumed", event, load, &hits)
        case .complete where event.argument == "cancelled": return
        default:
            guard isNeverToRun, load.terminal == nil else { return }
            report(
                "\(event.symbol) of a task that was cancelled before it was resumed; only complete(cancelled) may come",
                event, load, &hits)
        }
    }
}
