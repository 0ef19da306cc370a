import ProctorEvents

/// Without the event `schedule` a label of a queue may be that of a delegate queue, which takes the place of the thread.
struct R47LegacyThread: RuleMonitor {
    /// Without `askCredStore`, which may belong to the creation of the connection.
    static let interests: EventNameSet = [
        .schedule, .mode, .resume, .canonicalize, .redirect, .askCanAuth, .challenge, .challengeCancelled,
        .needBodyStream, .bodySent, .response, .data, .willCache, .downloadBegin, .downloadResumed, .shouldDecode,
        .destination, .destinationCreated, .progress, .fileReady, .complete,
    ]

    /// The place that was scheduled, the thread of the start, or the place of the first callback.
    private var place: String?
    private var isScheduled = false
    /// The mode that was scheduled and in which the run loop does not run yet.
    private var awaitedMode: String?
    private var hasNoLoop = false
    /// Whether ``place`` is a queue's label that a callback gave.
    private var hasQueue = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .schedule:
            place = event.facts.text(.place) ?? event.thread
            isScheduled = place != nil
            hasNoLoop = event.argument == "no-loop"
            awaitedMode = event.facts.text(.mode).flatMap { $0 == "default" ? nil : $0 }
            return nil
        case .mode:
            if event.argument == awaitedMode { awaitedMode = nil }
            return nil
        case .resume:
            if !isScheduled { place = event.thread }
            return nil
        default: break
        }
        guard load.terminal == nil, event.lane == .task else { return nil }
        if isScheduled { return breachOfSchedule(event) }
        guard let here = event.queue ?? event.thread else { return nil }
        // A delegate queue is known by the first callback only.
        guard let place, load.family == .download || event.queue == nil || hasQueue else {
            place = here
            hasQueue = event.queue != nil
            return nil
        }
        guard here != place else { return nil }
        return Breach("\(event.symbol) came on \(here); the load's callbacks come on \(place)")
    }

    private func breachOfSchedule(_ event: TraceEvent) -> Breach? {
        guard let place else { return nil }
        if hasNoLoop { return Breach("\(event.symbol) came although its thread runs no run loop") }
        if let awaitedMode {
            return Breach("\(event.symbol) came before the run loop ran in mode \(awaitedMode)")
        }
        guard let here = event.queue ?? event.thread, event.queue != place, event.thread != place else { return nil }
        return Breach("\(event.symbol) came on \(here); the load is scheduled on \(place)")
    }
}
