import ProctorEvents

extension Rules {
    static let r45 = Rule(
        45, title: "every load ends in bounded time",
        statement: """
            A resumed task ends, at the latest by its time-out, unless it is suspended or a question of it waits for \
            the test. The message lists what is open.
            """,
        source: "R39 and the two time-out intervals of URLSessionConfiguration; the bound is our conclusion",
        confidence: .inferred,
        families: [
            .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connection, .connectionSync,
            .connectionQueued, .connectionDownload,
            .download, .urlProtocol, .webSocket, .stream,
        ],
        monitors: [.load(R45Liveness.self)],
        limits: """
            The watchdog must say that it ended a client that hung. Its word makes the breach a failure, although \
            the bound is our conclusion
            """,
        legal: "complete(timedOut)",
        illegal: "response(200)  # and nothing more until the watchdog comes")
}

/// Checks traces that the watchdog ended.
///
/// The harness observes the fault itself, so that it is a failure although the rule is inferred.
struct R45Liveness: EndRuleMonitor {
    static let interests: EventNameSet = []

    func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? { nil }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard load.isHung, load.isEndDue else { return nil }
        let last = load.previous.map { "after \($0.symbol)" } ?? "before any event"
        return Breach("the load hangs \(last)\(load.openQuestionNote)", weight: .failure)
    }
}
