extension Rules {
    static let r17 = Rule(
        number: RuleNumber(17), title: "failure count",
        statement: """
            Each further challenge for a protection space counts one failure more, from 0; another space or method \
            begins anew. It may begin at 1 if a credential went out unasked. A nonce that was only too old is no failure.
            """,
        source: "URLAuthenticationChallenge reference", confidence: .documented,
        families: [.US, .UD, .HT, .BG, .UC, .CD, .DL, .WS, .PC],
        limits: """
            needs the fact 'failures'; whether a credential was tried before, or a nonce was too old, only the wire \
            tells: without it a first count of 1 is taken, and an equal count of digest is only noted, as is the count \
            of a new space
            """,
        legal: "challenge(basic){3} complete(cancelled)  # failures 0, 1, 2",
        illegal: "challenge(basic){3} complete(cancelled)  # failures 0, 0, 0")
}

struct R17FailureCount: EndRuleMonitor {
    static let rule = RuleNumber(17)
    static let families: Set<CallbackFamily> = [.US, .UD, .HT, .BG, .UC, .CD, .DL, .WS, .PC]
    static let interests: EventNameSet = [.challenge, .redirect, .answer, .request]

    /// The last challenge of each space, at most ``mostSpaces``.
    private var spaces: [TraceEvent] = []
    /// No credential was given for the last challenge, so no count is due.
    private var isUntried = false
    private var isReported = false
    /// Two challenges without an answer between are R10 where answers are reported.
    private var held: (event: KeptEvent, before: Int)?

    private static let mostSpaces = 4
    private var sentToOrigin = SentCredentials(isProxy: false)
    private var sentToProxy = SentCredentials(isProxy: true)

    mutating func observe(_ event: TraceEvent, _ load: LoadState, _ hits: inout HitList) {
        guard load.terminal == nil else { return }
        switch event.name {
        case .redirect: spaces.removeAll()
        case .request:
            sentToOrigin.takeRequest(event)
            sentToProxy.takeRequest(event)
        case .answer:
            held = nil
            guard let question = load.question(answeredBy: event), question.name == .challenge, !question.isOfTLS
            else { return }
            isUntried = event.argument != "use"
        case .challenge where !event.isOfTLS:
            count(event, event.isOfProxy ? sentToProxy : sentToOrigin, load, &hits)
            if event.isOfProxy { sentToProxy.takeChallenge(event) } else { sentToOrigin.takeChallenge(event) }
        default: break
        }
    }

    mutating func end(_ load: LoadState, _ hits: inout HitList) {
        if let held, !load.seesAnswers { report(held.event.event, after: held.before, nil, load, &hits) }
    }

    private mutating func count(
        _ event: TraceEvent, _ sent: SentCredentials, _ load: LoadState, _ hits: inout HitList
    ) {
        guard let failures = event.facts.integer(.failures), !isReported else { return }
        guard let index = spaces.firstIndex(where: { Self.isOneSpace($0, event) }) else {
            return begin(event, failures, sent, load, &hits)
        }
        // What went out since another space asked says nothing of this one.
        let sent = sent.since == spaces[index].sequence ? sent : nil
        let before = spaces[index].facts.integer(.failures) ?? 0
        spaces[index] = event
        let isStale = sent?.wereOnlyStale ?? false
        guard !isUntried, failures &- before != (isStale ? 0 : 1) else { return }
        if load.openQuestion(.challenge) == nil {
            report(event, after: before, sent, load, &hits)
        } else if !load.seesAnswers {
            held = held ?? (KeptEvent(event), before)
        }
    }

    private mutating func begin(
        _ event: TraceEvent, _ failures: Int, _ sent: SentCredentials, _ load: LoadState, _ hits: inout HitList
    ) {
        let isFirst = spaces.isEmpty
        let isUnsent = load.wireRequestCount > 0 && sent.hasAny == false
        if failures > 1 || failures == 1 && isFirst && isUnsent {
            isReported = true
            let wanted = isUnsent ? "0, since no credential went out before" : "0 or 1"
            hits.report(
                Self.rule,
                "the first \(event.symbol) of its space has failure count \(failures); it begins with \(wanted)",
                at: event, in: load.lane, isInferred: !isFirst)
        }
        if spaces.count == Self.mostSpaces { spaces.removeFirst() }
        spaces.append(event)
    }

    private mutating func report(
        _ event: TraceEvent, after before: Int, _ sent: SentCredentials?, _ load: LoadState, _ hits: inout HitList
    ) {
        isReported = true
        let failures = event.facts.integer(.failures) ?? 0
        let isStale = sent?.wereOnlyStale ?? false
        let reason =
            isStale ? "the nonce was too old, and nothing failed" : "it counts up by one for each credential tried"
        // Equal counts of digest may come of nonces that were too old; that a client counts those is noted.
        let isInferred =
            isStale
            ? failures &- before == 1
            : failures == before && event.isOfDigest && !(sent?.wereNeverStale ?? false)
        hits.report(
            Self.rule, "\(event.symbol) has failure count \(failures) after \(before); \(reason)", at: event,
            in: load.lane, isInferred: isInferred)
    }

    private static func isOneSpace(_ first: TraceEvent, _ second: TraceEvent) -> Bool {
        first.argument == second.argument && first.facts[.realm] == second.facts[.realm]
            && first.facts[.host] == second.facts[.host] && first.facts[.port] == second.facts[.port]
    }
}
