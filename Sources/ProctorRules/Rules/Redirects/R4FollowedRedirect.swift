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
            needs a further response or redirect, or the requests on the wire: the target may itself answer with the same \
            status; whether bytes of the redirect are in the body is a fact of the case
            """,
        legal: "redirect(302) response(200) data complete(ok)",
        illegal: "redirect(302) response(302) data response(200) data complete(ok)",
        explains: [
            // The head of a followed redirect makes the next redirect look late.
            .init(3, .fromThere)
        ])
}

struct R4FollowedRedirect: RuleMonitor {
    static var rule: Rule { Rules.r4 }
    static let interests: EventNameSet = [.redirect, .response, .answer, .progress, .request]

    private var redirect: KeptEvent?
    /// The answer was to follow, and no request has left since.
    private var isWaitingForRequest = false
    /// The response that has the status of the redirect.
    private var shown: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil else { return }
        switch event.name {
        case .redirect:
            // The load went on to another server, so the one before was followed.
            if let shown { report(shown.event, in: load, into: &hits) }
            redirect = KeptEvent(event)
            shown = nil
            isWaitingForRequest = false
        case .answer:
            guard load.questionName(answeredBy: event) == .redirect else { return }
            // What came before its answer is R8; a refused redirect is R5.
            shown = nil
            // After a cancel nothing is followed, and what comes then is R6.
            if event.argument == "refuse" || load.cancellation != nil { redirect = nil }
            isWaitingForRequest = redirect != nil && load.wireRequestCount > 0
        case .request: isWaitingForRequest = false
        case .progress: if isWaitingForRequest { report(event, in: load, into: &hits) }
        case .response: take(event, load, into: &hits)
        default: break
        }
    }

    private mutating func take(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard let redirect else { return }
        if let shown {
            report(shown.event, in: load, into: &hits)
        } else if event.argument != redirect.argument {
            self.redirect = nil
        } else if isWaitingForRequest {
            report(event, in: load, into: &hits)
        } else if !(load.seesAnswers && load.openQuestion(.redirect) != nil) {
            shown = KeptEvent(event)
        }
    }

    private mutating func report(_ event: TraceEvent, in load: LoadState, into hits: inout HitList) {
        hits.report(
            Self.rule,
            "\(event.symbol) shows the answer of a redirect that was followed (\(redirect?.symbol.description ?? "")); "
                + "only the target's is delivered", at: event, in: load.lane)
        redirect = nil
        shown = nil
        isWaitingForRequest = false
    }
}
