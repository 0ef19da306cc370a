import ProctorEvents

extension Rules {
    static let r12 = Rule(
        12, title: "challenge instead of response",
        statement: """
            A challenge stands in the place of the 401 or 407 that caused it: neither head nor body of that answer \
            is delivered first. It comes later, as the response, when no credential answers the challenge.
            """,
        source: "CustomHTTPProtocol Read Me; life cycle in the URL Session Programming Guide", confidence: .documented,
        families: [.sessionData, .sessionDownload, .connection, .download, .urlProtocol],
        monitors: [.load(R12ChallengeInsteadOfResponse.self)],
        limits: "A task with a handler shows neither response nor data, so the rule can't judge it",
        legal: "challenge(basic) response(200) data+ complete(ok)",
        illegal: "response(401) data challenge(basic) response(200) data+ complete(ok)",
        explains: [
            // The client delivers the head of a challenge and does not wait for its disposition.
            .init(28, .sameEvent)
        ])
}

struct R12ChallengeInsteadOfResponse: RuleMonitor {
    static let interests: EventNameSet = [.response, .challenge, .progress, .fileReady]

    private var response = DefinitiveResponse()
    /// For `sessionDownload`: the client counted bytes.
    private var hasProgress = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .progress, .fileReady: hasProgress = load.family == .sessionDownload
        case .challenge where !event.isOfTLS:
            if response.isChallenge, let status = response.status {
                return Breach(
                    "response(\(status)) was delivered before \(event.symbol); the challenge comes in its place")
            }
            if hasProgress {
                return Breach("progress was reported before \(event.symbol); the body of a challenge counts nowhere")
            }
        default: break
        }
        response.see(event)
        return nil
    }
}
