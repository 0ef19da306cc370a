import ProctorEvents

extension Rules {
    static let r54 = Rule(
        54, title: "tasks with a completion handler",
        statement: """
            One call of the handler, or one return of await, stands for response, data, progress, fileReady and \
            complete, of which delegates hear nothing. Of challenges, redirects, body streams and metrics they hear \
            as ever.
            """,
        source: "NSURLSession.h; beyond response, data and challenges our conclusion", confidence: .documented,
        families: [.sessionHandler],
        monitors: [.load(R54HandlerTask.self)],
        limits: """
            What a delegate of the task itself is told is an observation. A handler that was never called is \
            reported only for tasks that were resumed, in a trace that has ended
            """,
        legal: "redirect(302) challenge(basic)  # then handler(ok)",
        illegal: "response(200) data  # then handler(ok)")
}

struct R54HandlerTask: EndRuleMonitor {
    static let interests: EventNameSet = [
        .response, .data, .progress, .fileReady, .complete, .becameDownload, .becameStream, .downloadResumed, .handler,
        .awaited,
    ]

    private var isHandled = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.lane == .handler else {
            return Breach(
                "\(event.symbol) went to a delegate; the task has a completion handler in its place",
                // The documentation does not say whether the task's own delegate gets these events.
                isInferred: event.facts.text(.who) == "task")
        }
        // The handler of a cancel by producing resume data is another one.
        guard !event.isOfResumeData else { return nil }
        defer { isHandled = true }
        return isHandled ? Breach("\(event.symbol) comes a second time") : nil
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard !isHandled, !load.isHung, load.isResumed, load.isEndDue else { return nil }
        return Breach("the completion handler was never called\(load.openQuestionNote)")
    }
}
