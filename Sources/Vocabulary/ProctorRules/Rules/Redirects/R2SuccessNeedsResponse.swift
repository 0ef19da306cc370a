import ProctorEvents

extension Rules {
    static let r2 = Rule(
        2, title: "a success needs a response",
        statement: """
            A load that ends in complete(ok) was told a response first. Downloads report through progress and \
            fileReady instead, and a protocol may have said cacheValidated in its place.
            """,
        source: "CustomHTTPProtocol Read Me; NSURLDownloadDelegate overview", confidence: .documented,
        families: [.urlProtocol, .connection, .sessionData, .download],
        monitors: [.load(R2SuccessNeedsResponse.self)],
        limits: """
            A recorder without the method for responses looks like a client that never calls it; only the fact \
            without of resume tells them apart. Data before a response that does come breaks R25
            """,
        legal: "response(204) complete(ok)", illegal: "complete(ok)",
        breaksByMissingEvents: true,
        explains: [
            // Without any response, no data can come after one.
            .init(25, .lane)
        ])
}

struct R2SuccessNeedsResponse: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.complete, .cacheValidated, .downloadResumed, .answer]

    /// Whether another event replaced the response, or another rule reports that it is missing.
    private var isExcused = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        switch event.name {
        case .cacheValidated, .downloadResumed: isExcused = true
        // A refused redirect that is not delivered is R5.
        case .answer: isExcused = isExcused || event.argument == "refuse"
        case .complete where event.isSuccess && load.responseCount == 0 && load.terminal == nil:
            guard !isExcused, !isCancelled(load) else { return nil }
            let before = load.previous.map { "after \($0.symbol)" } ?? "as the first event"
            return Breach("complete(ok) came \(before), but no response did; a success has a response")
        default: break
        }
        return nil
    }

    /// R6, R14 and R29 check a success after these.
    private func isCancelled(_ load: LoadState) -> Bool {
        guard let cancellation = load.cancellation else { return false }
        return cancellation.name == .answer || load.openQuestion(.redirect) != nil
    }
}
