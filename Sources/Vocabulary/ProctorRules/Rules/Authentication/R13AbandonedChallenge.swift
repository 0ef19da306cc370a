import ProctorEvents

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
