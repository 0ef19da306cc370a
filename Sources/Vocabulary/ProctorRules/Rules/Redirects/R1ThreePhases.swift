import ProctorEvents

extension Rules {
    static let r1 = Rule(
        1, title: "three phases",
        statement: """
            A load asks its questions (redirects, challenges, streams) before the response, then the response comes, \
            then its data and the end. It can fail at any time, and upload progress goes on beside all of it.
            """,
        source: "CustomHTTPProtocol Read Me (three phases); practice of the other loaders", confidence: .documented,
        families: [.urlProtocol, .connection, .sessionData],
        monitors: [.load(R1ThreePhases.self)],
        limits: """
            A redirect after the response breaks R3, a challenge for a delivered 401 breaks R12, a late challenge of \
            TLS R18, a 1xx R27, and data before the response R25
            """,
        legal: "redirect(302) challenge(basic) response(200) data+ complete(ok)",
        illegal: "response(200) challenge(basic) data complete(ok)",
        explains: [
            // A stream question after the response is also one after the body's bytes were sent.
            .init(21, .sameEvent)
        ])
}

struct R1ThreePhases: RuleMonitor {
    static let interests: EventNameSet = [.response, .challenge, .needBodyStream]

    private var response = DefinitiveResponse()

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        if let status = response.status, isQuestion(event) {
            return Breach("\(event.symbol) came after response(\(status)); questions come before the response")
        }
        response.see(event)
        return nil
    }

    private func isQuestion(_ event: TraceEvent) -> Bool {
        switch event.name {
        case .challenge: !event.isOfTLS && !response.isChallenge
        case .needBodyStream: true
        default: false
        }
    }
}
