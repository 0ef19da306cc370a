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
            what a delegate given to the task itself is told is an observation; a handler that was never called \
            is told of finished traces of resumed tasks
            """,
        legal: "redirect(302) challenge(basic)  # then handler(ok)",
        illegal: "response(200) data  # then handler(ok)")
}

struct R54HandlerTask: EndRuleMonitor, ReportsOnce {
    static var rule: Rule { Rules.r54 }
    static let interests: EventNameSet = [
        .response, .data, .progress, .fileReady, .complete, .becameDownload, .becameStream, .downloadResumed, .handler,
        .awaited,
    ]

    private var isHandled = false
    var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.lane == .handler {
            // The handler of a cancel by producing resume data is another one.
            guard !event.isOfResumeData else { return }
            if isHandled { report("\(event.symbol) comes a second time", event, in: load, into: &hits) }
            isHandled = true
        } else {
            report(
                "\(event.symbol) went to a delegate; the task has a completion handler in its place", event, in: load,
                into: &hits,
                // Whether a delegate given to the task itself gets them is not written down.
                isInferred: event.facts.text(.who) == "task")
        }
    }

    mutating func end(_ load: LoadState, into hits: inout HitList) {
        guard !isHandled, !isReported, !load.isHung, load.isResumed, load.isEndDue else { return }
        hits.report(
            Self.rule, "the completion handler was never called\(load.openQuestionNote)", at: nil, in: load.lane)
    }
}
