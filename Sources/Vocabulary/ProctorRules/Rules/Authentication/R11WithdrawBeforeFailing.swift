import ProctorEvents

extension Rules {
    static let r11 = Rule(
        11, title: "withdraw the challenge before failing",
        statement: """
            When a load fails with a challenge still open, challengeCancelled takes the question back before the \
            failure is told. Sessions have no such callback; there the end alone withdraws the question.
            """,
        source: "CustomHTTPProtocol Read Me; NSURLConnection.h; NSURLDownload.h", confidence: .documented,
        families: [.urlProtocol, .connection, .download],
        monitors: [.load(R11WithdrawBeforeFailing.self)],
        limits: """
            The trace must have the answers; if it has none at all, a breach is only noted. For NSURLConnection the \
            rule holds only where askCanAuth shows the old pair of methods
            """,
        legal: "challenge(basic) challengeCancelled(basic) complete(error)  # a URLProtocol's client",
        illegal: "challenge(basic) complete(error)  # a URLProtocol's client, not answered",
        judgesAnswersTo: .challenge)
}

struct R11WithdrawBeforeFailing: EndRuleMonitor {
    static let interests: EventNameSet = [.complete, .askCanAuth]

    private var hasOldPair = false
    /// Held, because the trace may show later that it reports answers.
    private var held: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .askCanAuth {
            hasOldPair = true
            return nil
        }
        guard load.terminal == nil, !event.isSuccess, !load.isStopped, load.cancellation == nil,
            load.openQuestion(.challenge) != nil, hasOldPair || load.family != .connection
        else { return nil }
        held = KeptEvent(event)
        return load.seesAnswers ? breach(load) : nil
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? { load.seesAnswers || load.seesHarness ? breach(load) : nil }

    private func breach(_ load: LoadState) -> Breach? {
        held.map {
            Breach(
                "\($0.symbol) came while a challenge was open; challengeCancelled comes first", at: $0,
                isInferred: !load.seesAnswers)
        }
    }
}
