import ProctorEvents

/// Whether the response of a load has come.
///
/// 1xx does not count (R27), nor does a 401 or 407 that turns out to be challenged (R12): each has its own rule, and
/// what follows is judged as if the client had kept it to itself.
struct DefinitiveResponse {
    /// nil before it came; 0 for one without a status.
    private(set) var status: Int?

    /// In this order: ask, then let it see the event.
    mutating func see(_ event: TraceEvent) {
        switch event.name {
        case .response where !event.isInterim: status = event.status ?? 0
        case .challenge where isChallenge && !event.isOfTLS: status = nil
        default: break
        }
    }

    /// Whether its status asks for credentials.
    var isChallenge: Bool { status == 401 || status == 407 }
}

/// The first event that came while a question was open.
///
/// An offence counts once the trace has shown, before or after, that it reports answers; until then it is kept.
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
