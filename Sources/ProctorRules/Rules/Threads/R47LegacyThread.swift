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

/// A delegate queue, which NSURLConnection can have, takes the place of the thread.
struct R47LegacyThread: RuleMonitor {
    /// Without `askCredStore`, which may belong to the creation of the connection.
    static let interests: EventNameSet = [
        .resume, .canonicalize, .redirect, .askCanAuth, .challenge, .challengeCancelled, .needBodyStream, .bodySent,
        .response, .data, .willCache, .downloadBegin, .downloadResumed, .shouldDecode, .destination,
        .destinationCreated, .progress, .fileReady, .complete,
    ]

    /// The thread of the first callback, or of an NSURLDownload's start.
    private var place: String?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil, event.lane == .task || load.family == .download,
            let here = event.lane == .harness ? event.thread : event.queue ?? event.thread
        else { return nil }
        guard let place else {
            place = here
            return nil
        }
        guard here != place else { return nil }
        return Breach("\(event.symbol) came on \(here); the load's callbacks come on \(place)")
    }
}
