import ProctorEvents

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
