import ProctorEvents

/// Checks that start, stop and all calls of the protocol on its client have one thread.
struct R48ClientThread: RuleMonitor {
    static let interests: EventNameSet = [
        .pStart, .pStop, .redirect, .canonicalize, .challenge, .challengeCancelled, .response, .data, .cacheValidated,
        .complete,
    ]

    /// The thread of `p.start`, or of the first call in a trace without a start.
    private var thread: String?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let here = event.thread else { return nil }
        guard let thread else {
            thread = here
            return nil
        }
        guard here != thread else { return nil }
        return Breach(
            "\(event.symbol) on thread \(here); the object was started on \(thread)",
            isInferred: event.name == .cacheValidated)
    }
}

struct R48RunningLoop: RuleMonitor {
    static let interests: EventNameSet = [.blocked]

    func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        let time = event.facts.integer(.ms).map { " for \($0) ms" } ?? ""
        return Breach("the client thread did not run its run loop\(time); a protocol must not block it")
    }
}
