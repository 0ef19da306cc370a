internal import Dispatch
internal import Foundation
internal import ProctorBase
package import ProctorEvents
package import ProctorProgram

/// The state of one task or step: its answers, the program's acts, and the result so far.
///
/// Any thread may call it. It records everything before it does it.
package final class StepRecord: Sendable {
    /// nil: questions get the answers of a client without a delegate.
    package let step: Assignment.Step?
    /// In the trace, from 0.
    package let number: Int
    package let notes: StepNotes
    private let sessionEnd: PlannedSessionEnd?
    /// What the delegate lacks, for `resume`.
    private let without: [DelegateMethod]
    private let state: Locked<State>

    private struct State {
        var task: (any StepTask)?
        var moments = MomentCounts()
        var redirects: AnswersInTurn<Assignment.RedirectAnswer>
        var challenges: AnswersInTurn<Assignment.ChallengeAnswer>
        /// The facts of the last response for a `result`.
        var response: EventFacts?
        var body = KeptBody()
        /// What stores had after the end, for a `result`.
        var stored: EventFacts = []
        /// `ok` or the name of an error; nil before the end.
        var outcome: String?
        var resumeData: Data?
        var isResumeDataDue = false
        /// Further facts of the `result`.
        var fileFacts: EventFacts = []
        /// The path of a file that only a callback has; nil where there was none.
        var temporaryFile: String?
        /// Of later callbacks: a data task can become another kind (R29).
        var family: CallbackFamily
    }

    /// `family` is that of the task at its beginning; `challengeAnswers` nil stands for the program's.
    package init(
        _ step: Assignment.Step?, number: Int, family: CallbackFamily, recordingTo recorder: TraceRecorder,
        challengeAnswers: [Assignment.ChallengeAnswer]? = nil, sessionEnd: PlannedSessionEnd? = nil,
        without: [DelegateMethod] = []
    ) {
        self.step = step
        self.number = number
        self.sessionEnd = sessionEnd
        self.without = without
        notes = StepNotes(number, recorder: recorder, family: family.isOfSessions ? nil : family)
        state = Locked(
            State(
                redirects: AnswersInTurn(step?.onRedirect ?? []),
                challenges: AnswersInTurn(challengeAnswers ?? step?.onChallenge ?? []), family: family))
    }

    package var recorder: TraceRecorder { notes.recorder }

    /// The header fields that the program asks for, as it spells them.
    package var fieldNames: [String] { step?.fieldNames ?? [] }

    package var family: CallbackFamily { state.withLock { $0.family } }

    // MARK: Callbacks

    /// One call of a delegate method; ends with ``returns()``.
    package struct Callback: Sendable {
        fileprivate let recorded: RecordedCallback
        /// Whether the program cancelled in this callback, which then gives no answer.
        package let isCancelled: Bool

        package func returns() { recorded.returns() }
    }

    /// Records the beginning of a callback and runs the program's acts in it.
    ///
    /// `method` is the selector or Swift name of ``MethodName`` (fact `sel`), `who` is `session` or `task` in families
    /// with such delegates; `queue` is nil off any queue. The acts apply to `task`, or to the task that was started.
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

    /// Runs the program's acts in the callback of an event; true when it cancelled.
    private func act(on event: EventName, _ task: (any StepTask)?) -> Bool {
        let isNow = state.withLock { $0.moments.count(event) }
        if let sessionEnd, isNow(sessionEnd.moment) { sessionEnd.end() }
        if isNow(step?.suspendAt) { suspend(task) }
        guard isNow(step?.cancelAt) else { return false }
        cancel(task)
        return true
    }

    // MARK: Acts

    /// Resumes the task, with the program's acts just before and after; call it once.
    package func start(_ task: any StepTask) {
        state.withLock { $0.task = task }
        act(at: .beforeResume)
        resume(task)
        act(at: .afterResume)
        recorder.startedSteps.add(number)
    }

    /// Releases the task, and with it the objects that hold this record.
    package func release() { state.withLock { $0.task = nil } }

    private func act(at moment: Assignment.Moment) {
        if sessionEnd?.moment == moment { sessionEnd?.end() }
        if step?.suspendAt == moment { suspend(nil) }
        if step?.cancelAt == moment { cancel(nil) }
    }

    private var started: (any StepTask)? { state.withLock { $0.task } }

    func resume(_ task: (any StepTask)?) {
        let task = task ?? started
        var facts: EventFacts = []
        if task?.hasDelegate == true { facts.add(.who, "task") }
        if !without.isEmpty { facts.add(.without, without.map(\.rawValue).joined(separator: " ")) }
        notes.note(.resume, facts)
        task?.resume()
    }

    /// Suspends, and resumes after the program's time.
    private func suspend(_ given: (any StepTask)?) {
        let task = given ?? started
        guard task?.canBeSuspended != false else { return }
        notes.note(.suspend)
        task?.suspend()
        let wait = DispatchTimeInterval.milliseconds(step?.suspendFor ?? 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { self.resume(given) }
    }

    /// Records `cancel` and cancels the given task, or the one that was started; with resume data where the program
    /// asks for it.
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

    /// Answers a redirect; nil refuses, and `change` makes the request that is sent instead.
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

    /// Answers the canonical form of a request; nil refuses, and `change` makes the request that is sent instead.
    package func answerCanonicalForm<Request: Sendable>(
        of proposed: Request,
        change: (_ method: String?, _ url: String?, _ headers: [[String]]) -> Request?,
        _ give: @escaping @Sendable (Request?) -> Void
    ) {
        let answer = step?.onCanonicalize ?? .accept
        var changed: Request?
        if case .change(let method, let url, let headers) = answer {
            changed = change(method, url, headers)
            guard changed != nil else {
                let reason = "onCanonicalize: '\(url ?? "")' is no URL this client can make"
                let plan: [PlannedAct<Assignment.CanonicalAnswer>] = [.unimplemented(reason), .answer(.refuse)]
                return carryOut(plan, to: .canonicalize) { _ in give(nil) }
            }
        }
        carryOut([.answer(answer)], to: .canonicalize) { [changed] answer in
            switch answer {
            case .accept: give(proposed)
            case .refuse: give(nil)
            case .change: give(changed)
            }
        }
    }

    /// Answers a challenge; false where the program has no answers: then nothing is recorded.
    package func answerChallenge(
        of task: (any StepTask)? = nil, plan: (Assignment.ChallengeAnswer) -> [PlannedAct<Assignment.ChallengeAnswer>],
        _ give: @escaping @Sendable (Assignment.ChallengeAnswer) -> Void
    ) -> Bool {
        guard let answer = state.withLock({ $0.challenges.take() }) else { return false }
        carryOut(plan(answer), to: .challenge, of: task, give)
        return true
    }

    /// Answers a response; without a program it is allowed.
    package func answerResponse(_ give: @escaping @Sendable (Assignment.ResponseAnswer) -> Void) {
        carryOut((step?.onResponse ?? .allow).plan, to: .response, give)
    }

    /// Passes a stream where the answer is `fresh`, else none.
    package func answerBodyStream(_ give: @escaping @Sendable (_ isFresh: Bool) -> Void) {
        carryOut((step?.onBodyStream ?? .none).plan, to: .needBodyStream) { give($0 == .fresh) }
    }

    package func answerWillCache(_ give: @escaping @Sendable (Assignment.WillCacheAnswer) -> Void) {
        carryOut([.answer(step?.onWillCache ?? .store)], to: .willCache, give)
    }

    /// Runs the acts of a plan, with answers in the callback or later on another thread.
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

    /// A new response replaces the content so far (R26); calls after the end are ignored.
    package func received(response facts: EventFacts) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.response = facts
            state.body = KeptBody()
        }
    }

    /// Ignored after the end.
    package func received(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.body.append(bytes)
        }
    }

    /// The whole body: of a finished file, or of a completion handler.
    package func received(whole body: KeptBody?, response: EventFacts?) {
        state.withLock { state in
            if let body { state.body = body }
            if let response { state.response = response }
        }
    }

    /// `ok` or the name of an error, with the task's response where no callback brought one.
    package func ended(with outcome: String, response: EventFacts?) {
        state.withLock { state in
            state.outcome = outcome
            if state.response == nil { state.response = response }
        }
    }

    /// What was found in stores of the session, for the result.
    package func found(_ facts: EventFacts) { state.withLock { $0.stored = facts } }

    /// Adds facts about a download's file to the `result`.
    package func note(file facts: EventFacts) { state.withLock { $0.fileFacts = $0.fileFacts.appending(facts) } }

    /// A file that the client gives for the time of a callback; the `result` says whether it stayed.
    package func received(temporaryFile path: String) { state.withLock { $0.temporaryFile = path } }

    /// Resume data of a failed or cancelled download.
    func keep(resumeData: Data) { state.withLock { $0.resumeData = resumeData } }

    /// nil where there is none.
    var resumeData: Data? { state.withLock { $0.resumeData } }

    /// Waits for the return of the step's last callback; false when the time was over first.
    ///
    /// It also waits for expected resume data, at most `patience`.
    package func waitForEnd(before end: UInt64, resumeDataWithin patience: Duration = .seconds(600)) async -> Bool {
        let number = number
        let isOfHandler = family.endsInHandler
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

    /// Records `result`; it has no error name after a success, or when there was no end.
    package func writeResult(hasEnded: Bool) {
        let state = state.withLock { $0 }
        var facts = (state.response ?? []).appending(state.body.facts).appending(state.fileFacts)
        if let outcome = state.outcome, outcome != URLErrorName.success { facts.add(.error, outcome) }
        facts = facts.appending(state.stored)
        if let path = state.temporaryFile {
            facts.append(EventFact(.temporaryFileExists, .flag(FileManager.default.fileExists(atPath: path))))
        }
        if !hasEnded { facts.add(.message, "the step did not end in its time") }
        notes.result(facts)
    }
}

extension CallbackFamily {
    fileprivate var isOfSessions: Bool {
        switch self {
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream: true
        case .connection, .connectionSync, .connectionQueued, .connectionDownload, .download, .urlProtocol, .proto:
            false
        }
    }
}

/// The acts of the harness in one step, each recorded before it happens.
package struct StepNotes: Sendable {
    package let recorder: TraceRecorder
    /// The `task` of its events.
    package let number: Int
    /// nil outside the families of URLSession: an immediately cancelled load has no other event that names its family.
    private let family: CallbackFamily?

    package init(_ number: Int, recorder: TraceRecorder, family: CallbackFamily? = nil) {
        self.recorder = recorder
        self.number = number
        self.family = family
    }

    private func write(_ name: EventName, _ argument: String? = nil, facts: EventFacts = []) {
        recorder.record(
            TraceEvent(lane: .harness, task: number, name: name, argument: argument, family: family, facts: facts))
    }

    package func note(_ name: EventName, _ facts: EventFacts = []) { write(name, facts: facts) }

    /// Where the callbacks of the next load must come: on the queue of that label, else on the calling thread.
    ///
    /// `kind` is the word of a program's schedule, `mode` the mode of a run loop.
    package func schedule(_ kind: String, at queue: String? = nil, mode: String? = nil) {
        var facts: EventFacts = []
        facts.add(.place, queue)
        facts.add(.mode, mode)
        write(.schedule, kind, facts: facts)
    }

    /// The run loop of the calling thread runs in that mode from now on.
    package func mode(_ mode: String) { write(.mode, mode) }

    /// An answer that follows at once, or that a user's delegate gives.
    package func note(_ word: String, to question: EventName) {
        write(.answer, word, facts: [EventFact(.to, .text(question.rawValue))])
    }

    /// Answers now, or after so many milliseconds on another thread.
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

    /// The step needs something that this client or recorder lacks.
    package func unimplemented(_ what: String) { write(.unimplemented, what) }

    package func result(_ facts: EventFacts) { write(.result, facts: facts) }

    // MARK: Resume data

    private static let method: EventFacts = [EventFact(.sel, .text("cancel(byProducingResumeData:)"))]

    /// `cancel`, with the method that leaves resume data.
    package func cancelProducingResumeData() { note(.cancel, Self.method) }

    /// `handler`, for that method: the size of its resume data in bytes, nil when there was none.
    package func resumeData(byteCount: Int?) {
        recorder.record(
            TraceEvent(
                lane: .handler, task: number, name: .handler, argument: byteCount == nil ? "unknown" : "ok",
                facts: Self.method.appending([EventFact(.bytes, .integer(byteCount ?? 0))])))
    }

    /// Waits for ``resumeData(byteCount:)`` until the time is over.
    package func waitForResumeData(within limit: Duration) async {
        let number = number
        _ = await recorder.event(within: limit) {
            $0.task == number && $0.lane == .handler && $0.facts.text(.sel) == Self.method.text(.sel)
        }
    }
}
