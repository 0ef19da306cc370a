internal import Dispatch
internal import ProctorBase
package import ProctorRecorder
internal import ProctorReference
package import ProctorTrace

/// What a recording delegate knows of its step: what is written down, what the program wants done meanwhile, and what
/// came of it so far.
///
/// Any thread may call it. ``StepRecord+Questions`` has the answers, ``StepRecord+Result`` the end.
package final class StepRecord: Sendable {
    /// The program.
    package let step: Assignment.Step
    /// In the trace, from 0.
    package let number: Int
    /// Of the task it begins with.
    package let family: CallbackFamily
    /// For acts and answers that are not covered here.
    package let notes: StepNotes
    let state: Locked<State>
    private let hasTaskDelegate: Bool
    private let sessionEnd: PlannedSessionEnd?

    struct State {
        var task: (any StepTask)?
        var moments = MomentCounts()
        var redirects: AnswersInTurn<Assignment.RedirectAnswer>
        var challenges: AnswersInTurn<Assignment.ChallengeAnswer>
        var response: LoadResponse?
        var body = KeptBody()
        /// `ok` or the name of an error, when the end has come.
        var outcome: String?
        var isResumeDataDue = false
        /// Of the callbacks that come next: a data task can turn into a download (R29).
        var family: CallbackFamily
    }

    /// `hasTaskDelegate` says that the task has a delegate of its own (R55).
    package init(
        _ step: Assignment.Step, number: Int, family: CallbackFamily, recordingTo recorder: TraceRecorder,
        hasTaskDelegate: Bool = false, sessionEnd: PlannedSessionEnd? = nil
    ) {
        self.step = step
        self.number = number
        self.family = family
        self.hasTaskDelegate = hasTaskDelegate
        self.sessionEnd = sessionEnd
        notes = StepNotes(number, recorder: recorder, family: family.isOfSessions ? nil : family)
        state = Locked(
            State(
                redirects: AnswersInTurn(step.onRedirect), challenges: AnswersInTurn(step.onChallenge),
                family: family))
    }

    /// Where the events go.
    package var recorder: TraceRecorder { notes.recorder }

    // MARK: Callbacks

    /// One call of a delegate method; ends with ``returns()``.
    package struct Callback: Sendable {
        private let recorded: RecordedCallback
        /// Whether the program cancelled in this callback; then it gives no answer.
        package let isCancelled: Bool

        init(_ recorded: RecordedCallback, isCancelled: Bool) {
            self.recorded = recorded
            self.isCancelled = isCancelled
        }

        /// Writes the return.
        package func returns() { recorded.returns() }
    }

    /// Writes the beginning of a callback and does what the program wants in it.
    ///
    /// `method` is the selector or Swift name of ``MethodName`` (fact `sel`), `who` is `session` or `task`, where
    /// there are such delegates; `queue` is nil off any queue.
    package func enter(
        _ name: EventName, _ argument: String? = nil, lane: Lane = .task, object: Int? = nil, queue: String?,
        method: String, who: String? = nil, facts: EventFacts = []
    ) -> Callback {
        var origin: EventFacts = []
        origin.add(.who, who)
        origin.add(.sel, method)
        let recorded = RecordedCallback(
            TraceEvent(
                lane: lane, task: number, object: object, name: name, argument: argument, queue: queue,
                family: state.withLock { $0.family }, facts: facts.appending(origin)),
            recordedBy: recorder)
        if name == .becameDownload { state.withLock { $0.family = .UD } }
        return Callback(recorded, isCancelled: act(on: name))
    }

    /// Does what the program wants in the callback of an event; true when it cancelled.
    private func act(on event: EventName) -> Bool {
        let isNow = state.withLock { $0.moments.count(event) }
        if let sessionEnd, isNow(sessionEnd.moment) { sessionEnd.end() }
        if isNow(step.suspendAt) { suspend() }
        guard isNow(step.cancelAt) else { return false }
        cancel()
        return true
    }

    // MARK: Acts

    /// Resumes the task, with what the program wants just before and just after; to be called once.
    package func start(_ task: any StepTask) {
        state.withLock { $0.task = task }
        act(at: "before-resume")
        resume()
        act(at: "after-resume")
    }

    /// Lets the task go, and with it whoever holds this record.
    package func release() { state.withLock { $0.task = nil } }

    private func act(at moment: String) {
        if sessionEnd?.moment.event == moment { sessionEnd?.end() }
        if step.suspendAt?.event == moment { suspend() }
        if step.cancelAt?.event == moment { cancel() }
    }

    private var task: (any StepTask)? { state.withLock { $0.task } }

    private func resume() {
        notes.note(.resume, hasTaskDelegate ? [EventFact(.who, .text("task"))] : [])
        task?.resume()
    }

    /// Suspends, and resumes when the time of the program is over.
    private func suspend() {
        notes.note(.suspend)
        task?.suspend()
        let wait = DispatchTimeInterval.milliseconds(step.suspendFor)
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { self.resume() }
    }

    /// Writes `cancel` and cancels, by producing resume data where the program wants it so.
    package func cancel() {
        guard step.producesResumeData else {
            notes.note(.cancel)
            task?.cancel()
            return
        }
        notes.cancelProducingResumeData()
        state.withLock { $0.isResumeDataDue = true }
        task?.cancel { [self] byteCount in
            state.withLock { $0.isResumeDataDue = false }
            notes.resumeData(byteCount: byteCount)
        }
    }
}

extension CallbackFamily {
    /// Whether it belongs to tasks of URLSession.
    fileprivate var isOfSessions: Bool {
        switch self {
        case .US, .UD, .HT, .BG, .WS, .ST: true
        case .UC, .CD, .DL, .PC, .proto: false
        }
    }
}
