import ProctorEvents

extension Rules {
    static let r10 = Rule(
        10, title: "one challenge at a time",
        statement: """
            While a challenge is open, its task or protocol object is silent until somebody answers or withdraws it. \
            Only the end of the load and progress of an upload under way are exempt.
            """,
        source: "CustomHTTPProtocol Read Me", confidence: .documented,
        families: [
            .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connection, .connectionDownload,
            .download, .webSocket, .stream, .urlProtocol,
        ],
        monitors: [.load(R10OneChallengeAtATime.self)],
        limits: "needs the answers; not for lane session, where several connections may ask together",
        legal: "challenge(basic) challenge(basic) response(200) data* complete(ok)  # each answered before the next",
        illegal: "challenge(basic) data complete(ok)  # not answered yet",
        judgesAnswersTo: .challenge)
}

struct R10OneChallengeAtATime: EndRuleMonitor {
    static var rule: Rule { Rules.r10 }
    static let interests: EventNameSet = [
        .challenge, .redirect, .canonicalize, .needBodyStream, .informational, .response, .data, .progress, .fileReady,
        .willCache, .cacheValidated, .askCanAuth, .waiting, .wsOpen, .answer,
    ]

    private var offence = Offence()

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.name == .answer { return tell(offence.settle(), load, into: &hits) }
        guard offence.isWanted, load.isWaiting(for: .challenge), let question = load.openQuestions.first else { return }
        guard load.terminal == nil, load.cancellation == nil else { return }
        // A session asks for each of its connections.
        if event.name == .challenge, event.facts.text(.scope) == "session" { return }
        // As long as nothing shows that answers are reported, data without response is R25.
        if event.name == .data, load.isDataTooEarly { return }
        tell(offence.take(event, during: question, load), load, into: &hits)
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        if load.seesAnswers { tell(offence.settle(), load, into: &hits) }
    }

    private func tell(_ offence: Offence.Kept?, _ load: LoadState, into hits: inout HitList) {
        guard let offence else { return }
        hits.report(
            Self.rule,
            "\(offence.event.symbol) came while \(offence.question.symbol) was unanswered; one thing at a time",
            at: offence.event, in: load.lane)
    }
}
