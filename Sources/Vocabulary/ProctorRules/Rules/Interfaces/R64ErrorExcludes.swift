import ProctorEvents

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
