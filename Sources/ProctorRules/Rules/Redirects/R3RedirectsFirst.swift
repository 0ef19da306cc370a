import ProctorEvents

extension Rules {
    static let r3 = Rule(
        3, title: "redirects come before the response",
        statement: """
            Once a load has a response, data, progress, a destination or a file, it is not redirected any more. A \
            Newsstand download that resumes after a network failure may be redirected anew.
            """,
        source: "notes on willSendRequest; CustomHTTPProtocol Read Me; NSURLDownloadDelegate overview",
        confidence: .documented,
        families: [.sessionData, .sessionDownload, .connection, .connectionDownload, .download, .urlProtocol],
        monitors: [.load(R3RedirectsFirst.self)], limits: nil,
        legal: "redirect(301) redirect(302) response(200) data+ complete(ok)",
        illegal: "response(200) redirect(302) response(200) data+ complete(ok)",
        explains: [
            // A redirect that is told late has begun a transmission that nothing announced.
            .init(23, .lane)
        ])
}

struct R3RedirectsFirst: RuleMonitor {
    static var rule: Rule { Rules.r3 }
    static let interests: EventNameSet = [
        .redirect, .response, .challenge, .progress, .destination, .destinationCreated, .fileReady, .downloadResumed,
    ]

    private var response = DefinitiveResponse()
    /// What showed that the response had come, where there is no `response`.
    private var sign: EventName?
    /// `connectionDownload`: a redirect that only a resumption excuses.
    private var held: KeptEvent?
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard !isReported, load.terminal == nil else { return }
        switch event.name {
        case .redirect:
            guard response.status != nil || sign != nil else { return }
            if load.family == .connectionDownload {
                held = held ?? KeptEvent(event)
            } else {
                report(event, in: load, into: &hits)
            }
        case .downloadResumed: held = nil
        case .challenge:
            // Progress before a challenge is R12.
            if !event.isOfTLS { sign = nil }
        case .progress, .destination, .destinationCreated, .fileReady:
            if let held { return report(held.event, in: load, into: &hits) }
            sign = event.name
        default: break
        }
        response.see(event)
    }

    private mutating func report(_ event: TraceEvent, in load: LoadState, into hits: inout HitList) {
        isReported = true
        hits.report(
            Self.rule,
            "\(event.symbol) came after \(response.status.map { "response(\($0))" } ?? sign?.rawValue ?? "the response"); "
                + "redirects come before the response", at: event, in: load.lane)
    }
}
