import ProctorEvents

extension Rules {
    static let r39 = Rule(
        39, title: "exactly one terminal event",
        statement: """
            Every load that was started ends once, well or badly. After a cancel the families before URLSession need \
            not say so, nor does a URLProtocol that was stopped. A task that became another, or whose streams were \
            captured, ends without complete.
            """,
        source: "NSURLSession.h, NSURLConnection.h (at most once), NSURLDownload.h; CustomHTTPProtocol Read Me",
        confidence: .documented,
        families: [
            .sessionData, .sessionDownload, .sessionBackground, .connection, .connectionDownload, .download,
            .urlProtocol, .webSocket, .stream,
        ],
        monitors: [.load(R39OneTerminal.self)],
        limits: """
            A missing end is reported only of a load that was resumed, is not suspended and does not wait for an \
            answer of the test, in a trace that has ended. If the watchdog ended it, it breaks R45; a missing \
            handler breaks R54
            """,
        legal: "response(200) data complete(ok)", illegal: "response(200) complete(ok) complete(timedOut)")
}

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
