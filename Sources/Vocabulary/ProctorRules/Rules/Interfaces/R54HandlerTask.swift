import ProctorEvents

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
