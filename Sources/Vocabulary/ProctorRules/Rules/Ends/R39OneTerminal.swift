import ProctorEvents

/// In a trace that the watchdog ended, a missing terminal event is R45's; a missing handler is R54's.
struct R39OneTerminal: EndRuleMonitor {
    static let interests: EventNameSet = [.complete, .fileReady, .becameDownload, .becameStream, .streamsCaptured]

    func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard let first = load.terminal, load.family.isEnded(by: event.name), first.isOrdinaryEnd else { return nil }
        return Breach("\(event.symbol) after \(first.symbol); a load ends once")
    }

    func observeLoadEnd(_ load: LoadState) -> Breach? {
        guard !load.isHung, load.isEndDue else { return nil }
        return Breach(
            load.cancellation == nil
                ? "the trace ends without a terminal event\(load.openQuestionNote)"
                : "the trace ends without a terminal event, although the load was cancelled")
    }
}

extension TraceEvent {
    /// False for ends after which another rule reports: R29, R58.
    var isOrdinaryEnd: Bool { name != .becameDownload && name != .becameStream && name != .streamsCaptured }
}
