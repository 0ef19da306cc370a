import ProctorEvents

extension Rules {
    static let r4 = Rule(
        4, title: "what is followed is not delivered",
        statement: """
            When a redirect is followed, only its target is delivered: no callback carries the redirect's own head \
            or body, and no progress counts its bytes.
            """,
        source: "NSURLSession.h and the programming guide: only a refusal delivers the redirect",
        confidence: .documented,
        families: [.connection, .sessionData, .sessionDownload, .download],
        monitors: [.load(R4FollowedRedirect.self)],
        limits: """
            The trace must have a further response or redirect, or the requests on the wire, since the target may \
            answer with the same status. Whether the body has bytes of the redirect is a fact of the case
            """,
        legal: "redirect(302) response(200) data complete(ok)",
        illegal: "redirect(302) response(302) data response(200) data complete(ok)",
        explains: [
            // After the head of a followed redirect, the next redirect seems late.
            .init(3, .fromThere)
        ])
}

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
