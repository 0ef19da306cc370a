internal import Dispatch
internal import Foundation
internal import ProctorBase
package import ProctorEvents
package import ProctorProgram

/// What is known of one task or step: how its questions are answered, what the program wants done meanwhile, and what came
/// of it so far.
///
/// Any thread may call it. Everything is written down before it is done.
package final class StepRecord: Sendable {
    /// The program; nil: questions get the answer of a client without a delegate.
    package let step: Assignment.Step?
    /// In the trace, from 0.
    package let number: Int
    /// For acts and answers that are not covered here.
    package let notes: StepNotes
    private let sessionEnd: PlannedSessionEnd?
    private let state: Locked<State>

    private struct State {
        var task: (any StepTask)?
        var moments = MomentCounts()
        var redirects: AnswersInTurn<Assignment.RedirectAnswer>
        var challenges: AnswersInTurn<Assignment.ChallengeAnswer>
        /// Of the last response, as a `result` has them.
        var response: EventFacts?
        var body = KeptBody()
        /// `ok` or the name of an error, when the end has come.
        var outcome: String?
        var resumeData: Data?
        var isResumeDataDue = false
        /// Of the callbacks that come next: a data task can turn into another kind (R29).
        var family: CallbackFamily
    }

    /// `family` is that of the task it begins with; `challengeAnswers` are the program's own where nothing else is given.
    package init(
        _ step: Assignment.Step?, number: Int, family: CallbackFamily, recordingTo recorder: TraceRecorder,
        challengeAnswers: [Assignment.ChallengeAnswer]? = nil, sessionEnd: PlannedSessionEnd? = nil
    ) {
        self.step = step
        self.number = number
        self.sessionEnd = sessionEnd
        notes = StepNotes(number, recorder: recorder, family: family.isOfSessions ? nil : family)
        state = Locked(
            State(
                redirects: AnswersInTurn(step?.onRedirect ?? []),
                challenges: AnswersInTurn(challengeAnswers ?? step?.onChallenge ?? []), family: family))
    }

    /// Where the events go.
    package var recorder: TraceRecorder { notes.recorder }

    /// Of the callbacks that come next.
    package var family: CallbackFamily { state.withLock { $0.family } }

    // MARK: Callbacks

    /// One call of a delegate method; ends with ``returns()``.
    package struct Callback: Sendable {
        fileprivate let recorded: RecordedCallback
        /// Whether the program cancelled in this callback; then it gives no answer.
        package let isCancelled: Bool

        /// Writes the return.
        package func returns() { recorded.returns() }
    }

    /// Writes the beginning of a callback and does what the program wants in it.
    ///
    /// `method` is the selector or Swift name of ``MethodName`` (fact `sel`), `who` is `session` or `task`, where
    /// there are such delegates; `queue` is nil off any queue. The program acts on `task`, or on the one that was started.
    package func enter(
        _ name: EventName, _ argument: String? = nil, lane: Lane = .task, object: Int? = nil, queue: String?,
        method: String, who: String? = nil, facts: EventFacts = [], of task: (any StepTask)? = nil
    ) -> Callback {
        var origin: EventFacts = []
        origin.add(.who, who)
        origin.add(.sel, method)
        let recorded = RecordedCallback(
            TraceEvent(
                lane: lane, task: number, object: object, name: name, argument: argument, queue: queue,
                family: family, facts: facts.appending(origin)),
            recordedBy: recorder)
        switch name {
        case .becameDownload: state.withLock { $0.family = .sessionDownload }
        case .becameStream: state.withLock { $0.family = .stream }
        default: break
        }
        return Callback(recorded: recorded, isCancelled: act(on: name, task))
    }

    /// Does what the program wants in the callback of an event; true when it cancelled.
    private func act(on event: EventName, _ task: (any StepTask)?) -> Bool {
        let isNow = state.withLock { $0.moments.count(event) }
        if let sessionEnd, isNow(sessionEnd.moment) { sessionEnd.end() }
        if isNow(step?.suspendAt) { suspend(task) }
        guard isNow(step?.cancelAt) else { return false }
        cancel(task)
        return true
    }

    // MARK: Acts

    /// Resumes the task, with what the program wants just before and just after; to be called once.
    package func start(_ task: any StepTask) {
        state.withLock { $0.task = task }
        act(at: .beforeResume)
        resume(task)
        act(at: .afterResume)
    }

    /// Lets the task go, and with it the objects that hold this record.
    package func release() { state.withLock { $0.task = nil } }

    private func act(at moment: Assignment.Moment) {
        if sessionEnd?.moment == moment { sessionEnd?.end() }
        if step?.suspendAt == moment { suspend(nil) }
        if step?.cancelAt == moment { cancel(nil) }
    }

    private var started: (any StepTask)? { state.withLock { $0.task } }

    func resume(_ task: (any StepTask)?) {
        let task = task ?? started
        notes.note(.resume, task?.hasDelegate == true ? [EventFact(.who, .text("task"))] : [])
        task?.resume()
    }

    /// Suspends, and resumes when the time of the program is over.
    private func suspend(_ given: (any StepTask)?) {
        let task = given ?? started
        guard task?.canBeSuspended != false else { return }
        notes.note(.suspend)
        task?.suspend()
        let wait = DispatchTimeInterval.milliseconds(step?.suspendFor ?? 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { self.resume(given) }
    }

    /// Writes `cancel` and cancels the task, or the one that was started; by producing resume data where the program
    /// wants it so.
    package func cancel(_ task: (any StepTask)? = nil) {
        let task = task ?? started
        guard step?.producesResumeData == true, task?.canLeaveResumeData != false else {
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

    // MARK: Questions

    /// Says to a redirect what the program has for it; nil refuses, and `change` makes the request that is sent instead.
    package func answerRedirect<Request: Sendable>(
        proposed: Request, of task: (any StepTask)? = nil,
        change: (_ method: String?, _ url: String?, _ headers: [[String]]) -> Request?,
        _ give: @escaping @Sendable (Request?) -> Void
    ) {
        let answer = state.withLock { $0.redirects.take() } ?? .follow
        var plan = answer.plan
        var changed: Request?
        if case .change(let method, let url, let headers) = answer {
            changed = change(method, url, headers)
            if changed == nil {
                plan = [
                    .unimplemented("onRedirect: '\(url ?? "")' is no URL this client can make"), .answer(.refuse),
                ]
            }
        }
        carryOut(plan, to: .redirect, of: task) { [changed] answer in
            switch answer {
            case .refuse: give(nil)
            case .change: give(changed)
            default: give(proposed)
            }
        }
    }

    /// Says to a challenge what the program has for it; false where the program has no say: then nothing is answered.
    package func answerChallenge(
        of task: (any StepTask)? = nil, plan: (Assignment.ChallengeAnswer) -> [PlannedAct<Assignment.ChallengeAnswer>],
        _ give: @escaping @Sendable (Assignment.ChallengeAnswer) -> Void
    ) -> Bool {
        guard let answer = state.withLock({ $0.challenges.take() }) else { return false }
        carryOut(plan(answer), to: .challenge, of: task, give)
        return true
    }

    /// Says what becomes of a response; without a program it is allowed.
    package func answerResponse(_ give: @escaping @Sendable (Assignment.ResponseAnswer) -> Void) {
        carryOut((step?.onResponse ?? .allow).plan, to: .response, give)
    }

    /// Hands a stream over where the answer is `fresh`, else none.
    package func answerBodyStream(_ give: @escaping @Sendable (_ isFresh: Bool) -> Void) {
        carryOut((step?.onBodyStream ?? .none).plan, to: .needBodyStream) { give($0 == .fresh) }
    }

    /// Says whether a response is stored.
    package func answerWillCache(_ give: @escaping @Sendable (_ isStored: Bool) -> Void) {
        carryOut([.answer(step?.onWillCache ?? .store)], to: .willCache) { give($0 == .store) }
    }

    /// Does the acts of a plan, with answers in the callback or later from another thread.
    func carryOut<Answer>(
        _ plan: [PlannedAct<Answer>], to question: EventName, of task: (any StepTask)? = nil,
        _ give: @escaping @Sendable (Answer) -> Void
    ) {
        for act in plan {
            switch act {
            case .cancel: cancel(task)
            case .unimplemented(let what): notes.unimplemented(what)
            case .answer(let answer):
                notes.answer(answer.word, to: question, after: step?.answerAfter) { give(answer) }
            }
        }
    }

    // MARK: What came of it

    /// A new response makes what came before it void (R26); what comes after the end changes nothing.
    package func received(response facts: EventFacts) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.response = facts
            state.body = KeptBody()
        }
    }

    /// Bytes after those before; what comes after the end changes nothing.
    package func received(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.body.append(bytes)
        }
    }

    /// All of the body at once: a finished file, or what a completion handler was given.
    package func received(whole body: KeptBody?, response: EventFacts?) {
        state.withLock { state in
            if let body { state.body = body }
            if let response { state.response = response }
        }
    }

    /// `ok` or the name of an error, with the response the task has in the end where no callback brought one.
    package func ended(with outcome: String, response: EventFacts?) {
        state.withLock { state in
            state.outcome = outcome
            if state.response == nil { state.response = response }
        }
    }

    /// What a download left behind, in its error or for who cancelled it.
    func keep(resumeData: Data) { state.withLock { $0.resumeData = resumeData } }

    /// nil where nothing was left behind.
    var resumeData: Data? { state.withLock { $0.resumeData } }

    /// Waits for the return of the callback that ends the step; false when the time was over first.
    ///
    /// Resume data that is due is waited for as well, no longer than `patience`.
    package func waitForEnd(before end: UInt64, resumeDataWithin patience: Duration = .seconds(600)) async -> Bool {
        let number = number
        let isOfHandler = family == .sessionHandler
        let event = await recorder.event(within: .left(until: end)) { event in
            guard event.task == number, event.phase == .exit else { return false }
            return isOfHandler
                ? event.lane == .handler && (event.name == .handler || event.name == .awaited)
                : event.lane == .task && event.name == .complete
        }
        guard event != nil else { return false }
        if state.withLock({ $0.isResumeDataDue }) {
            await notes.waitForResumeData(within: min(.left(until: end), patience))
        }
        return true
    }

    /// Writes `result`: without an error's name when there was none, or when there was no end.
    package func writeResult(hasEnded: Bool) {
        let state = state.withLock { $0 }
        var facts = (state.response ?? []).appending(state.body.facts)
        if let outcome = state.outcome, outcome != URLErrorName.success { facts.add(.error, outcome) }
        if !hasEnded { facts.add(.message, "the step did not end in its time") }
        notes.result(facts)
    }
}

extension CallbackFamily {
    /// Whether it belongs to tasks of URLSession.
    fileprivate var isOfSessions: Bool {
        switch self {
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream: true
        case .connection, .connectionDownload, .download, .urlProtocol, .proto: false
        }
    }
}
