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
        monitors: [.load(R48ClientThread.self), .load(R48RunningLoop.self)],
        limits: """
            The trace must have threads. A blocked thread is seen by the heartbeat of a driver (blocked), which does \
            not count a second or less in which the machine had too few processors. The rule reports once for an \
            object
            """,
        legal: "response(200) data complete(ok)  # on the thread of p.start",
        illegal: "response(200) data complete(ok)  # not on the thread of p.start", needs: [.threads])
}

/// Checks that start, stop and all calls of the protocol on its client have one thread.
struct R48ClientThread: RuleMonitor {
    static let interests: EventNameSet = [
        .pStart, .pStop, .redirect, .canonicalize, .challenge, .challengeCancelled, .response, .data, .cacheValidated,
        .complete,
    ]

    /// The thread of `p.start`, or of the first call in a trace without a start.
    private var thread: String?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let here = event.thread else { return nil }
        guard let thread else {
            thread = here
            return nil
        }
        guard here != thread else { return nil }
        return Breach(
            "\(event.symbol) on thread \(here); the object was started on \(thread)",
            isInferred: event.name == .cacheValidated)
    }
}

struct R48RunningLoop: RuleMonitor {
    static let interests: EventNameSet = [.blocked]

    func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        let time = event.facts.integer(.ms).map { " for \($0) ms" } ?? ""
        return Breach("the client thread did not run its run loop\(time); a protocol must not block it")
    }
}
