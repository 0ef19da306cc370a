internal import ProctorBase
internal import ProctorRecorder
package import ProctorReference
internal import ProctorTrace

/// What the recording delegates of the old shapes write down of one step, and the answers they give by return value.
package final class LegacyRecord: Sendable {
    let step: StepRecord
    /// Which methods for challenges the delegate has, where the program has a say in them.
    let challengeMethods: LegacyChallengeMethods
    /// What the selectors of its methods begin with.
    let prefix: String
    private let queue: CallbackQueue
    private let isUnimplemented = Locked(false)

    /// `methods` are those that the family's delegate has here.
    package init(_ step: StepRecord, challengeMethods methods: LegacyChallengeMethods, queue: CallbackQueue) {
        self.step = step
        challengeMethods = step.answersChallenges ? methods : .none
        prefix = step.family == .DL ? "download" : "connection"
        self.queue = queue
    }

    /// Whether it met something that this shape can't do, which the trace says.
    package var isGivenUp: Bool { isUnimplemented.withLock { $0 } }

    /// Writes the beginning of a callback.
    ///
    /// NSURLDownload has no queue but the thread it was started on, so its events name none (R47).
    func enter(
        _ name: EventName, _ argument: String? = nil, method: String, facts: EventFacts = []
    ) -> StepRecord.Callback {
        step.enter(
            name, argument, queue: step.family != .DL && queue.isCurrent ? queue.label : nil,
            method: prefix + method, facts: facts)
    }

    /// The answer that `ask` gives while it runs; `other` where it gives none, as after a cancel.
    ///
    /// A program that wants to answer later gives the step up: a return value can't wait.
    func answer<Answer: Sendable>(
        orElse other: Answer, _ ask: (_ give: @escaping @Sendable (Answer) -> Void) -> Void
    ) -> Answer {
        guard step.step.answerAfter == nil else {
            let isFirst = isUnimplemented.withLock { isUnimplemented in
                defer { isUnimplemented = true }
                return !isUnimplemented
            }
            if isFirst {
                step.notes.unimplemented(
                    "steps[\(step.number)].answerAfter: only challenges are answered by a call here, the rest by return value"
                )
                step.cancel()
            }
            return other
        }
        let given = Locked<Answer?>(nil)
        ask { answer in given.withLock { $0 = $0 ?? answer } }
        return given.withLock { $0 } ?? other
    }
}
