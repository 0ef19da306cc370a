import ProctorEvents

extension Rules {
    static let r62 = Rule(
        62, title: "nothing but the result is seen",
        statement: """
            A synchronous request returns once, and a queued request calls its block once, with all that came of the \
            load. Nothing else is told and nothing is asked: redirects are followed, and challenges get their default \
            handling.
            """,
        source: "NSURLConnection.h; Using NSURLSession, Retrieving the Contents of a URL without Delegates",
        confidence: .documented, families: [.connectionSync, .connectionQueued],
        monitors: [.load(R62NothingButTheResult.self)],
        limits: "A missing result is reported only for requests that were sent, in a trace that has ended",
        legal: "  # awaited(ok) or handler(ok) alone",
        illegal: "redirect(302)  # then handler(ok)")
}

struct R62NothingButTheResult: EndRuleMonitor {
    static let interests: EventNameSet = .all

    private var isHandled = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.lane {
        case .task: return Breach("\(event.symbol) was told; only the result of such a request is")
        case .handler:
            defer { isHandled = true }
            return isHandled ? Breach("\(event.symbol) comes a second time") : nil
        case .session, .proto, .protocolClient, .harness, .wire: return nil
        }
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard !isHandled, !load.isHung, load.isResumed, load.isEndDue else { return nil }
        return Breach(
            load.family == .connectionSync ? "the call never returned" : "the block was never called")
    }
}
