import ProctorEvents

extension Rules {
    static let r35 = Rule(
        35, title: "the file is ready once, at the end",
        statement: """
            A download that succeeds says fileReady exactly once, between its last progress and complete(ok); one \
            that fails never does. Only when the test cancels during or after fileReady is the end open. A download \
            of NSURLConnection ends with fileReady itself, never with complete(ok).
            """,
        source: """
            Working with HTTP and HTTPS Requests; NSURLSession.h; NSURLConnection.h; URL Session Programming Guide, \
            life cycle
            """,
        confidence: .documented, families: [.sessionDownload, .connectionDownload],
        monitors: [.load(R35FileReadyOnce.self)],
        limits: "Without lane harness, complete(cancelled) after fileReady counts as such a cancel",
        legal: "progress* fileReady complete(ok)",
        illegal: "progress* complete(ok)",
        breaksByMissingEvents: true)
}

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
