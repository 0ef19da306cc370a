import ProctorEvents

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
