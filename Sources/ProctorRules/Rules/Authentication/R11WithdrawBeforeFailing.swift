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
            needs the answers; without any in the trace it is only noted. NSURLConnection: only where askCanAuth \
            shows the old pair of methods
            """,
        legal: "challenge(basic) challengeCancelled(basic) complete(error)  # a URLProtocol's client",
        illegal: "challenge(basic) complete(error)  # a URLProtocol's client, not answered",
        judgesAnswersTo: .challenge)
}

struct R11WithdrawBeforeFailing: EndRuleMonitor {
    static var rule: Rule { Rules.r11 }
    static let interests: EventNameSet = [.complete, .askCanAuth]

    private var hasOldPair = false
    /// Whether answers are reported may show later.
    private var held: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.name == .askCanAuth {
            hasOldPair = true
            return
        }
        guard load.terminal == nil, !event.isSuccess, !load.isStopped, load.cancellation == nil,
            load.openQuestion(.challenge) != nil, hasOldPair || load.family != .connection
        else { return }
        if load.seesAnswers { report(event, in: load, into: &hits) } else { held = KeptEvent(event) }
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        if let held, load.seesAnswers || load.seesHarness { report(held.event, in: load, into: &hits) }
    }

    private mutating func report(_ event: TraceEvent, in load: LoadState, into hits: inout HitList) {
        held = nil
        hits.report(
            Self.rule, "\(event.symbol) came while a challenge was open; challengeCancelled comes first", at: event,
            in: load.lane, isInferred: !load.seesAnswers)
    }
}
