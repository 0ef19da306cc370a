import ProctorEvents

extension Rules {
    static let r9 = Rule(
        9, title: "redirects are bounded",
        statement: """
            A client does not follow redirects for ever: at a fixed number the load fails with complete(tooManyRedirects). The \
            number is the platform's; CFNetwork and corelibs follow 20.
            """,
        source: "URL Session Programming Guide (that there is a maximum); corelibs pull request 2971 (20)",
        confidence: .sample,
        families: [
            .sessionData, .sessionDownload, .sessionHandler, .connection, .connectionDownload, .download, .webSocket,
            .urlProtocol,
        ],
        monitors: [.load(R9BoundedRedirects.self)],
        limits: "On a platform without redirectLimit only a chain of more than 100 redirects is noted",
        legal: "redirect(302){20} complete(tooManyRedirects)",
        illegal: "redirect(302){21,} response(200) complete(ok)  # on a platform that follows 20")
}

struct R9BoundedRedirects: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.redirect, .complete, .handler, .awaited]

    /// The limit on a platform that states none.
    private static let suspiciousCount = 100

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        let count = load.redirectCount
        if event.name == .redirect {
            let limit = load.platform.redirectLimit ?? Self.suspiciousCount
            guard count == limit else { return nil }
            return Breach(
                "\(event.symbol) is number \(count + 1); a load follows \(limit) and then fails",
                isInferred: load.platform.redirectLimit == nil)
        } else if event.argument == "tooManyRedirects", let limit = load.platform.redirectLimit, 0 < count,
            count < limit
        {
            return Breach("\(event.symbol) came after \(count) redirects; \(limit) are followed")
        }
        return nil
    }
}
