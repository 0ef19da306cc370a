import ProctorEvents

/// Checks that a session's task which was cancelled before it was resumed ends as cancelled and does nothing else.
///
/// A later cancel races with callbacks that were already due; R39 checks the end of such a load.
struct R42CancelledBeforeResume: RuleMonitor {
    static let interests: EventNameSet = [
        .cancel, .invalidate, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response,
        .data, .downloadResumed, .progress, .fileReady, .wsOpen, .wsClose, .complete, .request,
    ]

    private var isNeverToRun = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .cancel, .invalidate:
            guard event.name == .cancel || event.argument != "finish", !load.isResumed, load.terminal == nil,
                load.eventCount == 0 || load.previous?.name == .created, load.wireRequestCount == 0
            else { return nil }
            isNeverToRun = true
        case .request:
            guard isNeverToRun else { return nil }
            return Breach("the server saw \(event.symbol) of a task that was cancelled before it was resumed")
        case .complete where event.argument == "cancelled": return nil
        default:
            guard isNeverToRun, load.terminal == nil else { return nil }
            return Breach(
                "\(event.symbol) of a task that was cancelled before it was resumed; only complete(cancelled) may come")
        }
        return nil
    }
}

/// Checks the families before URLSession: silence after `cancel`, which one source promises and another does not.
///
/// A cancel inside the redirect callback is R6's.
struct R42LegacyCancel: RuleMonitor {
    static let wantsExits = true
    static let interests: EventNameSet = [
        .cancel, .canonicalize, .redirect, .askCanAuth, .askCredStore, .challenge, .challengeCancelled, .needBodyStream,
        .bodySent, .response, .data, .willCache, .downloadBegin, .downloadResumed, .shouldDecode, .destination,
        .destinationCreated, .progress, .fileReady, .complete,
    ]

    /// Events that do not show that the callback of a redirect is over.
    private static let mayComeMeanwhile: EventNameSet = [.bodySent, .canonicalize, .askCanAuth, .askCredStore]

    private var isInRedirect = false
    private var isCancelled = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        guard event.phase == .enter else {
            if event.name == .redirect, !load.seesAnswers { isInRedirect = false }
            return nil
        }
        if event.name == .cancel {
            isCancelled = isCancelled || !isInRedirect
            return nil
        }
        isInRedirect = event.name == .redirect || isInRedirect && Self.mayComeMeanwhile.contains(event.name)
        if isCancelled {
            return Breach(
                "\(event.symbol) after the cancel, which should be followed by silence",
                isInferred: load.family == .download || load.platform.legacyCancel == .hint)
        }
        return nil
    }
}

extension R42CancelledBeforeResume {
    /// A task that was not resumed sends nothing, whether it is cancelled or not.
    static func breaches(of order: MergedOrder) -> [MergedOrder.Breach] {
        let resumes = order.items.lazy.map(\.event).filter { $0.name == .resume }
        guard order.isMerged, order.reportsHarness, !resumes.isEmpty else { return [] }
        var resumed: Set<Int> = []
        let everResumed = Set(resumes.filter { order.isOfTask($0) }.map(\.task))
        for item in order.items {
            let event = item.event
            if event.name == .resume, order.isOfTask(event) { resumed.insert(event.task) }
            guard item.isRequest else { continue }
            // A request whose task is unknown belongs to no task before the first of all resumes.
            let isEarly = item.hasTask ? !resumed.contains(event.task) : resumed.isEmpty
            guard isEarly else { continue }
            let wasResumed = item.hasTask ? everResumed.contains(event.task) : !everResumed.isEmpty
            let owner = item.hasTask ? "\(LaneID(.task, event.task))" : "any task"
            let fault = wasResumed ? "before \(owner) was resumed" : "though \(owner) never was resumed"
            return [
                .init(RuleNumber(42), edge: "no request before resume", at: event, "\(order.text(event)) came \(fault)")
            ]
        }
        return []
    }
}
