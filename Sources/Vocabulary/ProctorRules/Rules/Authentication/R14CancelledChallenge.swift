import ProctorEvents

struct R14CancelledChallenge: RuleMonitor {
    static let interests: EventNameSet = [
        .challenge, .answer, .redirect, .response, .progress, .fileReady, .complete, .handler, .awaited,
    ]

    private var cancelled: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .answer {
            takeAnswer(event, load)
            return nil
        }
        guard let cancelled, load.terminal == nil, load.handled == nil else { return nil }
        var isInferred = false
        switch event.name {
        case .complete, .handler, .awaited:
            guard !isExpected(event, load) else { return nil }
            isInferred = !event.isSuccess
        // Bytes of a 401 that was delivered before its challenge (R12) may still arrive.
        case .progress: return nil
        default: break
        }
        let wanted =
            load.family == .urlProtocol
            ? "it fails" : "it ends with complete(\(load.platform.cancelledChallengeOutcome))"
        return Breach("\(event.symbol) came after \(cancelled.symbol) was cancelled; \(wanted)", isInferred: isInferred)
    }

    private mutating func takeAnswer(_ event: TraceEvent, _ load: LoadState) {
        if let name = load.questionName(answeredBy: event) {
            guard name == .challenge else { return }
            cancelled = event.argument == "cancel" ? load.question(answeredBy: event).map(KeptEvent.init) : nil
        } else if event.facts.text(.to) == "challenge" {
            // A second answer is the test's own fault (R53), and its effect is undefined.
            cancelled = nil
        }
    }

    private func isExpected(_ event: TraceEvent, _ load: LoadState) -> Bool {
        if event.isSuccess { return false }
        switch load.family {
        case .sessionData, .sessionDownload, .sessionHandler:
            return event.argument == load.platform.cancelledChallengeOutcome
        default: return true
        }
    }
}
