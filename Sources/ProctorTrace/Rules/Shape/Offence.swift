/// The first event that came while a question was open.
///
/// It counts once the trace has shown, before or after, that it reports answers; until then it is kept.
struct Offence {
    private var kept: Kept?
    private var isSettled = false

    /// The event, and the question that was open.
    final class Kept: Sendable {
        let question: TraceEvent
        let event: TraceEvent

        init(question: TraceEvent, event: TraceEvent) {
            self.question = question
            self.event = event
        }
    }

    /// Whether another event is worth looking at; false also after a report.
    var isWanted: Bool { kept == nil && !isSettled }

    /// Takes an event that should not have come; the result is to be reported now.
    mutating func take(
        _ event: TraceEvent, during question: TraceEvent, _ load: LoadState
    ) -> Kept? {
        kept = Kept(question: question, event: event)
        return load.seesAnswers ? settle() : nil
    }

    /// At any `answer`, and at the end if answers were seen.
    mutating func settle() -> Kept? {
        guard let kept else { return nil }
        self.kept = nil
        isSettled = true
        return kept
    }
}

extension LoadState {
    /// Whether the oldest open question is of that kind; younger ones came too early themselves.
    func isWaiting(for name: EventName) -> Bool { !openQuestions.isEmpty && openQuestions[0].name == name }
}
