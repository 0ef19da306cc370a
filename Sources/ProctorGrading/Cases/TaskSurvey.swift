import ProctorTrace

/// How far each task of a trace came: whether it began, whether it ended, what it still waits for.
struct TaskSurvey {
    let number: Int
    private(set) var family: CallbackFamily
    private(set) var isResumed = false
    private(set) var isSuspended = false
    private(set) var isCancelled = false
    /// Whether a redirect was answered with nil.
    private(set) var hasRefused = false
    private(set) var hasEnded = false
    /// What a delegate was told beyond `created`, or the end of a handler.
    private(set) var callbackCount = 0
    /// Not answered so far, oldest first.
    private(set) var openQuestions: [TraceEvent] = []

    private init(number: Int, family: CallbackFamily) {
        self.number = number
        self.family = family
    }

    /// Whether a trace says what was answered; one that says nothing has no open questions.
    static func tellsAnswers(_ events: some Sequence<TraceEvent>) -> Bool {
        events.contains { $0.name == .answer }
    }

    /// One for each task, by number; `tellsAnswers` as that function says, `isOfProtocol` as the trace does.
    static func tasks(
        of events: some Sequence<TraceEvent>, tellsAnswers: Bool, isOfProtocol: Bool = false
    ) -> [TaskSurvey] {
        var surveys: [Int: TaskSurvey] = [:]
        for event in events where event.lane != .wire && event.phase == .enter {
            if event.cancelsSession {
                for number in surveys.keys { surveys[number]?.isCancelled = true }
            }
            guard event.belongsToTask(isOfProtocol: isOfProtocol) else { continue }
            surveys[event.task, default: TaskSurvey(number: event.task, family: event.family ?? .US)]
                .take(event, tellsAnswers: tellsAnswers)
        }
        return surveys.values.sorted { $0.number < $1.number }
    }

    private mutating func take(_ event: TraceEvent, tellsAnswers: Bool) {
        switch event.lane {
        case .harness: takeHarness(event)
        case .handler:
            callbackCount += 1
            hasEnded = true
        default:
            if event.name != .created { callbackCount += 1 }
            if let family = event.family { self.family = family }
            if family.questions.contains(event.name), tellsAnswers { openQuestions.append(event) }
            if family.isEnded(by: event.name) {
                hasEnded = true
                // The end alone withdraws what was asked (R11).
                openQuestions = []
            }
        }
    }

    private mutating func takeHarness(_ event: TraceEvent) {
        switch event.name {
        case .resume:
            isResumed = true
            isSuspended = false
        case .suspend: isSuspended = true
        case .cancel: isCancelled = true
        case .answer:
            if event.refusesRedirect { hasRefused = true }
            let to = event.facts.text(.to)
            if let index = openQuestions.firstIndex(where: { to == nil || $0.name.rawValue == to }) {
                openQuestions.remove(at: index)
            }
        default: break
        }
    }

    /// Whether it was begun and no end came that must come (R39, R42, R45).
    ///
    /// A task that was told more than that it exists was resumed, whether or not anybody wrote that down.
    func owesItsEnd(on platform: Platform) -> Bool {
        guard !hasEnded, !isSuspended, isResumed || callbackCount > 0 else { return false }
        switch family {
        // Legacy families owe nothing after a cancel.
        case .UC, .CD: return !isCancelled
        case .DL: return !isCancelled && !isCancelledByRefusal(on: platform)
        case .US, .UD, .HT, .BG, .WS, .ST: return true
        // A protocol's end depends on its client (R51, R50): its rules decide.
        case .PC, .proto: return false
        }
    }

    /// Whether it is an NSURLDownload on a platform that cancels it when a redirect is refused (R5).
    func isCancelledByRefusal(on platform: Platform) -> Bool {
        family == .DL && hasRefused && platform.refusedDownloadRedirect == .cancel
    }

    /// `redirect(302) (event 3)`, or nothing.
    var openQuestionText: String? {
        guard !openQuestions.isEmpty else { return nil }
        return openQuestions.prefix(5).map { "\(EventText.of($0)), event \($0.sequence)" }.joined(separator: "; ")
    }
}

extension TraceEvent {
    /// Whether the test ended the session and all its loads with it.
    var cancelsSession: Bool { lane == .harness && name == .invalidate && argument != "finish" }
}
