import ProctorEvents

extension Rules {
    static let r51 = Rule(
        51, title: "a followed redirect ends the object",
        statement: """
            Following a redirect is the work of another object: the client stops the first, and does not care \
            whether that still fails. After a refusal there is no other, and the first goes on to its response.
            """,
        source: "CustomHTTPProtocol sample; GNUstep; the Read Me allows any number of redirects before a response",
        confidence: .sample, families: [.urlProtocol],
        monitors: [.load(R51FollowedRedirect.self)],
        limits: """
            Without the client's answer to the redirect both ways are accepted, and with it a response is an \
            observation
            """,
        legal: "redirect(302) complete(cancelled)",
        illegal: "redirect(302) response(200) complete(ok)  # the redirect was followed", needs: [.objects])
}

/// Needs the client's answer: without it an object may continue, because its redirect may be refused.
struct R51FollowedRedirect: RuleMonitor {
    static let interests: EventNameSet = [.answer, .response, .cacheValidated]

    private var isFollowed = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .answer {
            if event.argument != "refuse", load.questionName(answeredBy: event) == .redirect { isFollowed = true }
        } else if isFollowed, load.terminal == nil, !load.isStopped {
            return Breach(
                "\(event.symbol) from the object whose redirect the client followed; it should be stopped",
                isInferred: true)
        }
        return nil
    }
}
