internal import Dispatch
package import ProctorTrace

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

    /// `resume`, `suspend`, `cancel`.
    package func note(_ name: EventName, _ facts: EventFacts = []) {
        recorder.record(TraceEvent(lane: .harness, task: number, name: name, family: family, facts: facts))
    }

    /// An answer that is given right after this, or by somebody else.
    package func note(_ word: String, to question: EventName) {
        recorder.record(
            TraceEvent(
                lane: .harness, task: number, name: .answer, argument: word, family: family,
                facts: [EventFact(.to, .text(question.rawValue))]))
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
    package func unimplemented(_ what: String) {
        recorder.record(
            TraceEvent(lane: .harness, task: number, name: .unimplemented, argument: what, family: family))
    }

    /// What the client had of the step in the end.
    package func result(_ facts: EventFacts) {
        recorder.record(TraceEvent(lane: .harness, task: number, name: .result, family: family, facts: facts))
    }
}
