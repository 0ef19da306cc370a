/// What a load still owes when its trace is over.
extension LoadState {
    /// Whether the end had to come by now: the load was started or cancelled, and nothing of the test's held it up.
    ///
    /// Of a client that crashed nobody knows what would have come.
    var isEndDue: Bool {
        guard !isOver, ending != .cut else { return false }
        switch family {
        case .US, .UD, .HT, .BG, .WS, .ST:
            guard cancellation == nil else { return true }
            return isKnownToRun && !isSuspended && unansweredQuestion == nil
        // After a cancel of these nothing is due.
        case .UC, .CD, .DL: return isKnownToRun && cancellation == nil && unansweredQuestion == nil
        // A stopped object is silent, and one whose redirect is followed may be.
        case .PC:
            return (eventCount > 0 || isStarted && isHung) && !isStopped && cancellation == nil && redirectCount == 0
                && unansweredQuestion == nil
        case .proto: return false
        }
    }

    /// Without lane `harness` every lane that has begun is taken for a load that runs.
    private var isKnownToRun: Bool {
        isResumed || eventCount > 1 || eventCount == 1 && previous?.name != .created
    }

    /// The question that the test itself left open (R53); nil when the trace does not report answers.
    var unansweredQuestion: TraceEvent? { seesAnswers ? openQuestions.first : nil }

    /// For messages: `; redirect(302) may be unanswered`, or nothing.
    var openQuestionNote: String {
        guard let question = openQuestions.last, question.sequence == previous?.sequence else { return "" }
        return "; \(question.symbol) may never have been answered"
    }
}
