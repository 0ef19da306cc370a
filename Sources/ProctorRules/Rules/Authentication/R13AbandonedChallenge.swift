import ProctorEvents

extension Rules {
    static let r13 = Rule(
        13, title: "an abandoned challenge delivers the 401",
        statement: """
            Answering without a credential, or with default handling and none stored, lets the load go on: the 401 \
            (or a proxy's 407) is its response, and it ends well. It does not hold for TLS, nor for a CONNECT that \
            gets a 407.
            """,
        source: "Working with HTTP and HTTPS Requests; NSURLSession.h", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .connectionDownload, .download],
        monitors: [.load(R13AbandonedChallenge.self)],
        limits: """
            needs the answers; a proxy's challenge is judged only where the wire shows that no CONNECT was sent; \
            a failing network excuses
            """,
        legal: "challenge(basic) response(401) data* complete(ok)  # default handling",
        illegal: "challenge(basic) complete(error)  # default handling",
        breaksByMissingEvents: true,
        judgesAnswersTo: .challenge)
}

struct R13AbandonedChallenge: EndRuleMonitor {
    static var rule: Rule { Rules.r13 }
    static let interests: EventNameSet = [
        .challenge, .answer, .redirect, .response, .progress, .fileReady, .complete, .handler, .awaited,
    ]

    /// With its answer.
    private var abandoned: (challenge: KeptEvent, answer: KeptEvent)?

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        switch event.name {
        case .answer:
            guard load.questionName(answeredBy: event) == .challenge,
                let challenge = load.question(answeredBy: event), !challenge.isOfTLS
            else { return }
            abandoned =
                event.argument == "use-none" || event.argument == "default"
                ? (KeptEvent(challenge), KeptEvent(event)) : nil
        case .complete, .handler, .awaited:
            if let abandoned, load.terminal == nil, load.cancellation == nil, !event.isSuccess, !event.isNetworkFailure,
                load.deliversAbandoned(abandoned.challenge.event)
            {
                hits.report(
                    Self.rule,
                    "\(event.symbol) came after \(abandoned.challenge.symbol) was answered '\(abandoned.answer.argument ?? "")'; "
                        + "the load goes on without credential and delivers the 401 or 407", at: event, in: load.lane)
            }
            abandoned = nil
        default: abandoned = nil
        }
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        guard let abandoned, load.ending != .cut, !load.isOver, load.cancellation == nil,
            load.deliversAbandoned(abandoned.challenge.event)
        else {
            return
        }
        hits.report(
            Self.rule,
            "nothing came after \(abandoned.challenge.symbol) was answered '\(abandoned.answer.argument ?? "")'; "
                + "the load goes on without credential and delivers the 401 or 407", at: nil, in: load.lane)
    }
}
