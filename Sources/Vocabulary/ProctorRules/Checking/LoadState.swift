package import ProctorEvents

/// The state of one load, for the checker before each event and for grading after the last.
///
/// A load is one task, connection, download or URLProtocol object, together with the acts of the harness and the
/// requests on the wire that belong to it. In the checker only its ``LoadCheck`` changes it; monitors keep no
/// reference.
package final class LoadState {
    package let lane: LaneID
    /// The family, which is `urlProtocol` for every object, whether its lane is `proto` or `protocolClient`.
    package internal(set) var family: CallbackFamily
    let platform: Platform
    package var number: Int { lane.number }
    /// The task that an object works for, from its first event.
    var task: Int?
    /// Events of the lane so far, without returns and other lanes.
    var eventCount = 0
    var previous: TraceEvent?
    var redirectCount = 0
    var responseCount = 0
    var lastStatus: Int?
    /// Whether no more events are due: a terminal event came, the handler was called, or the object was released.
    var isOver = false
    var terminal: KeptEvent?
    /// The first call of the completion handler, or the return of the `await`.
    var handled: KeptEvent?
    /// Questions of the lane that the harness has not answered, oldest first; at most ``mostOpenQuestions``.
    var openQuestions: [TraceEvent] = []
    /// Whether the trace has any answers; without answers nothing about questions can be judged.
    var seesAnswers = false
    var isPartial = false
    /// The events whose methods the delegate lacks, as the harness said when it resumed the load.
    var missingMethods: EventNameSet = []
    /// The harness resumed, suspended or cancelled the load (by task, by session, or by its answer).
    var isResumed = false
    var isSuspended = false
    var cancellation: KeptEvent?
    /// Whether the test cancelled the load or its session, other than by an answer.
    private var isCancelledByTest = false
    private var hasRefused = false
    /// Whether any handler was called, including that of a cancel by producing resume data.
    private var isHandlerCalled = false
    /// The first `invalidate` of the session, of either kind.
    var invalidation: KeptEvent?
    /// Whether lane `harness` has events of the load; a trace from elsewhere may have none.
    var seesHarness = false
    /// How the trace ended; set before `end`.
    var ending = TraceEnding.finished
    var isHung: Bool { ending == .hung }
    /// What the loading system did to the URLProtocol object.
    var isStarted = false
    var isStopped = false
    var isGone = false
    var wireRequestCount = 0
    var lastWireMethod: String?
    /// Whether the load asked a proxy for a tunnel, through which a refusal can't be delivered (RFC 9110 §9.3.6).
    var hasTunnel: Bool { tunnelRequestCount > 0 }
    /// How many of its requests on the wire asked a proxy for a tunnel.
    var tunnelRequestCount = 0

    static let mostOpenQuestions = 16

    /// The question that the current answer closes, cached because several monitors ask; the next event clears it.
    private struct Answered {
        let sequence: Int
        let index: Int?
    }
    private var answered: Answered?

    init(lane: LaneID, family: CallbackFamily, platform: Platform) {
        (self.lane, self.family, self.platform) = (lane, family, platform)
    }

    /// Whether the client delivers the 401 or 407 of an abandoned challenge: TLS has neither, and for a proxy only the
    /// wire shows that no tunnel was asked for.
    func deliversAbandoned(_ challenge: TraceEvent) -> Bool {
        !challenge.isOfTLS && (!challenge.isOfProxy || wireRequestCount > 0 && !hasTunnel)
    }

    func openQuestion(_ name: EventName) -> TraceEvent? { openQuestions.first { $0.name == name } }

    /// The open question that an `answer` closes; nil when none is open, as after a second answer.
    func question(answeredBy answer: TraceEvent) -> TraceEvent? {
        if openQuestions.isEmpty { return nil }
        guard questionName(answeredBy: answer) != nil, let index = answered?.index else { return nil }
        return openQuestions[index]
    }

    /// The kind of that question, without a copy of the event.
    func questionName(answeredBy answer: TraceEvent) -> EventName? {
        if openQuestions.isEmpty { return nil }
        if answered?.sequence != answer.sequence {
            answered = Answered(sequence: answer.sequence, index: indexOfQuestion(answeredBy: answer))
        }
        guard let index = answered?.index else { return nil }
        return openQuestions[index].name
    }

    /// Called before the next event.
    func forgetAnswer() { answered = nil }

    /// An answer without the fact `to` closes the oldest question.
    func indexOfQuestion(answeredBy answer: TraceEvent) -> Int? {
        guard !openQuestions.isEmpty else { return nil }
        guard let to = answer.facts.text(.to) else { return 0 }
        return openQuestions.firstIndex { $0.name.rawValue == to }
    }
}

extension LoadState {
    /// Changes the state by `event`; returns of callbacks change nothing.
    func apply(_ event: TraceEvent) {
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
            // The handler of a cancel by producing resume data is not the task's handler.
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
        case .data, .progress, .bodySent, .esEvent: return
        case .redirect: redirectCount += 1
        case .response:
            responseCount += 1
            lastStatus = event.argument.flatMap { Int($0) }
        case .challengeCancelled:
            if let open = openQuestions.firstIndex(where: { $0.name == .challenge }) { openQuestions.remove(at: open) }
        default: break
        }
        // A log with answers to challenges need not have any to other questions.
        let isQuestion = family.questions.contains(event.name) && (!isPartial || event.name == .challenge)
        if isQuestion, openQuestions.count < Self.mostOpenQuestions {
            openQuestions.append(event)
        }
        if family.isEnded(by: event), terminal == nil {
            terminal = KeptEvent(event)
            isOver = true
        }
    }

    /// Keeps the first cancellation only.
    private func keepCancellation(_ event: TraceEvent) {
        if cancellation == nil { cancellation = KeptEvent(event) }
    }

    /// Whether the answer refuses a redirect of an NSURLDownload on a platform that then cancels the download (R5).
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
            if let without = event.facts.text(.without) { missingMethods = .missing(without) }
            // What can't be told counts as told.
            if missingMethods.contains(.response), responseCount == 0 { responseCount = 1 }
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

/// What a load must still do when its trace is over.
extension LoadState {
    /// Whether the end is overdue: the load was started or cancelled, and the test did not hold it up.
    ///
    /// After a crash nothing is due.
    var isEndDue: Bool {
        guard !isOver, ending != .cut else { return false }
        switch family {
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream, .connectionSync,
            .connectionQueued, .sequence:
            guard cancellation == nil else { return true }
            return isKnownToRun && !isSuspended && unansweredQuestion == nil
        // After a cancel of these families nothing is due.
        case .connection, .connectionDownload, .download, .eventSource:
            return isKnownToRun && cancellation == nil && unansweredQuestion == nil
        // A stopped object is silent, and an object whose redirect is followed may be.
        case .urlProtocol:
            return (eventCount > 0 || isStarted && isHung) && !isStopped && cancellation == nil && redirectCount == 0
                && unansweredQuestion == nil
        case .proto: return false
        }
    }

    /// Without lane `harness` every lane that has begun counts as a running load.
    private var isKnownToRun: Bool {
        isResumed || eventCount > 1 || eventCount == 1 && previous?.name != .created
    }

    /// The question that the test left open (R53); nil when the trace does not report answers.
    var unansweredQuestion: TraceEvent? { seesAnswers ? openQuestions.first : nil }

    /// For messages: `; redirect(302) may be unanswered`, or empty.
    var openQuestionNote: String {
        guard let question = openQuestions.last, question.sequence == previous?.sequence else { return "" }
        return "; \(question.symbol) may never have been answered"
    }
}

// MARK: After the last event

extension LoadState {
    /// Whether the trace reports answers; in a trace without answers no question counts as open.
    package static func tellsAnswers(_ events: some Sequence<TraceEvent>) -> Bool {
        events.contains { $0.name == .answer }
    }

    /// The state of each task after its last event, by number.
    package static func tasks(
        of events: some Sequence<TraceEvent>, tellsAnswers: Bool, isOfProtocol: Bool = false
    ) -> [LoadState] {
        var loads: [Int: LoadState] = [:]
        /// The loads that began since a session was cancelled last.
        var uncancelled: [LoadState] = []
        for event in events where event.lane != .wire && event.phase == .enter {
            if event.cancelsSession {
                for load in uncancelled { load.isCancelledByTest = true }
                uncancelled.removeAll()
            }
            guard event.belongsToTask(isOfProtocol: isOfProtocol) else { continue }
            let load: LoadState
            if let known = loads[event.task] {
                load = known
            } else {
                load = LoadState(
                    lane: LaneID(.task, event.task), family: event.family ?? .sessionData, platform: .neutral)
                loads[event.task] = load
                uncancelled.append(load)
            }
            load.seesAnswers = tellsAnswers
            if event.lane != .harness, event.lane != .handler, let family = event.family { load.family = family }
            load.apply(event)
        }
        return loads.values.sorted { $0.number < $1.number }
    }

    /// Questions that still wait for an answer, oldest first; only the load's end withdraws a question (R11).
    package var waitingQuestions: [TraceEvent] { seesAnswers && terminal == nil ? openQuestions : [] }

    /// Whether its terminal event came, or one of its handlers was called.
    package var hasEnded: Bool { terminal != nil || isHandlerCalled }

    /// Whether the load began and its end, which must come, is missing (R39, R42, R45), also where an answer is
    /// missing.
    package func owesItsEnd(on platform: Platform) -> Bool {
        guard !hasEnded, !isSuspended, isKnownToRun else { return false }
        switch family {
        // The legacy families need not report an end after a cancel.
        case .connection, .connectionDownload, .eventSource: return !isCancelledByTest
        case .download: return !isCancelledByTest && !isCancelledByRefusal(on: platform)
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream, .connectionSync,
            .connectionQueued, .sequence:
            return true
        // The end of a URLProtocol load depends on its client (R51, R50): its own rules decide.
        case .urlProtocol, .proto: return false
        }
    }

    /// Whether it is an NSURLDownload on a platform that cancels it when a redirect is refused (R5).
    package func isCancelledByRefusal(on platform: Platform) -> Bool {
        family == .download && hasRefused && platform.refusedDownloadRedirect == .cancel
    }
}

extension TraceEvent {
    /// Whether the test ended the session together with all its loads.
    package var cancelsSession: Bool { lane == .harness && name == .invalidate && argument != "finish" }

    /// Whether the event's number is that of a task.
    package var belongsToTask: Bool {
        switch lane {
        case .task, .handler, .wire: true
        // The number of an invalidation is that of its session, and so may be that of a released delegate; a launch
        // is of no task.
        case .harness: object == nil && name != .invalidate && name != .delegateReleased && name != .launched
        case .session, .proto, .protocolClient: false
        }
    }

    /// As ``belongsToTask``, also for a trace without tasks, whose URLProtocol objects name the step.
    package func belongsToTask(isOfProtocol: Bool) -> Bool {
        belongsToTask || isOfProtocol && (lane == .protocolClient || lane == .harness && name != .invalidate)
    }
}

extension EventNameSet {
    /// The names of a fact `without`; unknown words are ignored.
    fileprivate static func missing(_ words: String) -> EventNameSet {
        var names = EventNameSet(words.split(separator: " ").compactMap { EventName(rawValue: String($0)) })
        // One method of the old families tells of both.
        if names.contains(.redirect) { names.insert(.canonicalize) }
        return names
    }
}
