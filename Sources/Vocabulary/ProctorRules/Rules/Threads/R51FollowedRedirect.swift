import ProctorEvents

/// Needs the client's answer: without it an object may continue, because its redirect may be refused.
struct R51FollowedRedirect: RuleMonitor {
    static let interests: EventNameSet = [.answer, .response, .cacheValidated]

    private var isFollowed = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .answer {
            if event.argument != "refuse", load.questionName(answeredBy: event) == .redirect { isFollowed = true }
        } else if isFollowed, load.terminal == nil, !load.isStopped {
            return Breach(
                "\(event.symbol) from the object whose redirect the client followed; it should be stopped",
                isInferred: true)
        }
        return nil
    }
}
