extension Rules {
    static let r17 = Rule(
        number: RuleNumber(17), title: "failure count",
        statement: """
            Each further challenge for a protection space counts one failure more, from 0; another space or method \
            begins anew. It may begin at 1 if a credential went out unasked.
            """,
        source: "URLAuthenticationChallenge reference", confidence: .documented,
        families: [.US, .UD, .HT, .BG, .UC, .CD, .DL, .WS, .PC],
        limits: """
            needs the fact 'failures'; whether a credential was tried before is not in a trace, so a first count of 1 \
            is taken; an equal count of digest (stale) and the count of a new space are only noted
            """,
        legal: "challenge(basic){3} complete(cancelled)  # failures 0, 1, 2",
        illegal: "challenge(basic){3} complete(cancelled)  # failures 0, 0, 0")
}

struct R17FailureCount: EndRuleMonitor {
    static let rule = RuleNumber(17)
    static let families: Set<CallbackFamily> = [.US, .UD, .HT, .BG, .UC, .CD, .DL, .WS, .PC]
    static let interests: EventNameSet = [.challenge, .redirect, .answer]

    /// The last challenge of each space, at most ``mostSpaces``.
    private var spaces: [TraceEvent] = []
    /// No credential was given for the last challenge, so no count is due.
    private var isUntried = false
    private var isReported = false
    /// Two challenges without an answer between are R10 where answers are reported.
    private var held: (event: KeptEvent, before: Int)?

    private static let mostSpaces = 4

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard load.terminal == nil else { return }
        switch event.name {
        case .redirect: spaces.removeAll()
        case .answer:
            held = nil
            if load.questionName(answeredBy: event) == .challenge { isUntried = event.argument != "use" }
        case .challenge where !event.isOfTLS: count(event, load, &hits)
        default: break
        }
    }

    mutating func end(_ load: LoadState, _ hits: inout HitList) {
        if let held, !load.seesAnswers { report(held.event.event, after: held.before, load, &hits) }
    }

    private mutating func count(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard let failures = event.facts.integer(.failures), !isReported else { return }
        if let index = spaces.firstIndex(where: { Self.isOneSpace($0, event) }) {
            let before = spaces[index].facts.integer(.failures) ?? 0
            spaces[index] = event
            guard !isUntried, failures &- before != 1 else { return }
            if load.openQuestion(.challenge) == nil {
                report(event, after: before, load, &hits)
            } else if !load.seesAnswers {
                held = held ?? (KeptEvent(event), before)
            }
        } else {
            if failures > 1 {
                let isFirst = spaces.isEmpty
                isReported = true
                hits.report(
                    Self.rule,
                    "the first \(event.symbol) of its space has failure count \(failures); it begins with 0 or 1",
                    at: event, in: load.lane, isInferred: !isFirst)
            }
            if spaces.count == Self.mostSpaces { spaces.removeFirst() }
            spaces.append(event)
        }
    }

    private mutating func report(_ event: TraceEvent, after before: Int, _ load: LoadState, _ hits: inout HitList) {
        isReported = true
        let failures = event.facts.integer(.failures) ?? 0
        hits.report(
            Self.rule,
            "\(event.symbol) has failure count \(failures) after \(before); it counts up by one for each credential tried",
            at: event, in: load.lane, isInferred: failures == before && event.argument == "digest")
    }

    private static func isOneSpace(_ first: TraceEvent, _ second: TraceEvent) -> Bool {
        first.argument == second.argument && first.facts[.realm] == second.facts[.realm]
            && first.facts[.host] == second.facts[.host] && first.facts[.port] == second.facts[.port]
    }
}
