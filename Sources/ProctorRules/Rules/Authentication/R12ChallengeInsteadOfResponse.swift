import ProctorEvents

extension Rules {
    static let r12 = Rule(
        12, title: "challenge instead of response",
        statement: """
            A challenge stands in the place of the 401 or 407 that caused it: neither head nor body of that answer \
            is delivered first. It comes later, as the response, when nobody takes up the challenge.
            """,
        source: "CustomHTTPProtocol Read Me; life cycle in the URL Session Programming Guide", confidence: .documented,
        families: [.sessionData, .sessionDownload, .connection, .download, .urlProtocol],
        monitors: [.load(R12ChallengeInsteadOfResponse.self)],
        limits: "tasks with a handler show neither response nor data, so there it cannot be seen",
        legal: "challenge(basic) response(200) data+ complete(ok)",
        illegal: "response(401) data challenge(basic) response(200) data+ complete(ok)",
        explains: [
            // The head of a challenge is told, and its disposition not waited for.
            .init(28, .sameEvent)
        ])
}

struct R12ChallengeInsteadOfResponse: RuleMonitor {
    static var rule: Rule { Rules.r12 }
    static let interests: EventNameSet = [.response, .challenge, .progress, .fileReady]

    private var response = DefinitiveResponse()
    /// `sessionDownload`: bytes were counted.
    private var hasProgress = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .progress, .fileReady: hasProgress = load.family == .sessionDownload
        case .challenge where !event.isOfTLS:
            if response.isChallenge, let status = response.status {
                isReported = true
                hits.report(
                    Self.rule,
                    "response(\(status)) was delivered before \(event.symbol); the challenge comes in its place",
                    at: event, in: load.lane)
            } else if hasProgress {
                isReported = true
                hits.report(
                    Self.rule, "progress was reported before \(event.symbol); the body of a challenge counts nowhere",
                    at: event, in: load.lane)
            }
        default: break
        }
        response.see(event)
    }
}
