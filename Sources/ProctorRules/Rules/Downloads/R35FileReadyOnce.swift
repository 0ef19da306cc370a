import ProctorEvents

extension Rules {
    static let r35 = Rule(
        35, title: "the file is ready once, at the end",
        statement: """
            A download that succeeds says fileReady exactly once, between its last progress and complete(ok); one \
            that fails never does. Only when the test cancels during or after fileReady is the end open.
            """,
        source: "Working with HTTP and HTTPS Requests; NSURLSession.h; URL Session Programming Guide, life cycle",
        confidence: .documented, families: [.sessionDownload],
        monitors: [.load(R35FileReadyOnce.self)],
        limits: "without lane harness, complete(cancelled) after fileReady is taken for such a cancel",
        legal: "progress* fileReady complete(ok)",
        illegal: "progress* complete(ok)",
        breaksByMissingEvents: true)
}

struct R35FileReadyOnce: ReportsOnce {
    static var rule: Rule { Rules.r35 }
    static let interests: EventNameSet = [.progress, .fileReady, .complete]

    private var isReady = false
    var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard load.terminal == nil else { return }
        guard isReady else {
            if event.name == .fileReady { isReady = true }
            if event.name == .complete, event.argument == "ok" {
                report(
                    "complete(ok) without fileReady; a finished download hands over its file", event, in: load,
                    into: &hits)
            }
            return
        }
        switch event.name {
        case .progress: report("progress after fileReady; the file was complete", event, in: load, into: &hits)
        case .fileReady: report("fileReady comes a second time", event, in: load, into: &hits)
        default:
            guard event.argument != "ok", !isOpenRace(event, load) else { return }
            report("\(event.symbol) after fileReady; a failed download has no file", event, in: load, into: &hits)
        }
    }

    /// A cancel that meets the finished file may win or lose; without lane `harness` it is unknown.
    private func isOpenRace(_ event: TraceEvent, _ load: LoadState) -> Bool {
        event.argument == "cancelled" && (load.cancellation != nil || !load.seesHarness)
    }
}
