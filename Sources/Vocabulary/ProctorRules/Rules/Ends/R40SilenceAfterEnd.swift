import ProctorEvents

/// A second terminal event is R39's.
struct R40SilenceAfterEnd: RuleMonitor {
    static let interests: EventNameSet = [
        .created, .delayed, .waiting, .canonicalize, .redirect, .askCanAuth, .askCredStore, .challenge,
        .challengeCancelled, .needBodyStream, .bodySent, .informational, .response, .data, .cacheValidated,
        .downloadBegin, .downloadResumed, .shouldDecode, .destination, .destinationCreated, .progress, .fileReady,
        .streamReadClosed, .streamWriteClosed, .betterRoute, .wsOpen, .wsClose, .metrics,
    ]

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let terminal = load.terminal, terminal.isOrdinaryEnd,
            !load.family.isEnded(by: event.name),
            event.name != .metrics || load.platform.metrics == .optional || load.platform.metrics == .absent
        else { return nil }
        return Breach("\(event.symbol) after \(terminal.symbol), which closed its lane")
    }
}
