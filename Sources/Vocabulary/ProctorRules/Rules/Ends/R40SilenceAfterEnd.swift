import ProctorEvents

extension Rules {
    static let r40 = Rule(
        40, title: "nothing after the end",
        statement: """
            When a load has said its end, its lane is closed. Handlers, await and sessionInvalid are lanes of their \
            own, and metrics are judged by what the platform promises of them.
            """,
        source:
            "NSURLSession.h up to the macOS 11 SDK (last message of a task); NSURLConnection.h; URLSessionTask.State",
        confidence: .documented,
        families: [
            .sessionData, .sessionDownload, .sessionBackground, .connection, .connectionDownload, .download,
            .urlProtocol, .webSocket, .stream,
        ],
        monitors: [.load(R40SilenceAfterEnd.self)],
        limits: "The rule reports once for a load, however much follows", legal: "response(200) data complete(ok)",
        illegal: "response(200) complete(ok) data")
}

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
