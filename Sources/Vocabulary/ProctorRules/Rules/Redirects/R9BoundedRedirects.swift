import ProctorEvents

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
