import ProctorEvents

/// Checks the fact `who` of each callback.
///
/// A method goes to one delegate for the whole load, so that a method which goes to both is wrong whatever each of
/// them implements. `who` of `resume` says that the task's own delegate implements everything.
struct R55DelegateRouting: RuleMonitor {
    static let interests: EventNameSet = [
        .resume, .delayed, .waiting, .redirect, .challenge, .needBodyStream, .bodySent, .informational, .response,
        .data,
        .willCache, .becameDownload, .becameStream, .downloadResumed, .progress, .fileReady, .metrics, .complete,
        .canonicalize, .askCanAuth, .askCredStore, .shouldDecode, .destination,
    ]

    /// A bit for each event.
    private var toTask: UInt64 = 0
    private var toSession: UInt64 = 0
    private var hasFullDelegate = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let who = event.facts.text(.who) else { return missing(event, load) }
        let isTask = who == "task"
        if event.name == .resume {
            hasFullDelegate = isTask
            return nil
        }
        // The documentation does not say which delegate gets the session's own challenge method.
        guard event.lane == .task, event.facts.text(.scope) != "session" else { return nil }
        if isTask || !hasFullDelegate, let breach = missing(event, load) { return breach }
        if !isTask, hasFullDelegate, !load.missingMethods.contains(event.name) {
            return Breach("\(event.symbol) went to the session's delegate, though the task's implements it")
        }
        let bit: UInt64 = 1 << UInt64(event.name.ordinal)
        if (isTask ? toSession : toTask) & bit != 0 {
            return Breach(
                "\(event.symbol) went to the \(who)'s delegate, and before to the other; a method goes to one of them")
        }
        if isTask { toTask |= bit } else { toSession |= bit }
        return nil
    }

    /// A call of a method that the delegate lacks; `without` is about the task's own where there is one.
    private func missing(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.lane == .task, load.missingMethods.contains(event.name) else { return nil }
        return Breach("\(event.symbol) was told, though the delegate has no method for it")
    }
}
