import ProctorEvents

struct R35FileReadyOnce: RuleMonitor {
    static let interests: EventNameSet = [.progress, .fileReady, .complete]

    private var isReady = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        guard isReady else {
            if event.name == .fileReady { isReady = true }
            if event.name == .complete, event.argument == "ok" {
                return Breach("complete(ok) without fileReady; a finished download hands over its file")
            }
            return nil
        }
        switch event.name {
        case .progress: return Breach("progress after fileReady; the file was complete")
        case .fileReady: return Breach("fileReady comes a second time")
        default:
            guard event.argument != "ok", !isOpenRace(event, load) else { return nil }
            return Breach("\(event.symbol) after fileReady; a failed download has no file")
        }
    }

    /// A cancel at the time of the finished file may come first or second; without lane `harness` that is unknown.
    private func isOpenRace(_ event: TraceEvent, _ load: LoadState) -> Bool {
        event.argument == "cancelled" && (load.cancellation != nil || !load.seesHarness)
    }
}
