import ProctorEvents

extension Rules {
    static let r10 = Rule(
        10, title: "one challenge at a time",
        statement: """
            While a challenge is open, its task or protocol object is silent until it is answered or withdrawn. \
            Only the end of the load and progress of an upload under way are exempt.
            """,
        source: "CustomHTTPProtocol Read Me", confidence: .documented,
        families: [
            .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connection, .connectionDownload,
            .download, .webSocket, .stream, .urlProtocol,
        ],
        monitors: [.load(R10OneChallengeAtATime.self)],
        limits: """
            The trace must have the answers. The rule does not hold in lane session, where several connections may \
            ask at the same time
            """,
        legal: "challenge(basic) challenge(basic) response(200) data* complete(ok)  # each answered before the next",
        illegal: "challenge(basic) data complete(ok)  # not answered yet",
        judgesAnswersTo: .challenge)
}

struct R10OneChallengeAtATime: SilenceMonitor {
    static let question = EventName.challenge
    static let interests: EventNameSet = [
        .challenge, .redirect, .canonicalize, .needBodyStream, .informational, .response, .data, .progress, .fileReady,
        .willCache, .cacheValidated, .askCanAuth, .waiting, .wsOpen, .answer,
    ]

    var held: Breach?

    func breach(by event: TraceEvent, during question: TraceEvent, _ load: LoadState) -> Breach? {
        // A session asks for each of its connections.
        if event.name == .challenge, event.facts.text(.scope) == "session" { return nil }
        // Until the trace has shown an answer, data without response is R25.
        if event.name == .data, load.isDataTooEarly { return nil }
        return Breach(
            "\(event.symbol) came while \(question.symbol) was unanswered; one thing at a time", at: KeptEvent(event))
    }
}
