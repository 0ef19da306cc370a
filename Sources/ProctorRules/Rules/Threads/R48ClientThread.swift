import ProctorEvents

extension Rules {
    static let r48 = Rule(
        48, title: "the client thread",
        statement: """
            A URLProtocol is started and stopped on one thread, and talks to its client there; the run loop of that \
            thread runs, and the protocol must not block it. p.init, p.deinit and the class calls may come on any.
            """,
        source: "CustomHTTPProtocol Read Me; NSURLProtocol.h; for cacheValidated our conclusion",
        confidence: .documented, families: [.urlProtocol],
        monitors: [.load(R48ClientThread.self)],
        limits:
            "needs threads in the trace, and for a blocked one the heartbeat of a driver (blocked); one hit for an object",
        legal: "response(200) data complete(ok)  # on the thread of p.start",
        illegal: "response(200) data complete(ok)  # not on the thread of p.start")
}

/// One thread for start, stop and all that the protocol tells its client, and its run loop must run.
struct R48ClientThread: RuleMonitor {
    static var rule: Rule { Rules.r48 }
    static let interests: EventNameSet = [
        .pStart, .pStop, .redirect, .canonicalize, .challenge, .challengeCancelled, .response, .data, .cacheValidated,
        .complete, .blocked,
    ]

    /// The thread of `p.start`, or of the first call where no start was recorded.
    private var thread: String?
    private var isReported = false
    private var isBlockReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.name == .blocked {
            guard !isBlockReported else { return }
            isBlockReported = true
            let time = event.facts.integer(.ms).map { " for \($0) ms" } ?? ""
            return hits.report(
                Self.rule, "the client thread did not run its run loop\(time); a protocol must not block it", at: event,
                in: load.lane)
        }
        guard !isReported, let here = event.thread else { return }
        guard let thread else {
            thread = here
            return
        }
        guard here != thread else { return }
        isReported = true
        hits.report(
            Self.rule, "\(event.symbol) on thread \(here); the object was started on \(thread)", at: event,
            in: load.lane, isInferred: event.name == .cacheValidated)
    }
}
