internal import Dispatch
package import ProctorEvents

/// What the harness itself does in one step, each written down before it is done.
package struct StepNotes: Sendable {
    /// Where the events go.
    package let recorder: TraceRecorder
    /// Of the step, which is the `task` of its events.
    package let number: Int
    /// Where it is no family of URLSession: a load that is cancelled at once has no other event that could say it.
    private let family: CallbackFamily?

    /// Writes nothing yet.
    package init(_ number: Int, recorder: TraceRecorder, family: CallbackFamily? = nil) {
        self.recorder = recorder
        self.number = number
        self.family = family
    }

    private func write(_ name: EventName, _ argument: String? = nil, facts: EventFacts = []) {
        recorder.record(
            TraceEvent(lane: .harness, task: number, name: name, argument: argument, family: family, facts: facts))
    }

    /// `resume`, `suspend`, `cancel`.
    package func note(_ name: EventName, _ facts: EventFacts = []) { write(name, facts: facts) }

    /// An answer that is given right after this, or by a user's delegate.
    package func note(_ word: String, to question: EventName) {
        write(.answer, word, facts: [EventFact(.to, .text(question.rawValue))])
    }

    /// Gives an answer now or, after so many milliseconds, from another thread.
    package func answer(
        _ word: String, to question: EventName, after delay: Int?, _ give: @escaping @Sendable () -> Void
    ) {
        guard let delay else {
            note(word, to: question)
            return give()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
            note(word, to: question)
            give()
        }
    }

    /// The step asks for something that this client or this recorder does not have.
    package func unimplemented(_ what: String) { write(.unimplemented, what) }

    /// What the client had of the step in the end.
    package func result(_ facts: EventFacts) { write(.result, facts: facts) }

    // MARK: Resume data

    private static let method: EventFacts = [EventFact(.sel, .text("cancel(byProducingResumeData:)"))]

    /// `cancel`, with the method that leaves resume data.
    package func cancelProducingResumeData() { note(.cancel, Self.method) }

    /// `handler`, by that method: the size of what it gave in bytes, nil when it gave nothing.
    package func resumeData(byteCount: Int?) {
        recorder.record(
            TraceEvent(
                lane: .handler, task: number, name: .handler, argument: byteCount == nil ? "unknown" : "ok",
                facts: Self.method.appending([EventFact(.bytes, .integer(byteCount ?? 0))])))
    }

    /// Waits until ``resumeData(byteCount:)`` has been called, or the time is over.
    package func waitForResumeData(within limit: Duration) async {
        let number = number
        _ = await recorder.event(within: limit) {
            $0.task == number && $0.lane == .handler && $0.facts.text(.sel) == Self.method.text(.sel)
        }
    }
}
