import ProctorEvents

extension Rules {
    static let r13 = Rule(
        13, title: "an abandoned challenge delivers the 401",
        statement: """
            Answering without a credential, or with default handling and none stored, lets the load go on: the 401 \
            (or a proxy's 407) is its response, and it ends well. It does not hold for TLS, nor for a CONNECT that \
            gets a 407.
            """,
        source: "Working with HTTP and HTTPS Requests; NSURLSession.h", confidence: .documented,
        families: [.sessionData, .sessionDownload, .sessionHandler, .connection, .connectionDownload, .download],
        monitors: [.load(R13AbandonedChallenge.self)],
        limits: """
            The trace must have the answers. A challenge of a proxy is judged only where the wire shows that no \
            CONNECT was sent. A network that fails excuses the client
            """,
        legal: "challenge(basic) response(401) data* complete(ok)  # default handling",
        illegal: "challenge(basic) complete(error)  # default handling",
        breaksByMissingEvents: true,
        judgesAnswersTo: .challenge)
}

struct R13AbandonedChallenge: EndRuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [
        .challenge, .answer, .redirect, .response, .progress, .fileReady, .complete, .handler, .awaited,
    ]

    private var abandoned: (challenge: KeptEvent, answer: KeptEvent)?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .answer {
            guard load.questionName(answeredBy: event) == .challenge,
                let challenge = load.question(answeredBy: event), !challenge.isOfTLS
            else { return nil }
            let isAbandoned = event.argument == "use-none" || event.argument == "default"
            abandoned = isAbandoned ? (KeptEvent(challenge), KeptEvent(event)) : nil
            return nil
        }
        defer { abandoned = nil }
        let isEnd = event.name == .complete || event.name == .handler || event.name == .awaited
        guard isEnd, load.terminal == nil, !event.isSuccess, !event.isNetworkFailure else { return nil }
        return breach(by: event.symbol.description, load)
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        load.ending == .cut || load.isOver ? nil : breach(by: "nothing", load)
    }

    private func breach(by what: String, _ load: LoadState) -> Breach? {
        guard let abandoned, load.cancellation == nil, load.deliversAbandoned(abandoned.challenge.event) else {
            return nil
        }
        return Breach(
            "\(what) came after \(abandoned.challenge.symbol) was answered '\(abandoned.answer.argument ?? "")'; "
                + "the load goes on without credential and delivers the 401 or 407")
    }
}
