import ProctorEvents

extension Rules {
    static let r33 = Rule(
        33, title: "the cached answer",
        statement: """
            cacheValidated stands for a 304 and comes at most once. No document says what follows it: the end, or \
            data, or response and data. For a session a load from the cache looks like any other.
            """,
        source: "NSURLProtocol.h; published protocols", confidence: .documented,
        families: [.urlProtocol, .connection, .sessionData],
        monitors: [.load(R33CachedAnswer.self, in: [.urlProtocol])],
        limits: """
            Every order is our own conclusion, so a breach is only noted. The wire shows whether the cache was used, \
            and a case can say so
            """,
        legal: "cacheValidated response(200) data complete(ok)",
        illegal: "response(200) data cacheValidated complete(ok)")
}

struct R33CachedAnswer: RuleMonitor {
    static let interests: EventNameSet = [.cacheValidated]

    private var isValidated = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        if isValidated || load.responseCount > 0 {
            return Breach(
                isValidated
                    ? "cacheValidated came a second time; a cached response is confirmed once"
                    : "cacheValidated came after a response; it stands for a 304, which has come before",
                isInferred: true)
        }
        isValidated = true
        return nil
    }
}
