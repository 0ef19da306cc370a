import ProctorEvents

struct R15RejectMovesOn: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [
        .challenge, .answer, .redirect, .response, .progress, .fileReady, .complete, .handler, .awaited,
    ]

    private var rejected: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .answer {
            guard load.questionName(answeredBy: event) == .challenge,
                let question = load.question(answeredBy: event), !question.isOfTLS
            else { return nil }
            rejected = event.argument == "reject" ? KeptEvent(question) : nil
            return nil
        }
        // A new connection may ask a TLS question in between.
        guard let rejected, load.terminal == nil, !(event.name == .challenge && event.isOfTLS) else { return nil }
        self.rejected = nil
        switch event.name {
        case .challenge:
            if event.argument == rejected.argument, let realm = event.facts.text(.realm),
                realm == rejected.facts.text(.realm), event.facts[.host] == rejected.facts[.host],
                event.facts[.port] == rejected.facts[.port]
            {
                return Breach(
                    "\(event.symbol) asks again for the space '\(realm)' that was rejected; the next one is due",
                    isInferred: event.isOfDigest)
            } else if let failures = event.facts.integer(.failures), failures > 0 {
                return Breach(
                    "\(event.symbol) after a rejected one has failure count \(failures); it begins with 0",
                    isInferred: true)
            }
        case .complete, .handler, .awaited:
            guard load.cancellation == nil, !event.isSuccess, !event.isNetworkFailure,
                load.deliversAbandoned(rejected.event)
            else { return nil }
            let isCancellation = event.argument == "cancelled" || event.argument == "userCancelledAuthentication"
            return Breach(
                "\(event.symbol) came after \(rejected.symbol) was rejected; the next method is asked for, or the 401 "
                    + "or 407 delivered", isInferred: !isCancellation)
        default: break
        }
        return nil
    }
}
