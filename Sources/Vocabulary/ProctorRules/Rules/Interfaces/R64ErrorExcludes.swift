import ProctorEvents

extension Rules {
    static let r64 = Rule(
        64, title: "an error excludes response and data",
        statement: """
            Where a handler, a block or a call has an error in its hands it has no data; where it has none, it has data \
            and a response. A block or a call of NSURLConnection has no response beside an error either; a handler of a \
            session may have one.
            """,
        source: """
            NSURLConnection, sendAsynchronousRequest and sendSynchronousRequest; URLSession, \
            dataTask(with:completionHandler:); for NSURLConnection's response our conclusion
            """,
        confidence: .documented, families: [.sessionHandler, .connectionSync, .connectionQueued],
        monitors: [.load(R64ErrorExcludes.self)],
        limits: "The trace must have the facts hasData, hasResponse and hasError",
        legal: "  # handler(ok) with data and response, or handler(timedOut) with neither",
        illegal: "  # handler(timedOut) with the data that came before")
}

struct R64ErrorExcludes: RuleMonitor {
    static let interests: EventNameSet = [.handler, .awaited]

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        // The handler of a cancel by producing resume data has other arguments.
        guard !event.isOfResumeData, let hasError = event.facts.flag(.hasError) else { return nil }
        let hasData = event.facts.flag(.hasData)
        let hasResponse = event.facts.flag(.hasResponse)
        guard hasError else {
            if hasData == false { return Breach("\(event.symbol) has neither data nor an error") }
            return hasResponse == false ? Breach("\(event.symbol) has neither a response nor an error") : nil
        }
        if hasData == true { return Breach("\(event.symbol) has data beside its error") }
        guard hasResponse == true, load.family != .sessionHandler else { return nil }
        return Breach("\(event.symbol) has a response beside its error", isInferred: true)
    }
}
