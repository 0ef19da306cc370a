import ProctorEvents

struct R4FollowedRedirect: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.redirect, .response, .answer, .progress, .request]

    private var redirect: KeptEvent?
    /// Whether the answer was to follow, and no request was sent since.
    private var isWaitingForRequest = false
    /// The response with the status of the redirect.
    private var shown: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .redirect:
            // The load continued at another server, so that the redirect before was followed.
            let breach = shown.map { takeBreach(by: $0) }
            redirect = KeptEvent(event)
            shown = nil
            isWaitingForRequest = false
            return breach
        case .answer:
            guard load.questionName(answeredBy: event) == .redirect else { return nil }
            // An event before the answer is R8; a refused redirect is R5.
            shown = nil
            // After a cancel no redirect is followed; later events are R6.
            if event.argument == "refuse" || load.cancellation != nil { redirect = nil }
            isWaitingForRequest = redirect != nil && load.wireRequestCount > 0
            return nil
        case .request:
            isWaitingForRequest = false
            return nil
        case .progress: return isWaitingForRequest ? takeBreach(by: KeptEvent(event)) : nil
        default: return takeResponse(event, load)
        }
    }

    private mutating func takeResponse(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let redirect else { return nil }
        if let shown { return takeBreach(by: shown) }
        guard event.argument == redirect.argument else {
            self.redirect = nil
            return nil
        }
        if isWaitingForRequest { return takeBreach(by: KeptEvent(event)) }
        if !load.seesAnswers || load.openQuestion(.redirect) == nil { shown = KeptEvent(event) }
        return nil
    }

    private mutating func takeBreach(by event: KeptEvent) -> Breach {
        defer {
            redirect = nil
            shown = nil
            isWaitingForRequest = false
        }
        return Breach(
            "\(event.symbol) shows the answer of a redirect that was followed (\(redirect?.symbol.description ?? "")); "
                + "only the target's is delivered", at: event)
    }
}
