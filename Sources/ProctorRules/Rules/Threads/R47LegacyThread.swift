import ProctorEvents

extension Rules {
    static let r47 = Rule(
        47, title: "the legacy thread",
        statement: """
            NSURLConnection calls back on its delegate queue, or else where its run loop turns; NSURLDownload on the \
            thread that started it. askCredStore may come earlier and elsewhere.
            """,
        source: "Working with HTTP and HTTPS Requests; NSURLConnection.h; NSURLDownload", confidence: .documented,
        families: [.connection, .connectionDownload, .download],
        monitors: [.load(R47LegacyThread.self)],
        limits: "needs threads in the trace; that a thread without run loop gets no callback is seen as R39 or R45",
        legal: "response(200) data complete(ok)  # on one thread",
        illegal: "response(200) data complete(ok)  # data on another thread")
}

/// A delegate queue, which NSURLConnection can be given, stands in for the thread.
struct R47LegacyThread: RuleMonitor {
    static var rule: Rule { Rules.r47 }
    /// `askCredStore` is not among them: it may belong to the making of the connection.
    static let interests: EventNameSet = [
        .resume, .canonicalize, .redirect, .askCanAuth, .challenge, .challengeCancelled, .needBodyStream, .bodySent,
        .response, .data, .willCache, .downloadBegin, .downloadResumed, .shouldDecode, .destination,
        .destinationCreated, .progress, .fileReady, .complete,
    ]

    /// The thread of the first callback, or of an NSURLDownload's start.
    private var place: String?
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil, !isReported, event.lane == .task || load.family == .download,
            let here = event.lane == .harness ? event.thread : event.queue ?? event.thread
        else { return }
        guard let place else {
            place = here
            return
        }
        guard here != place else { return }
        isReported = true
        hits.report(
            Self.rule, "\(event.symbol) came on \(here); the load's callbacks come on \(place)", at: event,
            in: load.lane)
    }
}
