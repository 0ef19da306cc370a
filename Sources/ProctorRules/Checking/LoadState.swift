package import ProctorEvents

/// How far a load is: the one model of its course, for the checker before each event and for grading after the last.
///
/// A load is one task, connection, download or URLProtocol object, with what the harness and the wire say of it.
/// In the checker each load has one, which only its ``LoadCheck`` changes; monitors look at it and keep no reference.
package final class LoadState {
    package let lane: LaneID
    /// The family, which is `urlProtocol` for all objects, whether lane `proto` or `protocolClient` is at hand.
    package internal(set) var family: CallbackFamily
    let platform: Platform
    /// The number of its lane.
    package var number: Int { lane.number }
    /// The task that an object works for, as its first event says.
    var task: Int?
    /// Events of the lane so far (not exits, not other lanes).
    var eventCount = 0
    /// The event before, in the lane.
    var previous: TraceEvent?
    /// Redirects so far.
    var redirectCount = 0
    /// Responses so far, and the status of the last.
    var responseCount = 0
    var lastStatus: Int?
    /// Whether nothing more is due: a terminal event came, the handler was called or the object is gone.
    var isOver = false
    /// The terminal event, once it came.
    var terminal: KeptEvent?
    /// The first call of the completion handler, or the return of the `await`.
    var handled: KeptEvent?
    /// Questions of the lane that the harness has not answered, oldest first; at most ``mostOpenQuestions``.
    var openQuestions: [TraceEvent] = []
    /// Whether the trace has any answers, without which nothing about questions can be judged.
    var seesAnswers = false
    /// Whether any event may be missing from the trace.
    var isPartial = false
    /// The harness resumed it, suspended it, cancelled it (task, session or by its answer).
    var isResumed = false
    var isSuspended = false
    var cancellation: KeptEvent?
    /// Whether the test itself cancelled it or its session, and not by an answer.
    private var isCancelledByTest = false
    /// Whether a redirect was answered with nil.
    private var hasRefused = false
    /// Whether any handler was called, also that of a cancel by producing resume data.
    private var isHandlerCalled = false
    /// The first `invalidate` of the session, of either kind.
    var invalidation: KeptEvent?
    /// Whether lane `harness` says anything of it, which a trace from elsewhere may lack.
    var seesHarness = false
    /// How the trace ended, known in `end`.
    var ending = TraceEnding.finished
    /// A watchdog ended the trace.
    var isHung: Bool { ending == .hung }
    /// What the loading system did to the object of a protocol.
    var isStarted = false
    var isStopped = false
    var isGone = false
    /// What the wire saw for this load.
    var wireRequestCount = 0
    var lastWireMethod: String?
    /// Whether it asked a proxy for a tunnel, through which a refusal can't be delivered (RFC 9110 §9.3.6).
    var hasTunnel: Bool { tunnelRequestCount > 0 }
    /// How many of its requests on the wire asked a proxy for a tunnel.
    var tunnelRequestCount = 0

    static let mostOpenQuestions = 16

    /// What the answer at hand closes; several monitors ask, and the next event forgets it.
    private struct Answered {
        let sequence: Int
        let index: Int?
    }
    private var answered: Answered?

    init(lane: LaneID, family: CallbackFamily, platform: Platform) {
        self.lane = lane
        self.family = family
        self.platform = platform
    }

    /// Whether an abandoned challenge of the load is followed by its 401 or 407: TLS has neither, and of a proxy
    /// only the wire shows that no tunnel was asked for.
    func deliversAbandoned(_ challenge: TraceEvent) -> Bool {
        !challenge.isOfTLS && (!challenge.isOfProxy || wireRequestCount > 0 && !hasTunnel)
    }

    /// The oldest open question of that kind.
    func openQuestion(_ name: EventName) -> TraceEvent? { openQuestions.first { $0.name == name } }

    /// The open question that an `answer` closes; nil when none is open, as after a second answer.
    func question(answeredBy answer: TraceEvent) -> TraceEvent? {
        if openQuestions.isEmpty { return nil }
        guard questionName(answeredBy: answer) != nil, let index = answered?.index else { return nil }
        return openQuestions[index]
    }

    /// The kind of that question, without a copy of it.
    func questionName(answeredBy answer: TraceEvent) -> EventName? {
        if openQuestions.isEmpty { return nil }
        if answered?.sequence != answer.sequence {
            answered = Answered(sequence: answer.sequence, index: indexOfQuestion(answeredBy: answer))
        }
        guard let index = answered?.index else { return nil }
        return openQuestions[index].name
    }

    /// Before another event is looked at.
    func forgetAnswer() { answered = nil }

    /// Answers that do not say to what close the oldest question.
    func indexOfQuestion(answeredBy answer: TraceEvent) -> Int? {
        guard !openQuestions.isEmpty else { return nil }
        guard let to = answer.facts.text(.to) else { return 0 }
        return openQuestions.firstIndex { $0.name.rawValue == to }
    }
}

extension LoadState {
    /// Goes on to the state after `event`; exits of callbacks change nothing.
    func take(_ event: TraceEvent) {
        guard event.phase == .enter else { return }
        switch event.lane {
        case .task, .protocolClient: takeLane(event)
        case .harness: takeHarness(event)
        case .wire:
            if event.name == .request {
                wireRequestCount += 1
                lastWireMethod = event.argument.map { String($0.utf8.prefix { $0 != 0x20 }) ?? "" }
                if lastWireMethod == "CONNECT" { tunnelRequestCount += 1 }
            }
        case .proto: takeObject(event)
        case .handler:
            isHandlerCalled = true
            // The handler of a cancel by producing resume data is not that of the task.
            if handled == nil, event.name == .handler || event.name == .awaited, !event.isOfResumeData {
                handled = KeptEvent(event)
                isOver = true
            }
        case .session: break
        }
    }

    private func takeLane(_ event: TraceEvent) {
        eventCount += 1
        previous = event
        if task == nil, event.lane == .protocolClient { task = event.task }
        switch event.name {
        case .data, .progress, .bodySent: return
        case .redirect: redirectCount += 1
        case .response:
            responseCount += 1
            lastStatus = event.argument.flatMap { Int($0) }
        case .challengeCancelled:
            if let open = openQuestions.firstIndex(where: { $0.name == .challenge }) { openQuestions.remove(at: open) }
        default: break
        }
        // A log that has answers to challenges need not have any to other questions.
        let isQuestion = family.questions.contains(event.name) && (!isPartial || event.name == .challenge)
        if isQuestion, openQuestions.count < Self.mostOpenQuestions {
            openQuestions.append(event)
        }
        if family.isEnded(by: event.name), terminal == nil {
            terminal = KeptEvent(event)
            isOver = true
        }
    }

    /// The first one counts.
    private func keepCancellation(_ event: TraceEvent) {
        if cancellation == nil { cancellation = KeptEvent(event) }
    }

    /// Whether it refuses a redirect of an NSURLDownload on a platform that cancels the download then (R5).
    private func cancelsDownload(_ answer: TraceEvent) -> Bool {
        family == .download && platform.refusedDownloadRedirect == .cancel && answer.refusesRedirect
    }

    private func takeObject(_ event: TraceEvent) {
        if task == nil { task = event.task }
        switch event.name {
        case .pStart: isStarted = true
        case .pStop:
            isStopped = true
            openQuestions.removeAll(keepingCapacity: true)
        case .pDeinit:
            isGone = true
            isOver = true
        default: break
        }
    }

    private func takeHarness(_ event: TraceEvent) {
        switch event.name {
        case .answer:
            seesAnswers = true
            if event.refusesRedirect { hasRefused = true }
            if let open = indexOfQuestion(answeredBy: event) { openQuestions.remove(at: open) }
            if event.argument == "cancel" || cancelsDownload(event) { keepCancellation(event) }
        case .resume:
            isResumed = true
            isSuspended = false
        case .suspend: isSuspended = true
        case .cancel:
            isCancelledByTest = true
            keepCancellation(event)
        case .invalidate:
            if invalidation == nil { invalidation = KeptEvent(event) }
            if event.cancelsSession {
                isCancelledByTest = true
                keepCancellation(event)
            }
        default: return
        }
        seesHarness = true
    }
}

/// What a load still owes when its trace is over.
extension LoadState {
    /// Whether the end had to come by now: the load was started or cancelled, and nothing of the test's held it up.
    ///
    /// After a crash nothing is due.
    var isEndDue: Bool {
        guard !isOver, ending != .cut else { return false }
        switch family {
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream:
            guard cancellation == nil else { return true }
            return isKnownToRun && !isSuspended && unansweredQuestion == nil
        // After a cancel of these nothing is due.
        case .connection, .connectionDownload, .download:
            return isKnownToRun && cancellation == nil && unansweredQuestion == nil
        // A stopped object is silent, and one whose redirect is followed may be.
        case .urlProtocol:
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

// MARK: After the last event

/// The tasks of a whole trace, as grading looks at them.
extension LoadState {
    /// Whether a trace says what was answered; one that says nothing has no open questions.
    package static func tellsAnswers(_ events: some Sequence<TraceEvent>) -> Bool {
        events.contains { $0.name == .answer }
    }

    /// The state of each task after its last event, by number; `tellsAnswers` as that function says, `isOfProtocol` as the trace does.
    package static func tasks(
        of events: some Sequence<TraceEvent>, tellsAnswers: Bool, isOfProtocol: Bool = false
    ) -> [LoadState] {
        var loads: [Int: LoadState] = [:]
        for event in events where event.lane != .wire && event.phase == .enter {
            if event.cancelsSession {
                for load in loads.values { load.isCancelledByTest = true }
            }
            guard event.belongsToTask(isOfProtocol: isOfProtocol) else { continue }
            let load =
                loads[event.task]
                ?? LoadState(
                    lane: LaneID(.task, event.task), family: event.family ?? .sessionData, platform: .neutral)
            loads[event.task] = load
            load.seesAnswers = tellsAnswers
            if event.lane != .harness, event.lane != .handler, let family = event.family { load.family = family }
            load.take(event)
        }
        return loads.values.sorted { $0.number < $1.number }
    }

    /// Questions that still wait for an answer, oldest first; the end alone withdraws what was asked (R11).
    package var waitingQuestions: [TraceEvent] { seesAnswers && terminal == nil ? openQuestions : [] }

    /// Whether its terminal event came, or a handler of it was called.
    package var hasEnded: Bool { terminal != nil || isHandlerCalled }

    /// Whether it was begun and no end came that must come (R39, R42, R45), whatever was left unanswered.
    package func owesItsEnd(on platform: Platform) -> Bool {
        guard !hasEnded, !isSuspended, isKnownToRun else { return false }
        switch family {
        // Legacy families owe nothing after a cancel.
        case .connection, .connectionDownload: return !isCancelledByTest
        case .download: return !isCancelledByTest && !isCancelledByRefusal(on: platform)
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream: return true
        // A protocol's end depends on its client (R51, R50): its rules decide.
        case .urlProtocol, .proto: return false
        }
    }

    /// Whether it is an NSURLDownload on a platform that cancels it when a redirect is refused (R5).
    package func isCancelledByRefusal(on platform: Platform) -> Bool {
        family == .download && hasRefused && platform.refusedDownloadRedirect == .cancel
    }
}

extension TraceEvent {
    /// Whether the test ended the session and all its loads with it.
    package var cancelsSession: Bool { lane == .harness && name == .invalidate && argument != "finish" }

    /// Whether its number is that of a task.
    package var belongsToTask: Bool {
        switch lane {
        case .task, .handler, .wire: true
        // The number of an invalidation is that of its session.
        case .harness: object == nil && name != .invalidate
        case .session, .proto, .protocolClient: false
        }
    }

    /// The same where there are no tasks: objects of a URLProtocol say for which step they work.
    package func belongsToTask(isOfProtocol: Bool) -> Bool {
        belongsToTask || isOfProtocol && (lane == .protocolClient || lane == .harness && name != .invalidate)
    }
}
