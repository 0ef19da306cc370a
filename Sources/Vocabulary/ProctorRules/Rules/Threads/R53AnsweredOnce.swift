import ProctorEvents

/// Checks the test's own code, not the client.
struct R53AnsweredOnce: EndRuleMonitor {
    static let interests: EventNameSet = [.answer, .challengeCancelled]

    private var isWithdrawn = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.name == .answer else {
            isWithdrawn = true
            return nil
        }
        guard load.questionName(answeredBy: event) == nil, isJudged(event, load) else { return nil }
        let target = event.facts.text(.to).map { " to \($0)" } ?? ""
        return Breach(
            "the test gave \(event.symbol)\(target), which no question is open for", weight: .harnessFault)
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard load.ending != .cut, load.cancellation == nil, let question = load.unansweredQuestion, !load.isStopped,
            !hasGoneOn(load, without: question)
        else { return nil }
        return Breach("the test never answered \(question.symbol)", at: KeptEvent(question), weight: .harnessFault)
    }

    /// A load that continues or ends withdraws its questions (R8, R10 or R28); a load that timed out had waited.
    private func hasGoneOn(_ load: LoadState, without question: TraceEvent) -> Bool {
        if let outcome = (load.terminal ?? load.handled)?.argument { return outcome != "timedOut" }
        guard let previous = load.previous, previous.sequence > question.sequence else { return false }
        return previous.name != .bodySent && previous.name != .challengeCancelled
    }

    private func isJudged(_ event: TraceEvent, _ load: LoadState) -> Bool {
        // More open questions than are remembered, or one that the loader withdrew.
        guard load.openQuestions.count < LoadState.mostOpenQuestions, !load.isStopped else { return false }
        guard let to = event.facts.text(.to), let question = EventName(rawValue: to) else { return true }
        if question == .challenge, isWithdrawn { return false }
        return load.family.questions.contains(question)
    }
}
