internal import Dispatch
package import Foundation
internal import ProctorBase
package import ProctorEvents
package import ProctorProgram

/// The state of one task or step: its answers, the program's acts, and the result so far.
///
/// Any thread may call it. Each act is recorded before it is performed.
package final class StepRecord: Sendable {
    /// The step; nil: questions get the answers of a client without a delegate.
    package let step: Assignment.Step?
    /// The number in the trace, from 0.
    package let number: Int
    package let notes: StepNotes
    /// How much content the step has received, for a source that waits for it.
    package let arrived = ArrivedContent()
    private let sessionEnd: PlannedSessionEnd?
    /// The methods that the delegate lacks, which `resume` records.
    private let without: [DelegateMethod]
    private let state: Locked<State>

    private struct State {
        var task: (any StepTask)?
        var moments = MomentCounts()
        var redirects: AnswersInTurn<Assignment.RedirectAnswer>
        var challenges: AnswersInTurn<Assignment.ChallengeAnswer>
        /// The facts of the last response, for a `result`.
        var response: EventFacts?
        var body = KeptBody()
        /// The contents of stores after the end, for a `result`.
        var stored: EventFacts = []
        /// `ok` or the name of an error; nil before the end.
        var outcome: String?
        var resumeData: Data?
        var isResumeDataDue = false
        /// Further facts of the `result`.
        var fileFacts: EventFacts = []
        /// The fields behind the content; nil where the client tells of none.
        var trailers: [(name: String, value: String)]?
        /// Whether the task is suspended until another step ends, and whether that is over.
        var isHeld = false
        var mayGoOn = false
        /// The path of a file that exists only during a callback; nil when there was none.
        var temporaryFile: String?
        /// The family of later callbacks: a data task can become another kind (R29).
        var family: CallbackFamily
    }

    /// `family` is that of the task at its beginning; without `challengeAnswers`, the program's are used.
    package init(
        _ step: Assignment.Step?, number: Int, family: CallbackFamily, recordingTo recorder: TraceRecorder,
        challengeAnswers: [Assignment.ChallengeAnswer]? = nil, sessionEnd: PlannedSessionEnd? = nil,
        without: [DelegateMethod] = []
    ) {
        (self.step, self.number, self.sessionEnd, self.without) = (step, number, sessionEnd, without)
        notes = StepNotes(number, recorder: recorder, family: family.isOfSessions ? nil : family)
        state = Locked(
            State(
                redirects: AnswersInTurn(step?.onRedirect ?? []),
                challenges: AnswersInTurn(challengeAnswers ?? step?.onChallenge ?? []), family: family))
    }

    package var recorder: TraceRecorder { notes.recorder }

    /// The names of header fields that the program looks up, in its spelling.
    package var fieldNames: [String] { step?.fieldNames ?? [] }

    package var family: CallbackFamily { state.withLock { $0.family } }

    // MARK: Callbacks

    /// One call of a delegate method; ends with ``returns()``.
    package struct Callback: Sendable {
        fileprivate let recorded: RecordedCallback
        /// Whether the program cancelled in this callback, which then has no answer.
        package let isCancelled: Bool

        package func returns() { recorded.returns() }
    }

    /// Records the beginning of a callback, and runs the program's acts in it.
    ///
    /// `method` is the selector or Swift name of ``MethodName`` (fact `sel`); `who` is `session` or `task` in families
    /// with such delegates; `queue` is nil when the callback is on no queue. The acts apply to `task`, or to the task
    /// that was started.
    package func enter(
        _ name: EventName, _ detail: EventDetail, lane: Lane = .task, queue: String?, method: String,
        who: String? = nil, of task: (any StepTask)? = nil
    ) -> Callback {
        var origin: EventFacts = []
        origin.add(.who, who)
        origin.add(.sel, method)
        let recorded = RecordedCallback(
            TraceEvent(
                lane: lane, task: number, name: name, argument: detail.argument, queue: queue, family: family,
                facts: detail.facts.appending(origin)),
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

    /// Releases the task, and with it the objects that own this record.
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
        facts.add(.sel, task?.method)
        if !without.isEmpty { facts.add(.without, without.map(\.rawValue).joined(separator: " ")) }
        notes.record(.resume, facts)
        task?.resume()
    }

    /// Suspends the task, and resumes it after the program's time, or at the end of another step.
    private func suspend(_ given: (any StepTask)?) {
        let task = given ?? started
        guard task?.canBeSuspended != false else { return }
        notes.record(.suspend)
        task?.suspend()
        if step?.suspendUntil != nil {
            let mayGoOn = state.withLock { state in
                state.isHeld = true
                return state.mayGoOn
            }
            if mayGoOn { resume(given) }
            return
        }
        let wait = DispatchTimeInterval.milliseconds(step?.suspendFor ?? 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { self.resume(given) }
    }

    /// Records `cancel` and cancels the given task, or the one that was started; with resume data when the program asks
    /// for it.
    package func cancel(_ task: (any StepTask)? = nil) {
        let task = task ?? started
        guard step?.producesResumeData == true, task?.canLeaveResumeData != false else {
            notes.record(.cancel)
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

    /// Answers a redirect; nil refuses it, and `change` makes another request.
    package func answerRedirect<Request: Sendable>(
        proposed: Request, of task: (any StepTask)? = nil,
        change: (_ method: String?, _ url: String?, _ headers: [[String]]) -> Request?,
        _ give: @escaping @Sendable (Request?) -> Void
    ) {
        let answer = state.withLock { $0.redirects.nextAnswer() } ?? .follow
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

    /// Answers the canonical form of a request; nil refuses it, and `change` makes another request.
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

    /// Answers a challenge; false when the program has no answers, and nothing is recorded.
    package func answerChallenge(
        of task: (any StepTask)? = nil, plan: (Assignment.ChallengeAnswer) -> [PlannedAct<Assignment.ChallengeAnswer>],
        _ give: @escaping @Sendable (Assignment.ChallengeAnswer) -> Void
    ) -> Bool {
        guard let answer = state.withLock({ $0.challenges.nextAnswer() }) else { return false }
        carryOut(plan(answer), to: .challenge, of: task, give)
        return true
    }

    /// Answers a response; without a program, the load continues.
    package func answerResponse(_ give: @escaping @Sendable (Assignment.ResponseAnswer) -> Void) {
        carryOut((step?.onResponse ?? .allow).plan, to: .response, give)
    }

    /// Gives a new stream when the answer is `fresh`, else none.
    package func answerBodyStream(_ give: @escaping @Sendable (_ isFresh: Bool) -> Void) {
        carryOut((step?.onBodyStream ?? .none).plan, to: .needBodyStream) { give($0 == .fresh) }
    }

    package func answerWillCache(_ give: @escaping @Sendable (Assignment.WillCacheAnswer) -> Void) {
        carryOut([.answer(step?.onWillCache ?? .store)], to: .willCache, give)
    }

    /// Performs the acts of a plan, with answers inside the callback or later on another thread.
    func carryOut<Answer>(
        _ plan: [PlannedAct<Answer>], to question: EventName, of task: (any StepTask)? = nil,
        _ give: @escaping @Sendable (Answer) -> Void
    ) {
        for act in plan {
            switch act {
            case .cancel: cancel(task)
            case .unimplemented(let what): notes.unimplemented(what)
            case .answer(let answer):
                notes.giveAnswer(answer.word, to: question, after: step?.answerAfter) { give(answer) }
            }
        }
    }

    // MARK: The result

    /// A new response replaces the content so far (R26); calls after the end are ignored.
    package func receivedResponse(_ facts: EventFacts) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.response = facts
            state.body = KeptBody()
        }
    }

    /// Adds content; ignored after the end.
    package func received(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.body.append(bytes)
        }
        arrived.add(bytes.count)
    }

    /// Sets the fields behind the content, empty where there were none; without a call nothing is told of them.
    package func keepTrailers(_ trailers: [(name: String, value: String)]) { state.withLock { $0.trailers = trailers } }

    /// Sets the whole body: that of a finished file, or of a completion handler.
    package func receivedWhole(_ body: KeptBody?, response: EventFacts?) {
        state.withLock { state in
            if let body { state.body = body }
            if let response { state.response = response }
        }
    }

    /// Sets `ok` or the name of an error, and the task's response when no callback had one.
    package func ended(with outcome: String?, response: EventFacts?) {
        state.withLock { state in
            state.outcome = outcome
            if state.response == nil { state.response = response }
        }
    }

    /// Sets the contents of the session's stores, for the result.
    package func recordStores(_ facts: EventFacts) { state.withLock { $0.stored = facts } }

    /// Adds facts about a download's file, or about a WebSocket, to the `result`.
    package func addFacts(file facts: EventFacts) { state.withLock { $0.fileFacts = $0.fileFacts.appending(facts) } }

    /// Sets the file that the client provides for the time of a callback; the `result` says whether it still exists.
    package func receivedFile(at path: String) { state.withLock { $0.temporaryFile = path } }

    /// Stores the resume data of a failed or cancelled download.
    package func store(resumeData: Data) { state.withLock { $0.resumeData = resumeData } }

    /// The resume data; nil when there is none.
    package var resumeData: Data? { state.withLock { $0.resumeData } }

    /// Sets what the stores hold, records `result`, and releases the task with the objects that own this record.
    package func finish(hasEnded: Bool, stored: EventFacts) -> AssignmentEnding {
        recordStores(stored)
        writeResult(hasEnded: hasEnded)
        release()
        return hasEnded ? .finished : .outOfTime
    }

    /// Records why the step can't be done.
    package func refuse(_ reason: String) -> AssignmentEnding {
        notes.unimplemented(reason)
        return .unimplemented
    }

    /// Waits for the return of the step's last callback; false when the time was over first.
    ///
    /// It also waits for expected resume data, at most `patience`.
    package func waitForEnd(before end: UInt64, resumeDataWithin patience: Duration = .seconds(600)) async -> Bool {
        let number = number
        let isOfHandler = family.endsInHandler
        let hasEnded = await withTaskGroup(of: Void.self, returning: Bool.self) { group in
            if let other = step?.cancelAfter {
                group.addTask { if await self.recorder.waitForEnd(ofStep: other, before: end) { self.cancel() } }
            }
            if let other = step?.suspendUntil {
                group.addTask { if await self.recorder.waitForEnd(ofStep: other, before: end) { self.goOn() } }
            }
            defer { group.cancelAll() }
            return await recorder.event(of: number, within: .left(until: end)) { event in
                guard event.phase == .exit else { return false }
                return isOfHandler
                    ? event.lane == .handler && (event.name == .handler || event.name == .awaited)
                    : event.lane == .task && event.name == .complete
            } != nil
        }
        arrived.finish()
        guard hasEnded else { return false }
        if state.withLock({ $0.isResumeDataDue }) {
            await notes.waitForResumeData(within: min(.left(until: end), patience))
        }
        return true
    }

    /// Resumes a task that waits for the end of another step, now or when it is suspended.
    private func goOn() {
        let isHeld = state.withLock { state in
            state.mayGoOn = true
            return state.isHeld
        }
        if isHeld { resume(nil) }
    }

    /// Records `result`; it has no error name after a success, or when the step did not end.
    package func writeResult(hasEnded: Bool) {
        let state = state.withLock { $0 }
        // A WebSocket has messages in place of a body.
        let body = state.family == .webSocket ? [] : state.body.facts
        var facts = (state.response ?? []).appending(body).appending(state.fileFacts)
        if let outcome = state.outcome, outcome != URLErrorName.success { facts.add(.error, outcome) }
        facts = facts.appending(state.stored)
        if let trailers = state.trailers {
            facts.addFields(step?.trailerNames ?? [], as: .trailer) { name in
                let values = trailers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
                return values.isEmpty ? nil : values.joined(separator: ", ")
            }
        }
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
        case .connection, .connectionSync, .connectionQueued, .connectionDownload, .download, .urlProtocol, .proto,
            .eventSource, .sequence:
            false
        }
    }
}

/// Records the acts of the test in one step, each before it is performed.
package struct StepNotes: Sendable {
    package let recorder: TraceRecorder
    /// The `task` in its events.
    package let number: Int
    /// nil for families of URLSession; the family of others is recorded, since a load that is cancelled at once has no
    /// other event that names it.
    private let family: CallbackFamily?

    package init(_ number: Int, recorder: TraceRecorder, family: CallbackFamily? = nil) {
        (self.recorder, self.number, self.family) = (recorder, number, family)
    }

    private func write(_ name: EventName, _ argument: String? = nil, facts: EventFacts = []) {
        recorder.record(
            TraceEvent(lane: .harness, task: number, name: name, argument: argument, family: family, facts: facts))
    }

    package func record(_ name: EventName, _ facts: EventFacts = []) { write(name, facts: facts) }

    /// Records where the callbacks of the next load must run: on the queue with that label, else on the calling thread.
    ///
    /// `kind` is the word of a program's schedule, `mode` the mode of a run loop.
    package func schedule(_ kind: String, at queue: String? = nil, mode: String? = nil) {
        var facts: EventFacts = []
        facts.add(.place, queue)
        facts.add(.mode, mode)
        write(.schedule, kind, facts: facts)
    }

    /// Records that the run loop of the calling thread runs in that mode from now on.
    package func mode(_ mode: String) { write(.mode, mode) }

    /// Records an answer that follows at once, or that a user's delegate gives.
    package func recordAnswer(_ word: String, to question: EventName) {
        write(.answer, word, facts: [EventFact(.to, .text(question.rawValue))])
    }

    /// Answers now, or after this number of milliseconds on another thread.
    package func giveAnswer(
        _ word: String, to question: EventName, after delay: Int?, _ give: @escaping @Sendable () -> Void
    ) {
        guard let delay else {
            recordAnswer(word, to: question)
            return give()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
            recordAnswer(word, to: question)
            give()
        }
    }

    /// Records that the step needs something that this client or recorder lacks.
    package func unimplemented(_ what: String) { write(.unimplemented, what) }

    package func result(_ facts: EventFacts) { write(.result, facts: facts) }

    // MARK: Resume data

    private static let method: EventFacts = [EventFact(.sel, .text("cancel(byProducingResumeData:)"))]

    /// Records `cancel` with the method that produces resume data.
    package func cancelProducingResumeData() { record(.cancel, Self.method) }

    /// Records the call of that method's handler: the size of its resume data in bytes, nil without any.
    package func resumeData(byteCount: Int?) {
        recorder.record(
            TraceEvent(
                lane: .handler, task: number, name: .handler, argument: byteCount == nil ? "unknown" : "ok",
                facts: Self.method.appending([EventFact(.bytes, .integer(byteCount ?? 0))])))
    }

    /// Waits for ``resumeData(byteCount:)`` until the time is over.
    package func waitForResumeData(within limit: Duration) async {
        let number = number
        _ = await recorder.event(of: number, within: limit) {
            $0.lane == .handler && $0.facts.text(.sel) == Self.method.text(.sel)
        }
    }
}
